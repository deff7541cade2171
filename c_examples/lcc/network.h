/* Fitting the network regressor through the library. */
#ifndef NETWORK_H
#define NETWORK_H

#include "dataset.h"
#include "stepping.h"

#include <lcc.h>

#include <stdio.h>

typedef struct {
    uint32_t neurons;
    uint32_t chains;
    uint32_t warmup;
    uint32_t draws;
    uint32_t keep;
    uint64_t seed;
    uint32_t threads;
    int single; /* f32 */
    int quiet;
} network_settings;

typedef struct {
    int digits;
    unsigned char *model; /* the image, or NULL where the run was stopped too early */
    size_t model_bytes;
    unsigned char *point; /* of many short chains: the best start, a model of one draw */
    size_t point_bytes;
    size_t workspace_bytes;
    double rhat_max;
    double ess_bulk_min;
    double acceptance;
    double luck; /* many short chains: what another seed would change, in predictive sd */
    double luck_median;
    double log_joint; /* at a mode, of methods that climb to one */
    double log_evidence;
    double distance; /* from it, in posterior sds */
    double error;    /* the Monte Carlo error of log_evidence */
    double steps;    /* to it; of chains of part of the rows the length of one */
    double tempered_at; /* of such chains: T, and what is known of their changes of the loss */
    double variance;
    double variance_limit; /* above which it is too large */
    double skewness;
    double kurtosis;
    double temperature; /* of probabilities of classes; 0: not calibrated */
    uint32_t chains_used;
    uint32_t chains_dropped;
    uint64_t divergences;
    uint64_t gradients;
    uint32_t levels_used; /* greedy */
    double seconds;
    int was_interrupted;
} network_fit;

/* The values of lcc fit where no flag says otherwise. */
void network_defaults(network_settings *settings);

/* Fits and, unless `draws` is NULL, fills one file of draws a chain. 0 or an exit code after a message.
 * Free with network_free. */
int network_run(const network_settings *settings, const dataset *train, FILE **draws,
                network_fit *fit);
void network_free(network_fit *fit);

/* What a run of so much memory has cost. */
void fit_note(network_fit *fit, const stepping *steps, size_t bytes);

#endif
