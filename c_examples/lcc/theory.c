/* lcc theory: what the papers bound, for V, d, L, N and M of one's own or of a network. */
#include "args.h"
#include "cli.h"
#include "files.h"
#include "json.h"
#include "paths.h"

#include <lcc.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const uint32_t NOT_GIVEN = UINT32_MAX;

/* The flags as given. */
typedef struct {
    double variation;
    double beta;
    double distance;
    uint32_t inputs;
    uint32_t layers;
    uint32_t rows;
    uint32_t neurons;
    const char *network;
    const char *json;
} theory_flags;

/* One quantity: its key in the JSON, its value, and how it reads. */
typedef struct {
    const char *key;
    double value;
    const char *words;
} quantity;

enum { QUANTITIES = 11 };

static int parse(theory_flags *flags, int argc, char **argv)
{
    const arg_option options[] = {
        {"--variation", ARG_REAL, &flags->variation, 0, HUGE_VAL},
        {"--inputs", ARG_COUNT, &flags->inputs, 1, 4294967294.0},
        {"--layers", ARG_COUNT, &flags->layers, 0, 1e6},
        {"--rows", ARG_COUNT, &flags->rows, 1, 4294967294.0},
        {"--neurons", ARG_COUNT, &flags->neurons, 1, 4294967294.0},
        {"--beta", ARG_REAL, &flags->beta, 0, HUGE_VAL},
        {"--distance", ARG_REAL, &flags->distance, 0, HUGE_VAL},
        {"--network", ARG_TEXT, &flags->network, 0, 0},
        {"--json", ARG_TEXT, &flags->json, 0, 0},
        {NULL, ARG_SWITCH, NULL, 0, 0},
    };
    return args_parse("theory", options, argc, argv);
}

/* What is not given: of the network where there is one. */
static int complete(theory_flags *flags, const path_sums *of)
{
    if (flags->rows == 0) {
        return wrong_usage("theory: --rows is missing");
    }
    if (of->matrices > 0) {
        flags->variation = flags->variation == 0.0 ? of->variation : flags->variation;
        flags->inputs = flags->inputs == 0 ? (uint32_t)of->inputs : flags->inputs;
        flags->neurons = flags->neurons == 0 && of->matrices > 1 ? (uint32_t)of->last
                                                                 : flags->neurons;
        if (flags->layers == NOT_GIVEN) {
            flags->layers = (uint32_t)of->matrices - 1;
        }
    }
    if (flags->inputs == 0) {
        return wrong_usage("theory: either --inputs or --network");
    }
    flags->variation = flags->variation == 0.0 && of->matrices == 0 ? 1.0 : flags->variation;
    flags->layers = flags->layers == NOT_GIVEN ? 1 : flags->layers;
    if (flags->neurons == 0) {
        /* The best for learning. */
        double nats = log(2.0 * flags->inputs) + flags->layers;
        double least;
        size_t best = 1;
        int code = checked("the number of neurons",
                           lcc_theory_resolvability_f64(flags->variation, nats, 1.0, flags->rows,
                                                        UINT32_MAX, &best, &least));
        flags->neurons = (uint32_t)best;
        return code;
    }
    return 0;
}

