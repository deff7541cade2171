/* An SVG of how sure a classifier is: its largest probabilities on rows and on noise. */
#ifndef HISTOGRAM_H
#define HISTOGRAM_H

#include <stddef.h>
#include <stdio.h>

/* What one fit says: the largest probability at each row, and at each row of noise. */
typedef struct {
    const char *name;
    const double *rows;
    const double *noise;
    size_t n; /* of either */
} histogram_panel;

/* The shares of largest probabilities in bins from `least` to 1. */
enum { HISTOGRAM_BINS = 20 };
void histogram_bins(const double *top, size_t n, double least, double share[HISTOGRAM_BINS]);

/* The panels below each other, in bins from 1/classes to 1. Self-contained, as plot_write. */
void histogram_write(FILE *out, const char *title, const char *subtitle, const char *rows,
                     size_t classes, const histogram_panel *panels, size_t count);

#endif
