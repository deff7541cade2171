#include "fit_flags.h"

#include "args.h"
#include "cli.h"
#include "names.h"
#include "platform.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const fit_methods[] = {"bnn", "network", "greedy", "prequential", "relaxed",
                                      "map", "maximum-likelihood", "laplace", "laplace-diagonal",
                                      "last-layer", "ensemble", "dropout", "variational",
                                      "variational-full", "variational-low-rank", "backprop",
                                      "tempered", "batched", "sgld", "penalty", "swag", NULL};
static const char *const averagings[] = {"printed", "inclusive", "last", NULL};
/* In the order of the LCC_RELAXED_ codes. */
static const char *const updates[] = {"relaxed", "frank-wolfe", "orthogonal", NULL};
static const char *const forms[] = {"tilt", "quadratic", NULL};
static const char *const missings[] = {"refuse", "mean", "drop", NULL};

/* Options that are not of all methods. */
static const char *const of_bnn[] = {"--layers", "--network", "--leapfrogs", "--start", "--ascent",
                                     "--dropout", "--batch", "--checkpoint", "--resume", "--output",
                                     "--exposure", "--components", "--no-calibration", "--time", "--sampled",
                                     NULL};
static const char *const of_network[] = {"--neurons", "--draws-csv", NULL};
static const char *const of_chains[] = {"--chains", "--warmup", "--draws", "--threads", NULL};
static const char *const of_bnn_and_levels[] = {"--activation", NULL};
static const char *const of_levels[] = {"--levels", "--scale", "--outer", "--as-printed", NULL};
static const char *const of_particles[] = {"--particles", "--prior", "--alpha", "--beta",
                                           "--form", "--either-sign", "--choose-levels", "--choose-outer",
                                           NULL};
static const char *const of_greedy[] = {"--no-refit", "--holdout", NULL};
static const char *const of_prequential[] = {"--averaging", NULL};
static const char *const of_relaxed[] = {"--update", NULL};
static const char *const of_draws[] = {"--keep", NULL};

static const struct {
    const char *const *options;
    unsigned methods; /* a bit for each METHOD_ */
} of_methods[] = {
    {of_bnn, 1u << METHOD_BNN},
    {of_network, 1u << METHOD_NETWORK},
    {of_chains, 1u << METHOD_BNN | 1u << METHOD_NETWORK},
    {of_bnn_and_levels, 1u << METHOD_BNN | 1u << METHOD_GREEDY | 1u << METHOD_PREQUENTIAL |
                            1u << METHOD_RELAXED},
    {of_levels, 1u << METHOD_GREEDY | 1u << METHOD_PREQUENTIAL | 1u << METHOD_RELAXED},
    {of_particles, 1u << METHOD_GREEDY | 1u << METHOD_PREQUENTIAL},
    {of_greedy, 1u << METHOD_GREEDY},
    {of_prequential, 1u << METHOD_PREQUENTIAL},
    {of_relaxed, 1u << METHOD_RELAXED},
    {of_draws, ~(1u << METHOD_RELAXED)},
};

static int given(const char *option, int argc, char **argv)
{
    size_t length = strlen(option);
    int k;
    for (k = 0; k < argc; k++) {
        if (strncmp(argv[k], option, length) == 0 &&
            (argv[k][length] == '\0' || argv[k][length] == '=')) {
            return 1;
        }
    }
    return 0;
}

/* Refuses an option of another method, rather than to pass over it. */
static int check_methods(const fit_flags *flags, int argc, char **argv)
{
    size_t i;
    for (i = 0; i < sizeof of_methods / sizeof *of_methods; i++) {
        const char *const *option = of_methods[i].options;
        for (; (of_methods[i].methods >> flags->kind & 1u) == 0 && *option != NULL; option++) {
            if (given(*option, argc, argv)) {
                return wrong_usage("fit: %s is not of --method %s", *option, flags->method);
            }
        }
    }
    return 0;
}

