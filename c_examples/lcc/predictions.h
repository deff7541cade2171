/* Predictions of rows, how good they were, and their CSV. */
#ifndef PREDICTIONS_H
#define PREDICTIONS_H

#include "dataset.h"
#include "json.h"

#include <stddef.h>
#include <stdio.h>

/* How the classes of test rows were predicted. */
typedef struct {
    double accuracy;
    double log_likelihood; /* mean log probability of the class */
    double brier;
    double ranked; /* ranked probability score, in the order of the classes */
    double calibration;
    double coverage; /* share of classes inside their set of the interval's probability */
    double set_size; /* mean */
    double entropy;  /* mean */
    double mutual;   /* mean */
} class_scores;

/* What a model says of rows of noise; no rows: it was not asked. */
typedef struct {
    size_t n;
    double auroc_entropy; /* of noise against rows, by the entropy of the class */
    double auroc_mutual;  /* by the mutual information of class and draw */
    double top;           /* mean largest probability */
    double point_top;     /* the point fit's; NaN without one */
} noise_facts;

typedef struct {
    size_t n;
    int digits; /* 9 or 17: significant digits that bring the numbers back exactly */
    double level;
    double *mean;
    double *sd;
    double *lower;
    double *upper;
    double *log_density; /* of the measured values, or NULL where none are known */
    double *crps;        /* likewise */
    double *more;        /* further columns, `more_columns` a row, or NULL */
    size_t more_columns;
    const char *more_names; /* as they stand in the header, each behind a comma */
    size_t classes;      /* 0: y is a number. Else none of the above, and */
    double *probability; /* n x classes, row after row */
    double *entropy;     /* of the class, in nats */
    double *mutual;      /* information of class and draw */
    double *top;         /* the largest probability */
    class_scores scored; /* where the classes are known */
} predictions;

/* Room for n rows. 0 or EXIT_FAILED. */
int predictions_reserve(predictions *p, size_t n, int with_scores);
/* The same for so many classes. */
int predictions_reserve_classes(predictions *p, size_t n, size_t classes);
void predictions_free(predictions *p);

/* mean,sd,lower,upper and, where known, y; then the row of the file, from 1, and, where known, how many inputs are
 * outside of the training data. */
void predictions_write(FILE *out, const predictions *p, const dataset *rows);

/* The end of the header and of a row, which are of all predictions. */
void predictions_end_header(FILE *out, const dataset *rows);
void predictions_end_row(FILE *out, const dataset *rows, size_t i);

typedef struct {
    size_t n;
    double rmse;
    double log_likelihood; /* mean log density, raw units */
    double coverage;       /* share of measured values inside their interval */
    double width;          /* mean width of the intervals */
    double crps;           /* mean continuous ranked probability score, raw units */
    size_t positive;       /* rows above 0 where a fifth or more is 0, none below, and not all are whole; else 0 */
    double covered;        /* share of these inside their interval */
    int classes;           /* of the above only the logarithm is there, and */
    class_scores scored;
    noise_facts noise;
} evaluation;

/* Needs log_density and crps, or scored classes, and at least one row. */
evaluation predictions_evaluate(const predictions *p, const double *y);

/* The members of a JSON object, and two lines for people, the first of which begins with `what`. */
void evaluation_write(json_writer *json, const evaluation *e, int with_crps);
/* The member "test", with the standard errors that were judged, if any: null where nothing was tested. */
struct judgement;
void evaluation_write_test(json_writer *json, const evaluation *e, const struct judgement *judged);
void evaluation_print(const char *what, const evaluation *e, double level);

#endif
