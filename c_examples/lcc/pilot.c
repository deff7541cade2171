#include "pilot.h"

#include "model.h"
#include "platform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows dealt into folds, and where those of a fold lie. */
typedef struct {
    uint32_t *fold;
    size_t *places;
    uint32_t folds; /* 0: rows are too few */
} deal;

static void deal_free(deal *d)
{
    free(d->fold);
    free(d->places);
}

static int deal_make(deal *d, const network_settings *shared, const bnn_settings *own, const dataset *train)
{
    d->folds = 0;
    d->fold = allocate(train->n, sizeof *d->fold);
    d->places = allocate(train->n, sizeof *d->places);
    return d->fold == NULL || d->places == NULL ? EXIT_FAILED
                                                : bnn_folds(shared, own, train, d->fold, &d->folds);
}

/* The rows of a fold, or all others that take part. */
static int deal_rows(deal *d, const dataset *train, uint32_t fold, int held, dataset *rows)
{
    size_t count = 0;
    size_t i;
    for (i = 0; i < train->n; i++) {
        if (d->fold[i] != LCC_NO_FOLD && (d->fold[i] == fold) == held) {
            d->places[count++] = i;
        }
    }
    return dataset_rows(rows, train, d->places, count);
}

/* A candidate fitted to the other folds, and the rows of this one: d->places says which they are. 1 in *interrupted where
 * the run was stopped before. */
static int fold_run(const network_settings *shared, const bnn_settings *own, const dataset *train,
                    deal *d, uint32_t candidate, uint32_t fold, network_fit *fit, dataset *held, int *interrupted)
{
    network_settings s = *shared;
    bnn_settings settings = *own;
    dataset rest;
    int code;
    memset(&rest, 0, sizeof rest);
    memset(&settings.file, 0, sizeof settings.file);
    settings.pilot = candidate + 1;
    settings.piloted = train;
    settings.until = 0.0;
    code = deal_rows(d, train, fold, 0, &rest);
    THEN(code, bnn_settle(&s, &settings, &rest));
    THEN(code, bnn_run(&s, &settings, &rest, fit));
    THEN(code, deal_rows(d, train, fold, 1, held));
    *interrupted = code == 0 && fit->was_interrupted;
    dataset_free(&rest);
    return code;
}

/* What all folds of a candidate say of their rows, by `tell`, which finds them at the places. */
static int folds_run(const network_settings *shared, const bnn_settings *own, const dataset *train,
                     deal *d, uint32_t candidate,
                     int (*tell)(const network_fit *fit, const dataset *held, const size_t *places, void *out),
                     void *out, int *interrupted)
{
    progress_window whole = progress_whole();
    uint32_t fold;
    int code = 0;
    for (fold = 0; fold < d->folds && code == 0 && !*interrupted; fold++) {
        network_fit fit;
        dataset held;
        memset(&fit, 0, sizeof fit);
        memset(&held, 0, sizeof held);
        progress_part(&whole, (double)fold / d->folds, (fold + 1.0) / d->folds);
        code = fold_run(shared, own, train, d, candidate, fold, &fit, &held, interrupted);
        if (code == 0 && !*interrupted) {
            code = tell(&fit, &held, d->places, out);
        }
        network_free(&fit);
        dataset_free(&held);
    }
    return code;
}

static int tell_scores(const network_fit *fit, const dataset *held, const size_t *places, void *out)
{
    double *scores = allocate(held->n, sizeof *scores);
    size_t i;
    int code = scores == NULL ? EXIT_FAILED : model_log_scores(fit->model, fit->model_bytes, held, scores);
    for (i = 0; code == 0 && i < held->n; i++) {
        ((double *)out)[places[i]] = scores[i];
    }
    free(scores);
    return code;
}