/* What the papers print, where no flag says otherwise. Their alpha and beta are known with the rows. */
static int as_printed(fit_flags *flags, int argc, char **argv)
{
    greedy_settings *g = &flags->greedy;
    if (!g->as_printed || flags->kind == METHOD_RELAXED) {
        return 0;
    }
    if (given("--holdout", argc, argv)) {
        return wrong_usage("fit: --as-printed holds no rows out: no --holdout");
    }
    g->holdout = 0.0;
    g->no_refit = 1;
    g->outer = given("--outer", argc, argv) ? g->outer : 1.0;
    flags->form = given("--form", argc, argv) ? flags->form : "tilt";
    flags->averaging = given("--averaging", argc, argv) ? flags->averaging : "printed";
    return 0;
}

/* Layers and units that suit the method, where no flag says otherwise. */
static int usual_network(fit_flags *flags, int layers, int activation)
{
    lcc_bnn_options_f64 usual;
    int code = checked("the network", lcc_bnn_options_for_f64(flags->bnn.method, LCC_OUTPUT_STUDENT_T, 1, &usual));
    if (code == 0 && !layers) {
        snprintf(flags->bnn.usual_layers, sizeof flags->bnn.usual_layers, "%" PRIu32, usual.widths[0]);
        flags->bnn.layers = flags->bnn.usual_layers;
    }
    if (code == 0 && !activation) {
        flags->activation = lcc_activation_name(usual.activation);
    }
    return code;
}

/* The methods behind the others are those of the network object other than its chains by all rows. */
static int settle_method(fit_flags *flags, int argc, char **argv)
{
    static const char *const of_chains_alone[] = {"--leapfrogs", "--warmup", NULL};
    static const char *const of_points[] = {"--draws", "--keep", NULL};
    const char *const *option;
    if (flags->kind == METHOD_BNN && (flags->bnn.sampled || given("--ascent", argc, argv))) {
        return wrong_usage("fit: %s is not of --method %s", flags->bnn.sampled ? "--sampled" : "--ascent",
                           flags->method);
    }
    if (given("--dropout", argc, argv) && strcmp(flags->method, "dropout") != 0) {
        return wrong_usage("fit: --dropout is not of --method %s", flags->method);
    }
    if (flags->kind <= METHOD_RELAXED) {
        return 0;
    }
    flags->bnn.method = flags->kind - METHOD_RELAXED;
    flags->kind = METHOD_BNN;
    for (option = of_chains_alone; !bnn_walks(flags->bnn.method) && *option != NULL; option++) {
        if (given(*option, argc, argv)) {
            return wrong_usage("fit: %s is not of --method %s", *option, flags->method);
        }
    }
    for (option = of_points; bnn_is_point(flags->bnn.method) && *option != NULL; option++) {
        if (given(*option, argc, argv)) {
            return wrong_usage("fit: %s is not of --method %s", *option, flags->method);
        }
    }
    if (flags->bnn.sampled && flags->bnn.method != LCC_INFERENCE_LAPLACE &&
        flags->bnn.method != LCC_INFERENCE_LAPLACE_DIAGONAL) {
        return wrong_usage("fit: --sampled is not of --method %s", flags->method);
    }
    if (!bnn_climbs(flags->bnn.method) && given("--ascent", argc, argv)) {
        return wrong_usage("fit: --ascent is not of --method %s", flags->method);
    }
    /* A curvature wants digits. */
    if (bnn_climbs(flags->bnn.method) && !given("--precision", argc, argv)) {
        flags->precision = "f64";
    }
    return usual_network(flags, given("--layers", argc, argv), given("--activation", argc, argv));
}

