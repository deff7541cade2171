/* An SVG of predictions with their intervals against measured values. */
#ifndef PLOT_H
#define PLOT_H

#include "predictions.h"

#include <stdio.h>

typedef struct {
    const char *title;
    const char *subtitle;
    const char *quantity; /* what both axes show, "NOx" */
    const char *unit;     /* "mg/m\302\263", or NULL */
} plot_words;

/* Self-contained: no scripts, no external resources, UTF-8. */
void plot_write(FILE *out, const plot_words *words, const predictions *p, const double *measured);

#endif
