/* What each program asks of the library: here, so that the program on the host that says how much memory it
 * takes (sizes.c) asks for the same. */
#ifndef CONFIGURE_H
#define CONFIGURE_H

#include "digits.h"
#include "rows.h"

#include <lcc.h>

/* A board without an FPU takes a fortieth of the work, to spare the tests' time. */
#ifndef FIT_ITERATIONS
#define FIT_ITERATIONS 250
#endif

/* The regressor of a small board: one chain, a diagonal mass matrix, no traces. */
static inline int32_t configure_fit(lcc_network_options_f32 *o)
{
    const int32_t status = lcc_network_options_default_f32(o);
    o->neurons = 8;
    o->chains = 1;
    o->lanes = 1;
    o->warmup = FIT_ITERATIONS;
    o->draws = FIT_ITERATIONS * 4 / 5;
    o->keep = o->draws < 12 ? o->draws : 12;
    o->starts = 2;
    o->start_steps = FIT_ITERATIONS;
    o->leapfrogs = 20;
    o->early_leapfrogs = 10;
    o->mass = LCC_MASS_DIAGONAL;
    o->trace_rows = 0;
    return status;
}

static inline lcc_data_f32 train_rows(size_t n)
{
    const lcc_data_f32 data = {rows_train_x, rows_train_y, n, ROWS_INPUTS, ROWS_INPUTS, 1};
    return data;
}

/* A smaller one, to be interrupted. */
enum { POWERLOSS_ROWS = 30, POWERLOSS_ITERATIONS = 60 };

static inline int32_t configure_powerloss(lcc_network_options_f32 *o)
{
    const int32_t status = configure_fit(o);
    o->neurons = 4;
    o->warmup = POWERLOSS_ITERATIONS;
    o->draws = POWERLOSS_ITERATIONS;
    o->keep = 8;
    o->starts = 1;
    o->start_steps = 100;
    return status;
}

/* A board without an FPU takes a fiftieth of the work. */
#ifdef CLASSIFY_SHORT
enum { CLASSIFY_CHAINS = 2, CLASSIFY_START = 10, CLASSIFY_WARMUP = 1, CLASSIFY_LEAPFROGS = 3 };
#else
enum { CLASSIFY_CHAINS = 6, CLASSIFY_START = 100, CLASSIFY_WARMUP = 6, CLASSIFY_LEAPFROGS = 30 };
#endif

/* The classifier of a small board: few chains of few neurons, one draw each. Grey levels are in units where the prior
 * makes sense, so that the pictures are read where they lie, in flash. */
static inline int32_t configure_classify(lcc_bnn_options_f32 *o)
{
    const int32_t status = lcc_bnn_options_default_f32(o);
    o->widths[0] = 4;
    o->output = LCC_OUTPUT_BERNOULLI;
    o->standardise = 0;
    o->chains = CLASSIFY_CHAINS;
    o->lanes = 1;
    o->start_steps = CLASSIFY_START; // 14 of 100 are taken: three rows of the rarer class for each input are few
    o->warmup = CLASSIFY_WARMUP;
    o->draws = 1;
    o->keep = 1;
    o->leapfrogs = CLASSIFY_LEAPFROGS;
    o->trace_rows = 0;
    return status;
}

static inline lcc_data_f32 train_digits(void)
{
    const lcc_data_f32 data = {digits_train_x, digits_train_y, DIGITS_TRAIN, DIGITS_PIXELS, DIGITS_PIXELS, 1};
    return data;
}

/* A learner that follows a stream from the draws of a model. */
static inline int32_t configure_stream(lcc_stream_options_f32 *o)
{
    const int32_t status = lcc_stream_options_default_f32(o);
    o->draws = 8;
    o->lanes = 1;
    return status;
}

/* The other way: a window of the last rows, refitted from the draws of the last refit, four transitions a row. The
 * twelve transitions of one refit share a snapshot of the window. */
enum { WINDOW_ROWS = 60, WINDOW_FEWEST = 20, WINDOW_LEAPFROGS = 4, WINDOW_TRANSITIONS = 4 };

static inline int32_t configure_window(lcc_network_options_f32 *o)
{
    const int32_t status = configure_fit(o);
    o->neurons = 10;
    o->warmup = 4;
    o->draws = 8;
    o->keep = 8;
    o->starts = 0;
    o->leapfrogs = WINDOW_LEAPFROGS;
    o->early_leapfrogs = WINDOW_LEAPFROGS;
    return status;
}

/* One neuron's posterior (Greedy Bayes): residuals at 40 points of the plane. */
enum { SAMPLE_ROWS = 40, SAMPLE_INPUTS = 2, SAMPLE_CHAINS = 2, SAMPLE_DRAWS = 150 };

static inline int32_t configure_sample(lcc_problem_f32 *p, lcc_sampler_options_f32 *o, int32_t method)
{
    const int32_t status = lcc_problem_default_f32(p, SAMPLE_ROWS);
    p->alpha = 1.0f;
    if (status != LCC_OK) {
        return status;
    }
    if (lcc_sampler_options_default_f32(o) != LCC_OK) {
        return LCC_ERROR_NULL;
    }
    o->method = method;
    o->chains = SAMPLE_CHAINS;
    o->lanes = 1;
    o->warmup = 100;
    o->draws = SAMPLE_DRAWS;
    o->stored = SAMPLE_DRAWS;
    return LCC_OK;
}

static inline void sample_rows(float *x, float *y)
{
    int i;
    for (i = 0; i < SAMPLE_ROWS; i++) {
        x[2 * i] = (float)(i * 7 % 11) / 8.0f - 0.625f;
        x[2 * i + 1] = (float)(i * 5 % 13) / 8.0f - 0.75f;
        y[i] = (float)(i * 3 % 7) / 4.0f - 0.75f + x[2 * i];
    }
}

#endif
