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

/* The panels below each other, in 20 bins from 1/classes to 1. Self-contained, as plot_write. */
void histogram_write(FILE *out, const char *title, const char *subtitle, const char *rows,
                     size_t classes, const histogram_panel *panels, size_t count);

#endif
