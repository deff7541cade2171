/* The page of lcc report: what it is made from, and its parts. */
#ifndef REPORT_H
#define REPORT_H

#include "classes.h"
#include "effects.h"
#include "page.h"
#include "relevance.h"

/* Everything is computed before a word is written. */
typedef struct {
    const char *model_path;
    const char *data_path; /* NULL without data */
    double level;
    schema columns;
    subject about;
    row_file data; /* without rows where there are none */
    int judged;    /* their targets are known */
    predictions p;
    evaluation scores;
    noise_trial noise;
    relevance inputs;
    dataset some;    /* rows that effects are averaged over: without data one, of all means */
    size_t *order;   /* inputs, the one that matters most first */
    effect *effects; /* of each input; empty of those that are not shown */
    size_t shown;
    surface both; /* of the first two */
} report;

enum { MOST_OUTLIERS = 10, MOST_MARKS = 1200 };

/* The class's word, or its number in `text`. */
const char *report_class(const report *r, size_t c, number_text text);

/* Numbers and counts: predicted against measured, calibration, residuals. 0 or EXIT_FAILED after a message. */
int report_numbers(const report *r, FILE *out);

/* Classes: confusion, reliability, rows and noise. 0 or EXIT_FAILED. */
int report_classes(const report *r, FILE *out);

/* What the model makes of its inputs. 0 or EXIT_FAILED. */
int report_inputs(const report *r, FILE *out);

/* Whether what predictions miss changes with the order of the rows. 0 or EXIT_FAILED. */
int report_drift(const report *r, FILE *out);

/* Rows of a table: what the fit noted in the model of its chains, or all else. */
void report_note(const report *r, FILE *out, int chains);

/* A sentence on whether these rows are those that trained. */
const char *report_trained(const report *r);

/* What the draws and their chains say. 0 or EXIT_FAILED. */
int report_draws(const report *r, FILE *out);

/* The rows of least density under the model. 0 or EXIT_FAILED. */
int report_outliers(const report *r, FILE *out);

#endif
