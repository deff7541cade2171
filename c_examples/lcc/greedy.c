#include "greedy.h"

#include "cli.h"
#include "model.h"
#include "platform.h"
#include "view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void greedy_defaults(greedy_settings *settings)
{
    lcc_greedy_options_f64 options;
    memset(settings, 0, sizeof *settings);
    if (lcc_greedy_options_default_f64(&options) < 0) {
        return;
    }
    settings->particles = options.particles;
    settings->keep = options.keep;
    settings->seed = options.seed;
    settings->holdout = options.holdout;
}

void greedy_complete(greedy_settings *settings, int prequential)
{
    lcc_greedy_options_f64 batch;
    lcc_prequential_options_f64 online;
    if (lcc_greedy_options_default_f64(&batch) < 0 ||
        lcc_prequential_options_default_f64(&online) < 0) {
        return;
    }
    if (settings->levels == 0) {
        settings->levels = prequential ? online.levels : batch.levels;
    }
    settings->scale = settings->scale == 0.0 ? batch.scale : settings->scale;
    settings->outer = settings->outer == 0.0 ? batch.outer : settings->outer;
    if (settings->as_printed) {
        return;
    }
    if (settings->alpha == 0.0) {
        settings->alpha = prequential ? online.alpha : batch.alpha;
    }
    if (settings->beta == 0.0) {
        settings->beta = prequential ? online.beta : batch.beta;
    }
}

int relaxed_complete(greedy_settings *settings)
{
    lcc_relaxed_options_f64 options;
    int code = checked("relaxed", lcc_relaxed_options_default_f64(&options));
    settings->levels = settings->levels == 0 ? options.levels : settings->levels;
    settings->scale = settings->scale == 0.0 ? options.radius : settings->scale;
    settings->outer = settings->outer == 0.0 ? options.outer : settings->outer;
    return code;
}

void greedy_of_rows(greedy_settings *settings, size_t n)
{
    double root = 1.0 / sqrt((double)n);
    settings->alpha = settings->alpha == 0.0 ? root : settings->alpha;
    settings->beta = settings->beta == 0.0 ? root : settings->beta;
}

void relaxed_write_parameters(json_writer *json, const greedy_settings *settings, const char *update)
{
    json_count(json, "levels", settings->levels);
    json_text(json, "activation", lcc_activation_name(settings->activation));
    json_text(json, "update", update);
    json_number(json, "scale", settings->scale);
    json_number(json, "outer", settings->outer);
    json_count(json, "as_printed", (uint64_t)settings->as_printed);
}

void relaxed_write(json_writer *json, const relaxed_level *last)
{
    json_object(json, "relaxed");
    json_number(json, "error", last->error);
    json_number(json, "bound", last->bound);
    json_number(json, "gap", last->gap);
    json_number(json, "variation", last->variation);
    json_object_end(json);
}

void relaxed_print(const relaxed_level *last, uint32_t levels)
{
    printf("fit         mean squared error %.6g in units of the neurons; some average of %lu neurons is "
           "within %.6g of the best of the hull; variation %.6g\n",
           last->error, (unsigned long)levels, last->bound, last->variation);
}

void greedy_write_parameters(json_writer *json, const greedy_settings *settings, int prequential)
{
    json_count(json, "levels", settings->levels);
    json_count(json, "particles", settings->particles);
    json_text(json, "activation", lcc_activation_name(settings->activation));
    json_text(json, "prior", settings->prior == LCC_PRIOR_L1_BALL ? "l1" : "gaussian");
    json_number(json, "scale", settings->scale);
    json_number(json, "outer", settings->outer);
    json_number(json, "alpha", settings->alpha);
    json_number(json, "beta", settings->beta);
    json_text(json, "form", settings->form == LCC_GREEDY_TILT ? "tilt" : "quadratic");
    json_count(json, "either_sign", (uint64_t)settings->either_sign);
    json_count(json, "as_printed", (uint64_t)settings->as_printed);
    if (!prequential) {
        json_count(json, "refit", (uint64_t)!settings->no_refit);
        json_number(json, "holdout", settings->holdout);
    }
}

#define IMPL "greedy_impl.inc"
#include "both.inc"

int greedy_run(const greedy_settings *settings, const dataset *train, network_fit *fit)
{
    int code;
    memset(fit, 0, sizeof *fit);
    fit->rhat_max = NAN;
    fit->ess_bulk_min = NAN;
    code = settings->single ? greedy_run_f32(settings, train, fit)
                            : greedy_run_f64(settings, train, fit);
    if (code != 0) {
        network_free(fit);
    }
    return code;
}

int relaxed_run(const greedy_settings *settings, const dataset *train, network_fit *fit,
                relaxed_level *last)
{
    int code;
    memset(fit, 0, sizeof *fit);
    memset(last, 0, sizeof *last);
    fit->rhat_max = NAN;
    fit->ess_bulk_min = NAN;
    fit->acceptance = NAN;
    code = settings->single ? relaxed_run_f32(settings, train, fit, last)
                            : relaxed_run_f64(settings, train, fit, last);
    if (code != 0) {
        network_free(fit);
    }
    return code;
}

int prequential_run(const greedy_settings *settings, int32_t averaging, double interval,
                    const dataset *train, network_fit *fit, prequential_losses *losses)
{
    int code;
    memset(fit, 0, sizeof *fit);
    memset(losses, 0, sizeof *losses);
    fit->rhat_max = NAN;
    fit->ess_bulk_min = NAN;
    code = predictions_reserve(&losses->ahead, train->n, 1);
    if (code == 0) {
        losses->ahead.level = interval;
        code = settings->single ? prequential_run_f32(settings, averaging, train, fit, losses)
                                : prequential_run_f64(settings, averaging, train, fit, losses);
    }
    if (code != 0) {
        network_free(fit);
        prequential_free(losses);
    }
    return code;
}

void prequential_free(prequential_losses *losses)
{
    predictions_free(&losses->ahead);
}

void prequential_write(json_writer *json, const prequential_losses *losses, const double *y)
{
    evaluation e = predictions_evaluate(&losses->ahead, y);
    json_object(json, "prequential");
    json_count(json, "n", e.n);
    evaluation_write(json, &e, 1);
    json_number(json, "squared_loss", losses->squared);
    json_number(json, "log_loss", losses->log);
    json_number(json, "best_squared_loss", losses->best_squared);
    json_number(json, "best_log_loss", losses->best_log);
    json_number(json, "squared_regret", losses->squared - losses->best_squared);
    json_number(json, "log_regret", losses->log - losses->best_log);
    json_object_end(json);
}

void prequential_print(const prequential_losses *losses, const double *y)
{
    evaluation e = predictions_evaluate(&losses->ahead, y);
    evaluation_print("one ahead   ", &e, losses->ahead.level);
    printf("losses      %.6g squared, %.2f nats; the best network in hindsight %.6g, %.2f: regret "
           "%.6g, %.2f\n",
           losses->squared, losses->log, losses->best_squared, losses->best_log,
           losses->squared - losses->best_squared, losses->log - losses->best_log);
}