static int parse(fit_flags *flags, int argc, char **argv)
{
    network_settings *s = &flags->network;
    greedy_settings *g = &flags->greedy;
    const arg_option options[] = {
        {"--data", ARG_TEXT, &flags->data, 0, 0},
        {"--target", ARG_TEXT, &flags->target, 0, 0},
        {"--method", ARG_TEXT, &flags->method, 0, 0},
        {"--categorical", ARG_TEXT, &flags->categorical, 0, 0},
        {"--missing", ARG_TEXT, &flags->missing_name, 0, 0},
        {"--unknown", ARG_TEXT, &flags->unknown_name, 0, 0},
        {"--test", ARG_TEXT, &flags->test, 0, 0},
        {"--split", ARG_TEXT, &flags->split, 0, 0},
        {"--train-500", ARG_SWITCH, &flags->train_500, 0, 0},
        {"--test-share", ARG_REAL, &flags->test_share, 0, 1},
        {"--cv", ARG_COUNT, &flags->folds, 2, 1000},
        {"--repeats", ARG_COUNT, &flags->repeats, 1, 1000},
        {"--delimiter", ARG_TEXT, &flags->delimiter, 0, 0},
        {"--drop", ARG_TEXT, &flags->drop, 0, 0},
        {"--only", ARG_TEXT, &flags->only, 0, 0},
        {"--layers", ARG_TEXT, &flags->bnn.layers, 0, 0},
        {"--output", ARG_TEXT, &flags->output, 0, 0},
        {"--exposure", ARG_TEXT, &flags->exposure, 0, 0},
        {"--components", ARG_COUNT, &flags->components, 1, 16},
        {"--no-calibration", ARG_SWITCH, &flags->no_calibration, 0, 0},
        {"--sampled", ARG_SWITCH, &flags->bnn.sampled, 0, 0},
        {"--network", ARG_TEXT, &flags->bnn.members, 0, 0},
        {"--leapfrogs", ARG_COUNT, &flags->bnn.leapfrogs, 1, 1e6},
        {"--start", ARG_COUNT, &flags->bnn.start, 1, 1e9},
        {"--batch", ARG_COUNT, &flags->bnn.batch, 1, 4e9},
        {"--dropout", ARG_REAL, &flags->bnn.dropout, 0, 1},
        {"--ascent", ARG_COUNT, &flags->bnn.ascent, 1, 1e6},
        {"--checkpoint", ARG_TEXT, &flags->bnn.file.path, 0, 0},
        {"--resume", ARG_SWITCH, &flags->bnn.file.resume, 0, 0},
        {"--neurons", ARG_COUNT, &s->neurons, 1, 1e6},
        {"--chains", ARG_COUNT, &s->chains, 1, 4096},
        {"--warmup", ARG_COUNT, &s->warmup, 0, 1e9},
        {"--draws", ARG_COUNT, &s->draws, 1, 1e9},
        {"--keep", ARG_COUNT, &s->keep, 1, 1e9},
        {"--time", ARG_TIME, &flags->time, 0, 0},
        {"--threads", ARG_COUNT, &s->threads, 1, 1024},
        {"--levels", ARG_COUNT, &g->levels, 1, 65535},
        {"--particles", ARG_COUNT, &g->particles, 8, 1e7},
        {"--activation", ARG_TEXT, &flags->activation, 0, 0},
        {"--prior", ARG_TEXT, &flags->prior, 0, 0},
        {"--scale", ARG_REAL, &g->scale, 0, HUGE_VAL},
        {"--outer", ARG_REAL, &g->outer, 0, HUGE_VAL},
        {"--alpha", ARG_REAL, &g->alpha, 0, HUGE_VAL},
        {"--beta", ARG_REAL, &g->beta, 0, HUGE_VAL},
        {"--form", ARG_TEXT, &flags->form, 0, 0},
        {"--either-sign", ARG_SWITCH, &g->either_sign, 0, 0},
        {"--averaging", ARG_TEXT, &flags->averaging, 0, 0},
        {"--as-printed", ARG_SWITCH, &g->as_printed, 0, 0},
        {"--update", ARG_TEXT, &flags->update, 0, 0},
        {"--choose-levels", ARG_TEXT, &flags->choose_levels, 0, 0},
        {"--choose-outer", ARG_TEXT, &flags->choose_outer, 0, 0},
        {"--no-refit", ARG_SWITCH, &g->no_refit, 0, 0},
        {"--holdout", ARG_REAL, &g->holdout, -1, 1},
        {"--seed", ARG_SEED, &s->seed, 0, 0},
        {"--precision", ARG_TEXT, &flags->precision, 0, 0},
        {"--interval", ARG_REAL, &flags->interval, 0, 1},
        {"--model", ARG_TEXT, &flags->model, 0, 0},
        {"--c-array", ARG_TEXT, &flags->c_array, 0, 0},
        {"--predictions", ARG_TEXT, &flags->predictions, 0, 0},
        {"--plot", ARG_TEXT, &flags->plot, 0, 0},
        {"--draws-csv", ARG_TEXT, &flags->draws_csv, 0, 0},
        {"--log-lik", ARG_TEXT, &flags->log_lik, 0, 0},
        {"--learning-curve", ARG_TEXT, &flags->curve, 0, 0},
        {"--stream", ARG_TEXT, &flags->stream, 0, 0},
        {"--stream-model", ARG_TEXT, &flags->stream_model, 0, 0},
        {"--stream-draws", ARG_COUNT, &flags->following.draws, 1, 1e9},
        {"--forgetting", ARG_REAL, &flags->following.forgetting, 0, 1.0000001},
        {"--json", ARG_TEXT, &flags->json, 0, 0},
        {"--quiet", ARG_SWITCH, &s->quiet, 0, 0},
        {NULL, ARG_SWITCH, NULL, 0, 0},
    };
    int code = args_parse("fit", options, argc, argv);
    flags->precision_given = given("--precision", argc, argv);
    flags->bnn.whole = given("--start", argc, argv) || given("--leapfrogs", argc, argv);
    THEN(code, names_choose("--method", flags->method, fit_methods, &flags->kind));
    THEN(code, settle_method(flags, argc, argv));
    THEN(code, check_methods(flags, argc, argv));
    THEN(code, as_printed(flags, argc, argv));
    THEN(code, names_choose("--update", flags->update, updates, &g->update));
    THEN(code, names_choose("--averaging", flags->averaging, averagings, &flags->averages));
    THEN(code, names_activation(flags->activation, &g->activation));
    THEN(code, bnn_layers(flags->bnn.layers, flags->bnn.widths));
    THEN(code, names_prior(flags->prior, &g->prior));
    THEN(code, names_choose("--form", flags->form, forms, &g->form));
    THEN(code, names_precision(flags->precision, &s->single));
    THEN(code, names_choose("--missing", flags->missing_name, missings, &flags->missing));
    THEN(code, names_unknown(flags->unknown_name, &flags->unknown_mean));
    return code;
}

