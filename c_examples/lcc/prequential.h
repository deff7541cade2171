/* Fitting prequential Greedy Bayes through the library: row by row, each foretold before it is seen. */
#ifndef PREQUENTIAL_H
#define PREQUENTIAL_H

#include "greedy.h"
#include "predictions.h"

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
