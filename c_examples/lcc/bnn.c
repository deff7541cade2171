#include "bnn.h"

#include "args.h"
#include "model.h"
#include "platform.h"
#include "view.h"

#include <inttypes.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void bnn_defaults(network_settings *shared, bnn_settings *own)
{
    memset(own, 0, sizeof *own);
    network_defaults(shared);
    shared->chains = 0;
    shared->warmup = WARMUP_NOT_GIVEN;
    shared->draws = 0;
    shared->keep = 0;
    own->layers = "20";
    own->widths[0] = 20;
    own->activation = LCC_ACTIVATION_TANH;
    own->output = LCC_OUTPUT_STUDENT_T;
}

int bnn_is_point(int32_t method)
{
    return method == LCC_INFERENCE_MAP || method == LCC_INFERENCE_MAXIMUM_LIKELIHOOD ||
           method == LCC_INFERENCE_ENSEMBLE;
}

int bnn_climbs(int32_t method)
{
    return !bnn_samples(method) && method != LCC_INFERENCE_DROPOUT &&
           method != LCC_INFERENCE_ENSEMBLE;
}

int bnn_walks(int32_t method)
{
    return method >= LCC_INFERENCE_TEMPERED && method <= LCC_INFERENCE_PENALTY;
}

int bnn_samples(int32_t method)
{
    return method == LCC_INFERENCE_CHAINS || bnn_walks(method);
}

int bnn_fits(int32_t method)
{
    return (method >= LCC_INFERENCE_VARIATIONAL && method <= LCC_INFERENCE_BACKPROP) ||
           method == LCC_INFERENCE_SWAG;
}

int bnn_linearises(const bnn_settings *own)
{
    return !own->sampled && own->widths[0] > 0 &&
           (own->method == LCC_INFERENCE_LAPLACE || own->method == LCC_INFERENCE_LAPLACE_DIAGONAL);
}

int bnn_layers(const char *given, uint32_t widths[4])
{
    enum { WIDEST = 1000000 };
    const char *at = given;
    size_t k;
    memset(widths, 0, 4 * sizeof *widths);
    for (k = 0; k < 4 && at != NULL; k++) {
        size_t length = strcspn(at, ",");
        double value = -1.0;
        if (!args_number(at, length, &value) || value < 0.0 || value > WIDEST ||
            value != (double)(uint32_t)value || (value < 1.0 && strcmp(given, "0") != 0)) {
            return wrong_usage("--layers takes up to four numbers of units, as 20 or 50,50, or 0, "
                               "not \"%s\"",
                               given);
        }
        widths[k] = (uint32_t)value;
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    return at == NULL ? 0 : wrong_usage("--layers takes four layers at most, not \"%s\"", given);
}

#define IMPL "bnn_impl.inc"
#include "both.inc"

/* Everything that decides the draws, one line each: a checkpoint belongs to these. The rows count too. */
static void describe(const network_settings *s, bnn_settings *own, const dataset *train)
{
    (void)snprintf(own->file.settings, sizeof own->file.settings,
                   "command fit\nmethod %" PRId32 "\nprecision %s\nrows %lu of %lu, %016" PRIx64
                   "\nlayers %s\nactivation %" PRId32 "\noutput %" PRId32 "\ncategories %" PRIu32
                   "\nexposure %" PRIu32 "\nchains %" PRIu32 "\nstart %" PRIu32
                   "\nbatch %" PRIu32 "\nascent %" PRIu32 "\ndropout %.17g\nwarmup %" PRIu32
                   "\ndraws %" PRIu32 "\nkeep %" PRIu32 "\nleapfrogs %" PRIu32 "\nseed %" PRIu64
                   "\n%s%.1000s%s",
                   own->method, s->single ? "f32" : "f64", (unsigned long)train->n, (unsigned long)train->d,
                   dataset_checksum(train), own->layers, own->activation, own->output, own->categories, own->exposure,
                   s->chains, own->start, own->batch, own->ascent, own->dropout, s->warmup, s->draws, s->keep, own->leapfrogs, s->seed,
                   own->members == NULL ? "" : "network ", own->members == NULL ? "" : own->members,
                   own->members == NULL ? "" : "\n");
}

int bnn_settle(network_settings *shared, bnn_settings *own, const dataset *train)
{
    return shared->single ? bnn_complete_f32(shared, own, train)
                          : bnn_complete_f64(shared, own, train);
}

int bnn_folds(const network_settings *shared, const bnn_settings *own, const dataset *train, uint32_t *fold,
              uint32_t *folds)
{
    return shared->single ? bnn_folds_f32(shared, own, train, fold, folds)
                          : bnn_folds_f64(shared, own, train, fold, folds);
}

int bnn_candidate(const network_settings *shared, const bnn_settings *own, const dataset *train, uint32_t k,
                  int32_t *output)
{
    bnn_settings s = *own;
    s.pilot = k + 1;
    s.piloted = train;
    return shared->single ? bnn_candidate_f32(shared, &s, output) : bnn_candidate_f64(shared, &s, output);
}

int bnn_run(network_settings *shared, bnn_settings *own, const dataset *train,
            network_fit *fit)
{
    int code;
    memset(fit, 0, sizeof *fit);
    describe(shared, own, train);
    code = shared->single ? bnn_run_f32(shared, own, train, fit)
                          : bnn_run_f64(shared, own, train, fit);
    if (code != 0) {
        network_free(fit);
    }
    return code;
}