/* What the methods share, and what they do not have the same default for. */
static int share(fit_flags *flags)
{
    network_settings *s = &flags->network;
    greedy_settings *g = &flags->greedy;
    if (flags->kind == METHOD_BNN) {
        flags->bnn.activation = g->activation;
        return 0;
    }
    if (flags->kind == METHOD_NETWORK) {
        network_settings usual;
        network_defaults(&usual);
        s->chains = s->chains == 0 ? usual.chains : s->chains;
        s->warmup = s->warmup == WARMUP_NOT_GIVEN ? usual.warmup : s->warmup;
        s->draws = s->draws == 0 ? usual.draws : s->draws;
        s->keep = s->keep != 0             ? s->keep
                  : usual.keep < s->draws ? usual.keep
                                          : s->draws;
        return 0;
    }
    g->seed = s->seed;
    g->single = s->single;
    g->quiet = s->quiet;
    if (flags->kind == METHOD_RELAXED) {
        s->keep = 1;
        return relaxed_complete(g);
    }
    if (g->particles % 8 != 0) {
        return wrong_usage("fit: --particles must be a multiple of 8");
    }
    if (s->keep == 0) {
        s->keep = g->particles < 64 || g->as_printed ? g->particles : 64;
    }
    if (s->keep > g->particles) {
        return wrong_usage("fit: --keep %" PRIu32 " is more than --particles %" PRIu32, s->keep,
                           g->particles);
    }
    g->keep = s->keep;
    greedy_complete(g, flags->kind == METHOD_PREQUENTIAL);
    return choose_parse(flags->choose_levels, flags->choose_outer, g, &flags->choice);
}

