/* Methods judged on the same rows. */
#ifndef COMPARE_H
#define COMPARE_H

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

#endif
