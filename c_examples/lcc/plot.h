/* An SVG of predictions with their intervals against measured values. */
#ifndef PLOT_H
#define PLOT_H

#include <stddef.h>
#include <stdio.h>

typedef struct {
    const char *title;
    const char *subtitle;
    const char *quantity; /* what both axes show, "NOx" */
    const char *unit;     /* "mg/m\302\263", or NULL */
    double level;         /* of the intervals, .9 */
    size_t n;
    const double *measured;
    const double *mean;
    const double *lower;
    const double *upper;
} plot_points;

/* Self-contained: no scripts, no external resources, UTF-8. */
void plot_write(FILE *out, const plot_points *points);

/* Ticks at multiples of 1, 2 or 5 times a power of ten: the step that gives at
 * most `most` steps over [low, high]; *first is the smallest tick not below low. */
double plot_tick_step(double low, double high, int most, double *first);

#endif