static void evaluate(theory_flags *flags, quantity *list)
{
    double v = flags->variation;
    size_t d = flags->inputs;
    size_t n = flags->rows;
    double c = lcc_theory_gaussian_complexity_f64(v, d, flags->layers);
    double least = lcc_theory_least_by_cover_f64(c, n);
    /* Unless given: where the sum of distance and nats is least. */
    double e = flags->distance == 0.0 ? sqrt(least / 2.0) : flags->distance;
    const quantity all[QUANTITIES] = {
        {"approximation", lcc_theory_approximation_f64(v, flags->neurons), "V^2/M"},
        {"risk_of_neurons", lcc_theory_risk_of_neurons_f64(v, flags->neurons, d, flags->layers, n),
         "V^2/M + (M log 2d + M L)/N, in units of the noise variance"},
        {"risk", lcc_theory_risk_f64(v, d, flags->layers, n), "V sqrt((log 2d + L)/N)"},
        {"gaussian_complexity", c, "C = V sqrt(2 log 2d + 2 L log 2)"},
        {"covering_published", lcc_theory_covering_published_f64(c, e), "16 C^2/e^2 nats, as printed"},
        {"covering", lcc_theory_covering_f64(c, e), "2 pi log 2 C^2/e^2 nats, sharper"},
        {"least_by_cover_published", lcc_theory_least_by_cover_published_f64(c, n),
         "min over e of e^2 + nats/N: 8 C/sqrt N, as printed"},
        {"least_by_cover", least, "the same, sharper: 4.17 C/sqrt N"},
        {"yang_barron", lcc_theory_yang_barron_f64(c, flags->beta, n),
         "Yang-Barron: nats a row above the truth, of a mixture over a cover"},
        {"renyi", lcc_theory_renyi_f64(c, flags->beta, n),
         "Renyi divergence of order 1/2 a row, of a two-part code"},
        {"regret", lcc_theory_regret_f64(v, d, n), "V sqrt(log d/N), a row"},
    };
    flags->distance = e;
    memcpy(list, all, sizeof all);
}

static void write_json(FILE *out, const theory_flags *flags, const quantity *list,
                       const path_sums *of)
{
    json_writer json;
    size_t k;
    json_begin(&json, out, 17);
    json_number(&json, "variation", flags->variation);
    json_count(&json, "inputs", flags->inputs);
    json_count(&json, "layers", flags->layers);
    json_count(&json, "rows", flags->rows);
    json_count(&json, "neurons", flags->neurons);
    json_number(&json, "beta", flags->beta);
    json_number(&json, "distance", flags->distance);
    for (k = 0; k < QUANTITIES; k++) {
        json_number(&json, list[k].key, list[k].value);
    }
    if (of->matrices > 0) {
        json_object(&json, "network");
        json_number(&json, "variation", of->variation);
        json_numbers(&json, "paths", of->paths, of->inputs);
        json_object_end(&json);
    }
    json_end(&json);
}

static void print_report(const theory_flags *flags, const quantity *list, const path_sums *of)
{
    size_t k;
    printf("V %g, d %" PRIu32 ", L %" PRIu32 ", N %" PRIu32 ", M %" PRIu32 ", beta %g, e %g\n",
           flags->variation, flags->inputs, flags->layers, flags->rows, flags->neurons, flags->beta,
           flags->distance);
    if (of->matrices > 0) {
        printf("the network's paths weigh %g: its V, of %lu matrices\n", of->variation,
               (unsigned long)of->matrices);
    }
    printf("\n");
    for (k = 0; k < QUANTITIES; k++) {
        printf("  %-26s %14.8g  %s\n", list[k].key, list[k].value, list[k].words);
    }
}

int theory_command(int argc, char **argv)
{
    theory_flags flags;
    path_sums of;
    quantity list[QUANTITIES];
    outputs files;
    FILE *json = NULL;
    int code;
    memset(&flags, 0, sizeof flags);
    memset(&of, 0, sizeof of);
    memset(&files, 0, sizeof files);
    flags.beta = 1.0;
    flags.layers = NOT_GIVEN;
    code = parse(&flags, argc, argv);
    if (code == 0) {
        outputs_protect(&files, flags.network);
        code = flags.network == NULL ? 0 : paths_read(&of, flags.network);
    }
    THEN(code, complete(&flags, &of));
    THEN(code, outputs_add(&files, flags.json, &json));
    if (code == 0) {
        evaluate(&flags, list);
        if (json != NULL) {
            write_json(json, &flags, list, &of);
        }
        code = outputs_publish(&files);
    }
    if (code == 0 && !files.to_stdout) {
        print_report(&flags, list, &of);
    }
    outputs_discard(&files);
    paths_free(&of);
    return code;
}