int pilot_choose(const network_settings *shared, const bnn_settings *own, const dataset *train,
                 pilot_choice *out)
{
    enum { CANDIDATES = 8 };
    int32_t outputs[CANDIDATES];
    lcc_bnn_choice_f64 choice;
    double *own_scores = allocate(train->n, sizeof *own_scores);
    double *scores = NULL;
    double *y = NULL;
    progress_window whole = progress_whole();
    uint32_t count = 0;
    uint32_t k;
    size_t rows = 0;
    size_t i;
    int interrupted = 0;
    deal d;
    int code = deal_make(&d, shared, own, train);
    memset(out, 0, sizeof *out);
    out->output = own->output;
    while (code == 0 && count < CANDIDATES && bnn_candidate(shared, own, train, count, &outputs[count])) {
        count++;
    }
    for (i = 0; code == 0 && i < train->n; i++) {
        rows += d.fold[i] != LCC_NO_FOLD;
    }
    if (count == 1) {
        out->output = outputs[0];
    }
    if (code == 0 && d.folds > 0 && count > 1) {
        scores = allocate(count * rows, sizeof *scores);
        y = allocate(rows, sizeof *y);
        code = scores == NULL || y == NULL || own_scores == NULL ? EXIT_FAILED : 0;
        for (k = 0; k < count && code == 0 && !interrupted; k++) {
            size_t row = 0;
            progress_part(&whole, (double)k / count, (k + 1.0) / count);
            code = folds_run(shared, own, train, &d, k, tell_scores, own_scores, &interrupted);
            for (i = 0; i < train->n; i++) {
                if (d.fold[i] != LCC_NO_FOLD) {
                    y[row] = train->y[i];
                    scores[k * rows + row++] = own_scores[i];
                }
            }
        }
        if (code == 0 && !interrupted) {
            code = checked("the choice of the output", lcc_bnn_choose_f64(y, rows, scores, count, &choice));
            if (code == 0) {
                out->output = outputs[choice.candidate];
                out->ahead = choice.ahead;
                out->error = choice.error;
                out->rows = choice.rows;
            }
        }
        progress_part(&whole, 0.0, 1.0);
    }
    free(y);
    free(scores);
    free(own_scores);
    deal_free(&d);
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

double pilot_share(const network_settings *s, const bnn_settings *own)
{
    /* What the library has of folds and chains, about: it is the pace of a bar. */
    const double folds = 2.0;
    double fit = (double)s->chains / threads_wanted(s->threads) * (own->start + ((double)s->warmup + s->draws) * own->leapfrogs);
    double chains = fmin(s->chains, 24.0);
    double pilot = chains * (own->start + (fmin(s->warmup, 10.0) + s->draws) * own->leapfrogs);
    return fit / (fit + (folds - 1.0) * pilot);
}

static int tell_classes(const network_fit *fit, const dataset *held, const size_t *places, void *out)
{
    predictions said;
    size_t i;
    int code;
    memset(&said, 0, sizeof said);
    code = model_predict(fit->model, fit->model_bytes, held, 0.9, &said);
    for (i = 0; code == 0 && i < held->n; i++) {
        memcpy((double *)out + places[i] * said.classes, said.probability + i * said.classes,
               said.classes * sizeof *said.probability);
    }
    predictions_free(&said);
    return code;
}

int pilot_calibrate(const network_settings *shared, const bnn_settings *own, const dataset *train,
                    network_fit *fit)
{
    size_t classes = own->output == LCC_OUTPUT_BERNOULLI ? 2 : own->categories;
    double *probabilities;
    double started = seconds_now();
    double temperature = 1.0;
    int interrupted = 0;
    deal d;
    int code;
    if (fit->model == NULL || fit->was_interrupted) {
        return 0;
    }
    code = deal_make(&d, shared, own, train);
    probabilities = allocate(train->n * classes, sizeof *probabilities);
    THEN(code, probabilities == NULL ? EXIT_FAILED : 0);
    if (code == 0 && d.folds > 0) {
        code = folds_run(shared, own, train, &d, 0, tell_classes, probabilities, &interrupted);
        if (interrupted) {
            warn("stopped before the probabilities were calibrated: they are those of temperature 1");
        } else {
            THEN(code, checked("the temperature", lcc_temperature_f64(probabilities, train->n, classes,
                                                                      train->y, &temperature)));
            THEN(code, temper(fit, temperature));
        }
    }
    fit->seconds += seconds_now() - started;
    free(probabilities);
    deal_free(&d);
    return code;
}
