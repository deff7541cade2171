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
    settings->scale = options.scale;
    settings->outer = options.outer;
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
    if (settings->alpha == 0.0) {
        settings->alpha = prequential ? online.alpha : batch.alpha;
    }
    if (settings->beta == 0.0) {
        settings->beta = prequential ? online.beta : batch.beta;
    }
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
