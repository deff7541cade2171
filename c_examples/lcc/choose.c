#include "choose.h"

#include "args.h"
#include "cli.h"
#include "platform.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The numbers of a list, or one number where there is none. */
static int list(const char *option, const char *text, double own, double *out, size_t *count)
{
    const char *at = text;
    *count = 0;
    if (text == NULL) {
        out[(*count)++] = own;
        return 0;
    }
    for (;;) {
        size_t length = strcspn(at, ",");
        if (*count == MOST_CANDIDATES || !args_number(at, length, &out[*count]) ||
            !(out[*count] > 0.0)) {
            return wrong_usage("%s: \"%s\" is no list of at most %d numbers above 0", option, text,
                               (int)MOST_CANDIDATES);
        }
        (*count)++;
        if (at[length] == '\0') {
            return 0;
        }
        at += length + 1;
    }
}

int choose_parse(const char *levels, const char *outers, const greedy_settings *settings,
                 choice *out)
{
    double ks[MOST_CANDIDATES];
    double vs[MOST_CANDIDATES];
    size_t many_ks = 0;
    size_t many_vs = 0;
    size_t k;
    size_t v;
    int code;
    memset(out, 0, sizeof *out);
    if (levels == NULL && outers == NULL) {
        return 0;
    }
    code = list("--choose-levels", levels, settings->levels, ks, &many_ks);
    THEN(code, list("--choose-outer", outers, settings->outer, vs, &many_vs));
    if (code != 0) {
        return code;
    }
    if (many_ks * many_vs > MOST_CANDIDATES) {
        return wrong_usage("fit: more than %d candidates to choose from", (int)MOST_CANDIDATES);
    }
    for (k = 0; k < many_ks; k++) {
        if (ks[k] > 65535.0 || ks[k] != (double)(uint32_t)ks[k]) {
            return wrong_usage("--choose-levels: levels are whole numbers up to 65535");
        }
        for (v = 0; v < many_vs; v++) {
            out->all[out->count].levels = (uint32_t)ks[k];
            out->all[out->count].outer = vs[v];
            out->count++;
        }
    }
    return 0;
}

int choose_run(choice *which, greedy_settings *settings, const dataset *train)
{
    double evidence[MOST_CANDIDATES];
    size_t i;
    int32_t status;
    for (i = 0; i < which->count; i++) {
        greedy_settings own = *settings;
        network_fit fit;
        prequential_losses losses;
        int code;
        own.levels = which->all[i].levels;
        own.outer = which->all[i].outer;
        code = prequential_run(&own, LCC_AVERAGING_LAST, 0.9, train, &fit, &losses);
        if (code != 0) {
            return code;
        }
        which->all[i].nats = losses.log;
        evidence[i] = -losses.log;
        code = fit.was_interrupted;
        network_free(&fit);
        prequential_free(&losses);
        if (code) {
            return EXIT_INTERRUPTED;
        }
    }
    if (which->count == 0) {
        return 0;
    }
    status = lcc_theory_model_probabilities_f64(evidence, which->count, &which->best);
    if (status < 0) {
        return fail("choosing: %s", lcc_status_message(status));
    }
    for (i = 0; i < which->count; i++) {
        which->all[i].probability = evidence[i];
    }
    settings->levels = which->all[which->best].levels;
    settings->outer = which->all[which->best].outer;
    return 0;
}

void choose_write(json_writer *json, const choice *which)
{
    size_t i;
    json_list(json, "choice");
    for (i = 0; i < which->count; i++) {
        const candidate *c = &which->all[i];
        json_item(json);
        json_count(json, "levels", c->levels);
        json_number(json, "outer", c->outer);
        json_number(json, "description_length", c->nats);
        json_number(json, "probability", c->probability);
        json_object_end(json);
    }
    json_list_end(json);
}

void choose_print(const choice *which)
{
    size_t i;
    for (i = 0; i < which->count; i++) {
        const candidate *c = &which->all[i];
        printf("%s %" PRIu32 " levels, V = %g: %.2f nats, probability %.3f%s\n",
               i == 0 ? "choice     " : "           ", c->levels, c->outer, c->nats, c->probability,
               i == which->best ? ", taken" : "");
    }
}
