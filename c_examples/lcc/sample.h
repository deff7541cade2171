/* lcc sample: draws from one posterior and reports expectations. */
#ifndef SAMPLE_H
#define SAMPLE_H

#include "checkpoint.h"
#include "dataset.h"
#include "ladder.h"
#include "online.h"
#include "problem.h"

#include <lcc.h>

#include <stdio.h>

/* What the methods on xi take; 0 (of burn_in UINT32_MAX): not given, the library's. */
typedef struct {
    uint32_t inner;
    uint32_t burn_in;
    uint32_t levels;
    int fresh;
    double langevin_step;
    double diffusion_time;
} coupled_settings;

typedef struct {
    problem_settings problem; /* its chains are, of auto, pairs of chains */
    const char *reason;       /* why this sampler, unless it chooses for itself */
    int32_t inner_method;
    coupled_settings coupled;
    uint32_t particles;
    uint32_t moves;
    int32_t reference; /* smc and chains: an LCC_REFERENCE_ code */
    int antithetic;    /* every chain has a partner */
    ladder ladder;
    uint32_t threads;
    checkpoint_file *checkpoint;
} sample_settings;

typedef struct {
    int digits;
    size_t dim;
    size_t queries;
    const char *sampler; /* the name of what was run: of auto, what it chose */
    char reason[512];
    size_t chains;
    size_t draws; /* of each chain, really drawn */
    double *expectation;
    double *mcse;
    double *mean;
    double *variance;
    double rhat_max;
    double ess_bulk_min;
    double ess_tail_min;
    double acceptance;
    uint64_t gradients;
    uint64_t divergences;
    /* Of smc, tempering and auto; NaN and none elsewhere. */
    double log_evidence;
    double log_evidence_error;
    double *temperatures;
    size_t stages;
    online_run online; /* smc over rows; without rows elsewhere */
    uint64_t families; /* smc */
    int unreliable;    /* auto: nothing mixes */
    uint32_t restarts; /* tempering, of the chain that has fewest */
    double swap;       /* tempering, the least mean acceptance of all pairs */
    double seconds_warmup;
    double seconds_sampling;
    int was_interrupted;
} sample_result;

/* One run. Fills the result (free with sample_result_free) and, unless `draws` is
 * NULL, one file of draws a chain. 0 or an exit code after a message. */
int sample_run_f64(const sample_settings *settings, const dataset *data, const dataset *queries,
                   FILE **draws, sample_result *result);
int sample_run_f32(const sample_settings *settings, const dataset *data, const dataset *queries,
                   FILE **draws, sample_result *result);

int sample_result_reserve(sample_result *result, size_t dim, size_t queries);
void sample_result_free(sample_result *result);

#endif