/* 1 where this command reads the file. */
static int reads(const fit_flags *flags, const char *path)
{
    return strcmp(path, flags->data) == 0 ||
           (flags->test != NULL && strcmp(path, flags->test) == 0) ||
           (flags->stream != NULL && strcmp(path, flags->stream) == 0);
}

static int check(fit_flags *flags)
{
    const network_settings *s = &flags->network;
    if (flags->data == NULL) {
        return wrong_usage("fit: --data is missing");
    }
    if ((flags->test != NULL) + (flags->split != NULL) + (flags->test_share > 0.0) +
            (flags->folds > 0) > 1) {
        return wrong_usage("fit: either --test or --split, --test-share or --cv");
    }
    if (flags->curve != NULL && flags->split == NULL && flags->test_share <= 0.0 && flags->folds == 0) {
        return wrong_usage("fit: --learning-curve needs rows of D that do not train: --cv, --test-share or --split");
    }
    if (flags->curve != NULL && flags->time > 0.0) {
        return wrong_usage("fit: either --time or --learning-curve");
    }
    if (flags->repeats > 0 && flags->folds == 0) {
        return wrong_usage("fit: --repeats needs --cv K");
    }
    if (flags->drop != NULL && flags->only != NULL) {
        return wrong_usage("fit: either --drop or --only");
    }
    if (csv_lists(flags->drop, flags->target)) {
        return wrong_usage("fit: --drop names the target \"%s\"", flags->target);
    }
    if (flags->stream_model != NULL && flags->stream == NULL) {
        return wrong_usage("fit: --stream-model needs --stream B.csv");
    }
    if (flags->following.forgetting > 1.0) {
        return wrong_usage("fit: --forgetting must lie in (0, 1]");
    }
    if (flags->train_500 && flags->split == NULL) {
        return wrong_usage("fit: --train-500 needs --split S.json:K");
    }
    if (flags->bnn.file.resume && flags->bnn.file.path == NULL) {
        return wrong_usage("fit: --resume needs --checkpoint FILE");
    }
    if (flags->bnn.file.path != NULL && reads(flags, flags->bnn.file.path)) {
        return wrong_usage("%s: is read by this command and will not be overwritten",
                           flags->bnn.file.path);
    }
    if (flags->time > 0.0 && (s->chains > 0 || flags->bnn.file.path != NULL)) {
        return wrong_usage("fit: either --time, which says how many chains there are, or %s",
                           s->chains > 0 ? "--chains" : "--checkpoint");
    }
    if (s->draws > 0 && flags->kind <= METHOD_NETWORK && s->keep > s->draws) {
        return wrong_usage("fit: --keep %" PRIu32 " is more than --draws %" PRIu32, s->keep,
                           s->draws);
    }
    return flags->split == NULL
               ? 0
               : args_split_reference(flags->split, &flags->split_file, &flags->split_index);
}

static void defaults(fit_flags *flags)
{
    memset(flags, 0, sizeof *flags);
    /* Of this method until it is known. */
    bnn_defaults(&flags->network, &flags->bnn);
    greedy_defaults(&flags->greedy);
    stream_defaults(&flags->following);
    flags->trained_share = 1.0;
    flags->began = seconds_now();
    flags->activation = "tanh";
    flags->prior = "gaussian";
    flags->form = "quadratic";
    flags->averaging = "last";
    flags->update = "relaxed";
    flags->target = "y";
    flags->method = "bnn";
    flags->precision = "f32";
    flags->missing_name = "refuse";
    flags->unknown_name = "refuse";
    flags->interval = 0.9;
}

void fit_flags_double(fit_flags *flags)
{
    flags->precision = "f64";
    flags->network.single = 0;
    flags->greedy.single = 0;
}

int fit_flags_read(fit_flags *flags, int argc, char **argv)
{
    int code;
    defaults(flags);
    code = parse(flags, argc, argv);
    THEN(code, share(flags));
    return code == 0 ? check(flags) : code;
}

void fit_flags_free(fit_flags *flags)
{
    free(flags->split_file);
    flags->split_file = NULL;
}
