/* The flags of lcc fit. */
#ifndef FIT_FLAGS_H
#define FIT_FLAGS_H

#include "bnn.h"
#include "choose.h"
#include "greedy.h"
#include "network.h"
#include "stream.h"

enum { METHOD_BNN, METHOD_NETWORK, METHOD_GREEDY, METHOD_PREQUENTIAL, METHOD_RELAXED };
enum { MISSING_REFUSE, MISSING_MEAN, MISSING_DROP };

typedef struct {
    const char *data;
    const char *target;
    const char *method;
    const char *test;
    const char *split;
    const char *precision;
    const char *model;
    const char *c_array;
    const char *predictions;
    const char *plot;
    const char *draws_csv;
    const char *log_lik;
    const char *curve; /* the plot of --learning-curve */
    double trained_share; /* of the rows that train; 1: all */
    const char *stream;
    const char *stream_model;
    const char *json;
    const char *categorical;
    const char *output;
    const char *exposure;
    uint32_t components; /* of a mixture; 0: not given */
    const char *delimiter;
    const char *drop;
    const char *only;
    uint32_t folds;    /* of --cv; 0: none */
    uint32_t repeats;
    double test_share; /* 0: not given */
    double time;       /* seconds of --time; 0: none */
    double began;      /* of seconds_now */
    int precision_given;
    const char *missing_name;
    const char *unknown_name;
    double interval;
    int train_500;
    char *split_file;
    unsigned long split_index;
    const char *activation;
    const char *prior;
    const char *form;
    const char *averaging;
    const char *update;
    const char *choose_levels;
    const char *choose_outer;
    choice choice;
    network_settings network; /* what the methods share is here too */
    bnn_settings bnn;
    greedy_settings greedy;
    stream_settings following;
    int32_t averages; /* LCC_AVERAGING_ */
    int32_t kind;     /* METHOD_ */
    int32_t missing;  /* MISSING_ */
    int unknown_mean; /* what predict has too */
    int no_calibration;
} fit_flags;

/* Every method of lcc fit, NULL at the end. */
extern const char *const fit_methods[];

/* In double precision, where single would lose data and nobody asked for it. */
void fit_flags_double(fit_flags *flags);

/* The flags as given, and defaults where not. 0 or EXIT_USAGE after a message. Free with fit_flags_free. */
int fit_flags_read(fit_flags *flags, int argc, char **argv);
void fit_flags_free(fit_flags *flags);

#endif
