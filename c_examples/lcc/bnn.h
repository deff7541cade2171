/* Fitting the Bayesian network through the library: many short chains. */
#ifndef BNN_H
#define BNN_H

#include "checkpoint.h"
#include "network.h"

/* Beside what network_settings has; 0 where the library is to choose, until bnn_settle. */
typedef struct {
    const char *layers; /* as given: A,B,... */
    char usual_layers[12];
    const char *members; /* as given: NAME=VALUE,... of lcc_bnn_options, or NULL */
    uint32_t widths[4];
    uint32_t leapfrogs;
    uint32_t start; /* steps of the optimisation */
    uint32_t ascent; /* steps of an ascent */
    uint32_t batch; /* rows of a step of the start; 0: all */
    uint32_t categories;
    uint32_t exposure;
    uint32_t pilot; /* 0: the fit itself; k + 1: a short fit of candidate k ... */
    const dataset *piloted; /* ... to these rows, or some of them */
    int sampled; /* of a Gaussian about a mode the networks of its draws, not the one linearised there */
    double dropout; /* 0: left to the library */
    int32_t method;     /* LCC_INFERENCE_ */
    int32_t output;     /* LCC_OUTPUT_ */
    int32_t activation; /* LCC_ACTIVATION_ */
    checkpoint_file file;
    double until; /* of seconds_now: chains are added, block by block, until there is no time for more; 0: as many as said */
    double later; /* what follows the chains, in times of a block */
    int whole;    /* trajectories and starts are not to be shortened for it */
} bnn_settings;

/* Not a number of trajectories of a warm-up. */
#define WARMUP_NOT_GIVEN UINT32_MAX

/* 20 tanh units, a real number, the rest left to the library. */
void bnn_defaults(network_settings *shared, bnn_settings *own);

/* Whether a chain of the method comes to one point, whether it climbs to a mode or fits a law, whether that is by
 * the evidence lower bound; whether it is a chain of part of the rows, whether a chain at all. */
int bnn_is_point(int32_t method);
int bnn_climbs(int32_t method);
int bnn_fits(int32_t method);
int bnn_walks(int32_t method);
int bnn_samples(int32_t method);

/* Whether the model is of the network linearised at the mode: of last-layer it is the same, without hidden layers too. */
int bnn_linearises(const bnn_settings *own);

/* Widths of up to four layers; 0 alone is none. 0, or EXIT_USAGE after a message. */
int bnn_layers(const char *given, uint32_t widths[4]);

/* Fills in what was left to the library, for so many rows and columns. 0 or an exit code after a message. */
int bnn_settle(network_settings *shared, bnn_settings *own, const dataset *train);

/* Deals the rows into folds for short fits; 0 folds where they are too few. 0 or an exit code after a message. */
int bnn_folds(const network_settings *shared, const bnn_settings *own, const dataset *train, uint32_t *fold,
              uint32_t *folds);

/* Whether there is a candidate k for the output of these rows, and which. */
int bnn_candidate(const network_settings *shared, const bnn_settings *own, const dataset *train, uint32_t k,
                  int32_t *output);

/* Fits. 0 or an exit code after a message. Free with network_free. By the clock it leaves the numbers of chains, steps
 * and leapfrogs in the settings that give the same bits without it. */
int bnn_run(network_settings *shared, bnn_settings *own, const dataset *train,
            network_fit *fit);

#endif
