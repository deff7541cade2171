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

/* Okabe and Ito's blue and vermilion: told apart with any colour vision; and ink. */
#define PLOT_INSIDE "#0072b2"
#define PLOT_OUTSIDE "#d55e00"
#define PLOT_INK "#1f2933"
#define PLOT_FAINT "#6b7785"

/* Ticks at multiples of 1, 2 or 5 times a power of ten: the step that gives at most `most` of them over [low, high];
 * *first is the smallest tick not below low. */
double plot_ticks(double low, double high, int most, double *first);

/* What an SVG begins with: the sheet and its headings; and a text in it, or in an attribute. */
void plot_begin(FILE *out, double width, double height, double left, const char *title,
                const char *subtitle);
void plot_escaped(FILE *out, const char *text);

#endif
