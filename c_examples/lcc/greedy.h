/* Fitting batch Greedy Bayes through the library. */
#ifndef GREEDY_H
#define GREEDY_H

#include "json.h"
#include "network.h"

typedef struct {
    uint32_t levels;
    uint32_t particles;
    uint32_t keep;
    uint64_t seed;
    int32_t activation;
    int32_t prior;
    int32_t form;
    double scale;
    double outer;
    double alpha;
    double beta;
    double holdout;
    int either_sign;
    int no_refit;
    int single; /* f32 */
    int quiet;
} greedy_settings;

/* The values of lcc fit where no flag says otherwise: those of the library; levels, alpha and beta, which have
 * others in the prequential form, are 0 until the method is known. */
void greedy_defaults(greedy_settings *settings);
void greedy_complete(greedy_settings *settings, int prequential);

/* Fits. 0 or an exit code after a message. Free with network_free. */
int greedy_run(const greedy_settings *settings, const dataset *train, network_fit *fit);

/* The members of a report's "parameters". */
void greedy_write_parameters(json_writer *json, const greedy_settings *settings, int prequential);

#endif
