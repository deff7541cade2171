/* Methods judged on the same rows. */
#ifndef COMPARE_H
#define COMPARE_H

#include "fit_report.h"
#include "judge.h"

/* A line of the table: a method or a baseline. */
typedef struct {
    const char *name;
    int baseline;
    score_summary scores;
    double behind; /* of the best log score, and the standard error of that; 0 of the best */
    double behind_error;
    double spread; /* share of intervals that hold; of classes, the calibration error */
    double seconds;
    double luck; /* NaN of baselines */
} compared;

/* The figure: log scores, and RMSE or accuracy, each with its standard error; what the lines are of the target. */
void compare_plot(FILE *out, const char *target, const char *what, int classes,
                  const compared *lines, size_t count);

/* What a method fitted to all rows predicts over the range of its input and somewhat beyond. */
typedef struct {
    const char *name;
    dataset rows; /* some of those that trained */
    dataset grid;
    predictions p;
} compare_curve;

/* Fits o->train, of one input and a number as target. 0 or an exit code after a message; compare_curve_free either way. */
int compare_curve_fit(fit_flags *flags, fit_outcome *o, compare_curve *curve, int *interrupted);
void compare_curve_free(compare_curve *curve);

/* The figure: a panel a method, the rows, the predictive mean and a band about it. */
void compare_curves(FILE *out, const char *target, const compare_curve *curves, size_t count);

#endif
