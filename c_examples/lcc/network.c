#include "network.h"

#include "cmdstan.h"
#include "model.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

/* Predictions that the library records at every draw, at most. */
enum { TRACED_MOST = 256 };

void network_defaults(network_settings *settings)
{
    memset(settings, 0, sizeof *settings);
    settings->neurons = 20;
    settings->chains = 4;
    settings->warmup = 500;
    settings->draws = 500;
    settings->keep = 25;
    settings->seed = 1;
    settings->single = 1;
}

void network_free(network_fit *fit)
{
    free(fit->model);
    fit->model = NULL;
    free(fit->point);
    fit->point = NULL;
}

void fit_note(network_fit *fit, const stepping *steps, size_t bytes)
{
    fit->seconds = steps->seconds_warmup + steps->seconds_sampling;
    fit->gradients = steps->at.gradients;
    fit->workspace_bytes = bytes;
}

#define IMPL "network_impl.inc"
#include "both.inc"

int network_run(const network_settings *settings, const dataset *train, FILE **draws,
                network_fit *fit)
{
    int code;
    memset(fit, 0, sizeof *fit);
    code = settings->single ? network_run_f32(settings, train, draws, fit)
                            : network_run_f64(settings, train, draws, fit);
    if (code != 0) {
        network_free(fit);
    }
    return code;
}
