#include "calibrate.h"

#include "model.h"
#include "platform.h"

#include <stdlib.h>
#include <string.h>

/* Fewer chains and shorter warm-ups than the fit's: what counts is how far apart networks are that fit as well. */
enum { FOLDS = 4, CHAINS = 8, WARMUP = 10, FEWEST_ROWS = 40 };

/* The rows of a fold, or all others, into a data set and their places. */
static int rows_of(const dataset *train, size_t fold, int held, size_t *places, dataset *rows)
{
    size_t count = 0;
    size_t i;
    for (i = 0; i < train->n; i++) {
        if ((i % FOLDS == fold) == held) {
            places[count++] = i;
        }
    }
    return dataset_rows(rows, train, places, count);
}

/* Probabilities of the rows of a fold by a network fitted to the others. */
static int fold_run(const network_settings *shared, const bnn_settings *own, const dataset *train,
                    size_t fold, size_t *places, double *probabilities, int *interrupted)
{
    network_settings s = *shared;
    bnn_settings settings = *own;
    dataset rest;
    dataset held;
    network_fit fit;
    predictions said;
    size_t i;
    int code;
    memset(&rest, 0, sizeof rest);
    memset(&held, 0, sizeof held);
    memset(&fit, 0, sizeof fit);
    memset(&said, 0, sizeof said);
    memset(&settings.file, 0, sizeof settings.file);
    s.chains = s.chains < CHAINS ? s.chains : CHAINS;
    s.warmup = s.warmup < WARMUP ? s.warmup : WARMUP;
    s.keep = s.draws; /* as many networks as the model averages, or more */
    code = rows_of(train, fold, 0, places, &rest);
    THEN(code, bnn_run(&s, &settings, &rest, &fit));
    THEN(code, rows_of(train, fold, 1, places, &held));
    *interrupted = code == 0 && fit.was_interrupted;
    if (code == 0 && !*interrupted) {
        code = model_predict(fit.model, fit.model_bytes, &held, 0.9, &said);
        for (i = 0; code == 0 && i < held.n; i++) {
            memcpy(probabilities + places[i] * said.classes, said.probability + i * said.classes,
                   said.classes * sizeof *probabilities);
        }
    }
    predictions_free(&said);
    network_free(&fit);
    dataset_free(&held);
    dataset_free(&rest);
    return code;
}

static int temper(network_fit *fit, double temperature)
{
    size_t written = 0;
    unsigned char *copy = allocate(fit->model_bytes, 1);
    int code = copy == NULL ? EXIT_FAILED
                            : checked("the model", lcc_model_temper(fit->model, fit->model_bytes,
                                                                    temperature, copy,
                                                                    fit->model_bytes, &written));
    if (code != 0) {
        free(copy);
        return code;
    }
    free(fit->model);
    fit->model = copy;
    fit->temperature = temperature;
    return 0;
}

double calibrate_share(const network_settings *s, const bnn_settings *own)
{
    double chains = s->chains < CHAINS ? s->chains : CHAINS;
    double warmup = s->warmup < WARMUP ? s->warmup : WARMUP;
    double fit = (double)s->chains / threads_wanted(s->threads) * (own->start + ((double)s->warmup + s->draws) * own->leapfrogs);
    return fit / (fit + (FOLDS - 1.0) * chains * (own->start + (warmup + s->draws) * own->leapfrogs));
}

int calibrate_run(const network_settings *shared, const bnn_settings *own, const dataset *train,
                  network_fit *fit)
{
    size_t classes = own->output == LCC_OUTPUT_BERNOULLI ? 2 : own->categories;
    size_t *places;
    double *probabilities;
    double started = seconds_now();
    double temperature = 1.0;
    progress_window whole = progress_whole();
    int interrupted = 0;
    size_t fold;
    int code;
    if (train->n < FEWEST_ROWS || fit->model == NULL || fit->was_interrupted) {
        return 0;
    }
    places = allocate(train->n, sizeof *places);
    probabilities = allocate(train->n * classes, sizeof *probabilities);
    code = places == NULL || probabilities == NULL ? EXIT_FAILED : 0;
    for (fold = 0; fold < FOLDS && code == 0 && !interrupted; fold++) {
        progress_part(&whole, (double)fold / FOLDS, ((double)fold + 1.0) / FOLDS);
        code = fold_run(shared, own, train, fold, places, probabilities, &interrupted);
    }
    if (interrupted) {
        warn("stopped before the probabilities were calibrated: they are those of temperature 1");
    } else {
        THEN(code, checked("the temperature", lcc_temperature_f64(probabilities, train->n, classes,
                                                                  train->y, &temperature)));
        THEN(code, temper(fit, temperature));
    }
    fit->seconds += seconds_now() - started;
    free(probabilities);
    free(places);
    return code;
}
