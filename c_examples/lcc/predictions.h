/* Predictions of rows, how good they were, and their CSV. */
#ifndef PREDICTIONS_H
#define PREDICTIONS_H

#include "json.h"

#include <stddef.h>
#include <stdio.h>

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
} predictions;

/* Room for n rows. 0 or EXIT_FAILED. */
int predictions_reserve(predictions *p, size_t n, int with_scores);
void predictions_free(predictions *p);

/* mean,sd,lower,upper and, where known, y. */
void predictions_write(FILE *out, const predictions *p, const double *y);

typedef struct {
    size_t n;
    double rmse;
    double log_likelihood; /* mean log density, raw units */
    double coverage;       /* share of measured values inside their interval */
    double width;          /* mean width of the intervals */
    double crps;           /* mean continuous ranked probability score, raw units */
} evaluation;

/* Needs log_density, crps and at least one row. */
evaluation predictions_evaluate(const predictions *p, const double *y);

/* The members of a JSON object, and two lines for people, the first of which begins with `what`. */
void evaluation_write(json_writer *json, const evaluation *e, int with_crps);
/* The member "test": null where nothing was tested. */
void evaluation_write_test(json_writer *json, const evaluation *e);
void evaluation_print(const char *what, const evaluation *e, double level);

#endif
