/* Fitting Greedy Bayes through the library: in one batch, or prequentially, row by row, each predicted
 * before it is seen. */
#ifndef GREEDY_H
#define GREEDY_H

#include "json.h"
#include "network.h"
#include "predictions.h"

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
    int as_printed; /* data as they are, no bias, one alpha; alpha and beta 1/sqrt(n) unless given */
    int32_t update; /* relaxed: an LCC_RELAXED_ code */
    int single; /* f32 */
    int quiet;
} greedy_settings;

/* The values of lcc fit where no flag says otherwise: those of the library; levels, alpha and beta, which have
 * others in the prequential form, are 0 until the method is known. */
void greedy_defaults(greedy_settings *settings);
void greedy_complete(greedy_settings *settings, int prequential);

/* The same of greedy least squares. 0 or EXIT_FAILED. */
int relaxed_complete(greedy_settings *settings);

/* What they leave to be known with the rows. */
void greedy_of_rows(greedy_settings *settings, size_t n);

/* Fits. 0 or an exit code after a message. Free with network_free. */
int greedy_run(const greedy_settings *settings, const dataset *train, network_fit *fit);

/* The members of a report's "parameters". */
void greedy_write_parameters(json_writer *json, const greedy_settings *settings, int prequential);

/* The last level of greedy least squares, in the neurons' units. */
typedef struct {
    double error;
    double bound;
    double gap;
    double variation;
} relaxed_level;

/* Fits. 0 or an exit code after a message. Free with network_free. */
int relaxed_run(const greedy_settings *settings, const dataset *train, network_fit *fit,
                relaxed_level *last);

/* The members of a report's "parameters", its object "relaxed", and the same in words. */
void relaxed_write_parameters(json_writer *json, const greedy_settings *settings, const char *update);
void relaxed_write(json_writer *json, const relaxed_level *last);
void relaxed_print(const relaxed_level *last, uint32_t levels);

/* What the forecasts came to. */
typedef struct {
    predictions ahead; /* of every row, from those before it; scored */
    double squared;    /* the cumulative losses: squared, and minus log density */
    double log;
    /* The best network in hindsight: as many neurons of the same dictionary, fitted to all rows by orthogonal
     * matching pursuit. Its cumulative losses, the log one under the Gaussian noise that suits it best. */
    double best_squared;
    double best_log;
} prequential_losses;

/* Fits. The values of `settings` are those of greedy, averaging an LCC_AVERAGING_ code. 0 or an exit code
 * after a message. Free with network_free and prequential_free. */
int prequential_run(const greedy_settings *settings, int32_t averaging, double interval,
                    const dataset *train, network_fit *fit, prequential_losses *losses);
void prequential_free(prequential_losses *losses);

/* The object "prequential" of a report. */
void prequential_write(json_writer *json, const prequential_losses *losses, const double *y);

/* The same in words. */
void prequential_print(const prequential_losses *losses, const double *y);

#endif
