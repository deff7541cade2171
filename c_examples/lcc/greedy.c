#include "greedy.h"

#include "cli.h"
#include "image.h"
#include "platform.h"
#include "stepping.h"
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
