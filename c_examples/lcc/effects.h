/* What a model makes of its inputs: its function along one or two of them, the others as they are in rows of data
 * (partial dependence, Friedman 2001), with the spread of its draws. */
#ifndef EFFECTS_H
#define EFFECTS_H

#include "encode.h"

#include <lcc.h>

/* A model and its columns. Images of either precision are read in double. */
typedef struct {
    const unsigned char *image;
    size_t bytes;
    lcc_model_info info;
    const schema *columns;
    size_t curves; /* functions shown: 1, or of more than two classes the first few */
    int classes;
} subject;

/* The mean of y at each row under each draw, or the probability of a class: `draws` numbers a row. 0 or EXIT_FAILED
 * after a message. */
int subject_function(const subject *s, const dataset *rows, size_t curve, double *out);

/* The log density of each row's y under each draw, likewise. */
int subject_densities(const subject *s, const dataset *rows, double *out);

/* Quantiles of the predictive law, `levels` numbers a row. */
int subject_quantiles(const subject *s, const dataset *rows, const double *p, size_t levels,
                      double *out);

/* Along one input: mean over rows and draws, and the central 90 % of the draws' means over rows, curve after curve. */
typedef struct {
    size_t count; /* points; 0 of an input whose range the model does not tell */
    double *at;   /* values, or levels from 0 */
    double *mean;
    double *low;
    double *high;
    double move;      /* the largest range of a mean */
    double decile[9]; /* of numbers in the rows */
} effect;

/* 0 or EXIT_FAILED after a message; free either way. */
int effect_tell(const subject *s, const dataset *rows, size_t input, effect *e);
void effect_free(effect *e);

/* Over two: mean, and sd of the draws, of the first curve, at[1] the outer. */
typedef struct {
    size_t count[2];
    double *at[2];
    double *mean;
    double *sd;
} surface;

int surface_tell(const subject *s, const dataset *rows, size_t across, size_t up, surface *f);
void surface_free(surface *f);

#endif
