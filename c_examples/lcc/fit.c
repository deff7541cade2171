#include "fit.h"

#include "args.h"
#include "c_array.h"
#include "choose.h"
#include "cli.h"
#include "cmdstan.h"
#include "greedy.h"
#include "json.h"
#include "model.h"
#include "names.h"
#include "network.h"
#include "platform.h"
#include "plot.h"
#include "prequential.h"
#include "result.h"
#include "splits.h"
#include "stream.h"
#include "usage.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *data;
    const char *target;
    const char *method;
    const char *test;
    const char *split;
    const char *precision;
    const char *model;
    const char *c_array;
    const char *predictions;
    const char *plot;
    const char *draws_csv;
    const char *log_lik;
    const char *stream;
    const char *stream_model;
    const char *json;
    double interval;
    int train_500;
    char *split_file;
    unsigned long split_index;
    const char *activation;
    const char *prior;
    const char *form;
    const char *averaging;
    const char *choose_levels;
    const char *choose_outer;
    choice choice;
    greedy_settings greedy;
    stream_settings following;
    const dataset *stream_rows; /* of --stream, or NULL */
    int32_t averages;           /* LCC_AVERAGING_ */
    int32_t kind;               /* METHOD_ */
} fit_flags;

enum { METHOD_NETWORK, METHOD_GREEDY, METHOD_PREQUENTIAL };

static const char *const methods[] = {"network", "greedy", "prequential", NULL};
static const char *const averagings[] = {"printed", "inclusive", "last", NULL};
static const char *const forms[] = {"tilt", "quadratic", NULL};

/* The methods that an option is of, where it is not of all. */
static const struct {
    const char *option;
    unsigned methods; /* a bit for each METHOD_ */
} of_methods[] = {
    {"--neurons", 1u << METHOD_NETWORK},
    {"--chains", 1u << METHOD_NETWORK},
    {"--warmup", 1u << METHOD_NETWORK},
    {"--draws", 1u << METHOD_NETWORK},
    {"--draws-csv", 1u << METHOD_NETWORK},
    {"--levels", 1u << METHOD_GREEDY | 1u << METHOD_PREQUENTIAL},
    {"--particles", 1u << METHOD_GREEDY | 1u << METHOD_PREQUENTIAL},
    {"--activation", 1u << METHOD_GREEDY | 1u << METHOD_PREQUENTIAL},
    {"--prior", 1u << METHOD_GREEDY | 1u << METHOD_PREQUENTIAL},
    {"--scale", 1u << METHOD_GREEDY | 1u << METHOD_PREQUENTIAL},
    {"--outer", 1u << METHOD_GREEDY | 1u << METHOD_PREQUENTIAL},
    {"--alpha", 1u << METHOD_GREEDY | 1u << METHOD_PREQUENTIAL},
    {"--beta", 1u << METHOD_GREEDY | 1u << METHOD_PREQUENTIAL},
    {"--form", 1u << METHOD_GREEDY | 1u << METHOD_PREQUENTIAL},
    {"--either-sign", 1u << METHOD_GREEDY | 1u << METHOD_PREQUENTIAL},
    {"--choose-levels", 1u << METHOD_GREEDY | 1u << METHOD_PREQUENTIAL},
    {"--choose-outer", 1u << METHOD_GREEDY | 1u << METHOD_PREQUENTIAL},
    {"--no-refit", 1u << METHOD_GREEDY},
    {"--holdout", 1u << METHOD_GREEDY},
    {"--averaging", 1u << METHOD_PREQUENTIAL},
};

/* Refuses an option of another method, rather than to pass over it. */
static int check_methods(const fit_flags *flags, int argc, char **argv)
{
    size_t i;
    int k;
    for (i = 0; i < sizeof of_methods / sizeof *of_methods; i++) {
        size_t length = strlen(of_methods[i].option);
        for (k = 0; k < argc; k++) {
            int given = strncmp(argv[k], of_methods[i].option, length) == 0 &&
                        (argv[k][length] == '\0' || argv[k][length] == '=');
            if (given && (of_methods[i].methods >> flags->kind & 1u) == 0) {
                return wrong_usage("fit: %s is not of --method %s", of_methods[i].option,
                                   flags->method);
            }
        }
    }
    return 0;
}

static int parse(fit_flags *flags, network_settings *s, int argc, char **argv)
{
    greedy_settings *g = &flags->greedy;
    const arg_option options[] = {
        {"--data", ARG_TEXT, &flags->data, 0, 0},
        {"--target", ARG_TEXT, &flags->target, 0, 0},
        {"--method", ARG_TEXT, &flags->method, 0, 0},
        {"--test", ARG_TEXT, &flags->test, 0, 0},
        {"--split", ARG_TEXT, &flags->split, 0, 0},
        {"--train-500", ARG_SWITCH, &flags->train_500, 0, 0},
        {"--neurons", ARG_COUNT, &s->neurons, 1, 1e6},
        {"--chains", ARG_COUNT, &s->chains, 1, 4096},
        {"--warmup", ARG_COUNT, &s->warmup, 0, 1e9},
        {"--draws", ARG_COUNT, &s->draws, 1, 1e9},
        {"--keep", ARG_COUNT, &s->keep, 1, 1e9},
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
        {"--stream", ARG_TEXT, &flags->stream, 0, 0},
        {"--stream-model", ARG_TEXT, &flags->stream_model, 0, 0},
        {"--stream-draws", ARG_COUNT, &flags->following.draws, 1, 1e9},
        {"--forgetting", ARG_REAL, &flags->following.forgetting, 0, 1.0000001},
        {"--json", ARG_TEXT, &flags->json, 0, 0},
        {"--quiet", ARG_SWITCH, &s->quiet, 0, 0},
        {NULL, ARG_SWITCH, NULL, 0, 0},
    };
    int code = args_parse("fit", options, argc, argv);
    if (code == 0) {
        code = names_choose("--method", flags->method, methods, &flags->kind);
    }
    if (code == 0) {
        code = check_methods(flags, argc, argv);
    }
    if (code == 0) {
        code = names_choose("--averaging", flags->averaging, averagings, &flags->averages);
    }
    if (code == 0) {
        code = names_activation(flags->activation, &g->activation);
    }
    if (code == 0) {
        code = names_prior(flags->prior, &g->prior);
    }
    if (code == 0) {
        code = names_choose("--form", flags->form, forms, &g->form);
    }
    if (code == 0) {
        code = names_precision(flags->precision, &s->single);
    }
    return code;
}

/* What the methods share, and what they do not have the same default for. */
static int share(fit_flags *flags, network_settings *s)
{
    greedy_settings *g = &flags->greedy;
    if (flags->kind == METHOD_NETWORK) {
        s->keep = s->keep == 0 ? 25 : s->keep;
        return 0;
    }
    if (g->particles % 8 != 0) {
        return wrong_usage("fit: --particles must be a multiple of 8");
    }
    s->keep = s->keep == 0 ? (g->particles < 64 ? g->particles : 64) : s->keep;
    if (s->keep > g->particles) {
        return wrong_usage("fit: --keep %" PRIu32 " is more than --particles %" PRIu32, s->keep,
                           g->particles);
    }
    g->keep = s->keep;
    g->seed = s->seed;
    g->single = s->single;
    g->quiet = s->quiet;
    greedy_complete(g, flags->kind == METHOD_PREQUENTIAL);
    return choose_parse(flags->choose_levels, flags->choose_outer, g, &flags->choice);
}

static int check(fit_flags *flags, const network_settings *s)
{
    if (flags->data == NULL) {
        return wrong_usage("fit: --data is missing");
    }
    if (flags->test != NULL && flags->split != NULL) {
        return wrong_usage("fit: either --test or --split");
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
    if (flags->kind == METHOD_NETWORK && s->keep > s->draws) {
        return wrong_usage("fit: --keep %" PRIu32 " is more than --draws %" PRIu32, s->keep,
                           s->draws);
    }
    return flags->split == NULL
               ? 0
               : args_split_reference(flags->split, &flags->split_file, &flags->split_index);
}

/* The files to write; NULL where not asked for. */
typedef struct {
    FILE *model;
    FILE *c_array;
    FILE *predictions;
    FILE *plot;
    FILE *log_lik;
    FILE *stream_model;
    FILE *json;
} fit_files;

static int open_one(outputs *files, const char *path, FILE **out)
{
    return path == NULL ? 0 : outputs_add(files, path, out);
}

/* All before the run, so that a folder that is not there is found out at once. */
static int open_all(const fit_flags *flags, outputs *files, fit_files *to)
{
    int code = open_one(files, flags->model, &to->model);
    if (code == 0) {
        code = open_one(files, flags->c_array, &to->c_array);
    }
    if (code == 0) {
        code = open_one(files, flags->predictions, &to->predictions);
    }
    if (code == 0) {
        code = open_one(files, flags->plot, &to->plot);
    }
    if (code == 0) {
        code = open_one(files, flags->log_lik, &to->log_lik);
    }
    if (code == 0) {
        code = open_one(files, flags->stream_model, &to->stream_model);
    }
    if (code == 0) {
        code = result_open(files, flags->json, &to->json);
    }
    return code;
}

static void write_parameters(json_writer *json, const fit_flags *flags, const network_settings *s)
{
    json_object(json, "parameters");
    json_text(json, "target", flags->target);
    if (flags->kind != METHOD_NETWORK) {
        greedy_write_parameters(json, &flags->greedy, flags->kind == METHOD_PREQUENTIAL);
        if (flags->kind == METHOD_PREQUENTIAL) {
            json_text(json, "averaging", flags->averaging);
        }
    } else {
        json_count(json, "neurons", s->neurons);
        json_count(json, "chains", s->chains);
        json_count(json, "warmup", s->warmup);
        json_count(json, "draws", s->draws);
    }
    json_count(json, "keep", s->keep);
    json_count(json, "seed", s->seed);
    json_text(json, "precision", flags->precision);
    json_number(json, "interval", flags->interval);
    json_object_end(json);
}

static void write_json(FILE *out, const fit_flags *flags, const network_settings *s,
                       const dataset *train, const evaluation *test, const network_fit *fit,
                       const prequential_losses *losses, const stream_run *streamed)
{
    json_writer json;
    json_begin(&json, out, fit->digits);
    json_text(&json, "method", flags->method);
    json_count(&json, "n", train->n);
    json_count(&json, "d", train->d);
    if (test == NULL) {
        json_null(&json, "test");
    } else {
        json_object(&json, "test");
        json_count(&json, "n", test->n);
        json_number(&json, "rmse", test->rmse);
        json_number(&json, "log_likelihood", test->log_likelihood);
        json_number(&json, "coverage", test->coverage);
        json_number(&json, "width", test->width);
        json_number(&json, "crps", test->crps);
        json_object_end(&json);
    }
    stream_write_json(&json, &flags->following, streamed);
    json_number(&json, "rhat_max", fit->rhat_max);
    json_number(&json, "ess_bulk_min", fit->ess_bulk_min);
    json_number(&json, "acceptance", fit->acceptance);
    if (losses->ahead.n > 0) {
        prequential_write(&json, losses, train->y);
    }
    if (flags->choice.count > 0) {
        choose_write(&json, &flags->choice);
    }
    if (flags->kind != METHOD_NETWORK) {
        json_count(&json, "levels_used", fit->levels_used);
    } else {
        json_count(&json, "divergences", fit->divergences);
        json_count(&json, "chains_used", fit->chains_used);
        json_count(&json, "chains_dropped", fit->chains_dropped);
    }
    json_count(&json, "gradients", fit->gradients);
    json_number(&json, "seconds", fit->seconds);
    json_count(&json, "bytes_workspace", fit->workspace_bytes);
    json_count(&json, "bytes_model", fit->model_bytes);
    write_parameters(&json, flags, s);
    json_end(&json);
}

static void print_report(const fit_flags *flags, const network_settings *s, const dataset *train,
                         const evaluation *test, const network_fit *fit,
                         const prequential_losses *losses, const stream_run *streamed)
{
    if (flags->kind != METHOD_NETWORK) {
        printf("method      %s: %" PRIu32 " levels of %" PRIu32 " particles, %s, seed %" PRIu64 "\n",
               flags->method, flags->greedy.levels, flags->greedy.particles, flags->precision,
               s->seed);
    } else {
        printf("method      %s: %" PRIu32 " neurons, %" PRIu32 " chains of %" PRIu32 " + %" PRIu32
               " draws, %s, seed %" PRIu64 "\n",
               flags->method, s->neurons, s->chains, s->warmup, s->draws, flags->precision,
               s->seed);
    }
    printf("trained on  %lu rows of %lu inputs\n", (unsigned long)train->n,
           (unsigned long)train->d);
    if (test != NULL) {
        printf("test        %lu rows: RMSE %.6g, mean log density %.4f\n", (unsigned long)test->n,
               test->rmse, test->log_likelihood);
        printf("            %g %% intervals hold %.1f %% of them, mean width %.6g\n",
               100.0 * flags->interval, 100.0 * test->coverage, test->width);
    }
    if (losses->ahead.n > 0) {
        prequential_print(losses, train->y);
    }
    stream_print(&flags->following, streamed);
    choose_print(&flags->choice);
    if (flags->kind != METHOD_NETWORK) {
        printf("levels      %" PRIu32 " used, of mean acceptance %.3f\n", fit->levels_used,
               fit->acceptance);
    } else {
        printf("chains      R-hat of the predictions %.3f, ESS %.0f, acceptance %.3f; %" PRIu32
           " used, %" PRIu32 " dropped\n",
           fit->rhat_max, fit->ess_bulk_min, fit->acceptance, fit->chains_used,
           fit->chains_dropped);
    }
    printf("cost        %.1f s, %" PRIu64 " gradients, %lu bytes of workspace, model of %lu bytes\n",
           fit->seconds, fit->gradients, (unsigned long)fit->workspace_bytes,
           (unsigned long)fit->model_bytes);
}

static void write_plot(FILE *out, const fit_flags *flags, const dataset *rows,
                       const predictions *p, const evaluation *scores, const char *kind)
{
    char title[160];
    char subtitle[160];
    plot_points points;
    (void)snprintf(title, sizeof title, "%s: predicted against measured", flags->target);
    (void)snprintf(subtitle, sizeof subtitle,
                   "%lu %s rows: RMSE %.4g, %g %% intervals cover %.1f %%",
                   (unsigned long)p->n, kind, scores->rmse,
                   100.0 * flags->interval, 100.0 * scores->coverage);
    points.title = title;
    points.subtitle = subtitle;
    points.quantity = flags->target;
    points.unit = NULL;
    points.level = flags->interval;
    points.n = p->n;
    points.measured = rows->y;
    points.mean = p->mean;
    points.lower = p->lower;
    points.upper = p->upper;
    plot_write(out, &points);
}

static int write_all(const fit_flags *flags, const network_settings *s, const dataset *train,
                     const dataset *test, const network_fit *fit,
                     const prequential_losses *losses, const stream_run *streamed,
                     const fit_files *to, outputs *files)
{
    const dataset *rows = test->n > 0 ? test : train;
    const char *kind = test->n > 0 ? "test" : "training";
    predictions p;
    evaluation scores;
    const evaluation *tested = test->n > 0 ? &scores : NULL;
    /* What is written and drawn: the stream's where there is one. */
    const predictions *shown = &p;
    const dataset *shown_rows = rows;
    const evaluation *shown_scores = &scores;
    int code = model_predict(fit->model, fit->model_bytes, rows, flags->interval, &p);
    if (code != 0) {
        return code;
    }
    scores = predictions_evaluate(&p, rows->y);
    if (streamed != NULL) {
        shown = &streamed->before;
        shown_rows = flags->stream_rows;
        shown_scores = &streamed->scores;
        kind = "streamed";
    }
    if (to->model != NULL) {
        (void)fwrite(fit->model, 1, fit->model_bytes, to->model);
    }
    if (to->stream_model != NULL) {
        (void)fwrite(streamed == NULL ? fit->model : streamed->model, 1,
                     streamed == NULL ? fit->model_bytes : streamed->model_bytes,
                     to->stream_model);
    }
    if (to->c_array != NULL) {
        c_array_write(to->c_array, flags->c_array, fit->model, fit->model_bytes);
    }
    if (to->predictions != NULL) {
        /* Where nothing tests, a row's forecast is worth more than its fit. */
        int ahead = shown == &p && tested == NULL && losses->ahead.n > 0;
        predictions_write(to->predictions, ahead ? &losses->ahead : shown, shown_rows->y);
    }
    if (to->plot != NULL) {
        write_plot(to->plot, flags, shown_rows, shown, shown_scores, kind);
    }
    if (to->log_lik != NULL) {
        code = model_write_log_likelihood(to->log_lik, fit->model, fit->model_bytes, train);
    }
    if (code == 0 && to->json != NULL) {
        write_json(to->json, flags, s, train, tested, fit, losses, streamed);
    }
    if (code == 0) {
        code = outputs_publish(files);
    }
    if (code == 0 && !result_takes_stdout(flags->json)) {
        print_report(flags, s, train, tested, fit, losses, streamed);
    }
    predictions_free(&p);
    return code;
}

/* The fit of the method. */
static int fit_method(fit_flags *flags, const network_settings *s, const dataset *train,
                      FILE **draws, network_fit *fit, prequential_losses *losses)
{
    int code;
    if (flags->kind == METHOD_NETWORK) {
        return network_run(s, train, draws, fit);
    }
    code = choose_run(&flags->choice, &flags->greedy, train);
    if (code != 0) {
        return code;
    }
    if (flags->kind == METHOD_GREEDY) {
        return greedy_run(&flags->greedy, train, fit);
    }
    return prequential_run(&flags->greedy, flags->averages, flags->interval, train, fit, losses);
}

static int run(fit_flags *flags, const network_settings *s, const dataset *train,
               const dataset *test, outputs *files)
{
    fit_files to = {NULL, NULL, NULL, NULL, NULL, NULL, NULL};
    FILE **draws = NULL;
    network_fit fit;
    prequential_losses losses;
    stream_run streamed;
    int followed = 0;
    int code = open_all(flags, files, &to);
    memset(&losses, 0, sizeof losses);
    memset(&streamed, 0, sizeof streamed);
    if (code == 0) {
        code = cmdstan_open(files, flags->draws_csv, s->chains, &draws);
    }
    if (code == 0) {
        interrupts_catch();
        code = fit_method(flags, s, train, draws, &fit, &losses);
    }
    free(draws);
    if (code != 0) {
        return code;
    }
    if (fit.model == NULL) {
        warn("stopped before there were draws to keep: nothing is written");
        return EXIT_INTERRUPTED;
    }
    if (flags->stream_rows != NULL && !fit.was_interrupted) {
        stream_settings following = flags->following;
        following.seed = s->seed;
        following.quiet = s->quiet;
        code = stream_follow(&following, fit.model, fit.model_bytes, flags->stream_rows,
                             flags->interval, &streamed);
        followed = code == 0 && streamed.before.n > 0;
    }
    if (code == 0) {
        code = write_all(flags, s, train, test, &fit, &losses, followed ? &streamed : NULL, &to,
                         files);
    }
    if (code == 0 && fit.rhat_max > 1.01) {
        warn("R-hat of the predictions is %.2f: the chains sit in different modes; the model "
             "averages over them",
             fit.rhat_max);
    }
    if (code == 0 && fit.was_interrupted) {
        warn("stopped early: the model holds what was drawn until then");
        code = EXIT_INTERRUPTED;
    }
    if (code == 0 && streamed.was_interrupted) {
        warn("stopped early: the stream was followed for %lu rows",
             (unsigned long)streamed.before.n);
        code = EXIT_INTERRUPTED;
    }
    stream_free(&streamed);
    network_free(&fit);
    prequential_free(&losses);
    return code;
}

/* Test rows from a file of their own. */
static int with_test_file(fit_flags *flags, const network_settings *s, const dataset *data,
                          outputs *files)
{
    csv_table table;
    dataset test;
    int code;
    memset(&test, 0, sizeof test);
    code = csv_read(&table, flags->test);
    if (code == 0) {
        code = dataset_take(&test, &table, flags->target, TARGET_NEEDED);
    }
    if (code == 0) {
        code = dataset_same_inputs(data, &test);
    }
    if (code == 0 && s->single) {
        code = dataset_fits_single(&test);
    }
    if (code == 0) {
        code = run(flags, s, data, &test, files);
    }
    dataset_free(&test);
    csv_free(&table);
    return code;
}

static int with_split(fit_flags *flags, const network_settings *s, const dataset *data,
                      outputs *files)
{
    split_rows split;
    dataset train;
    dataset test;
    int code;
    memset(&train, 0, sizeof train);
    memset(&test, 0, sizeof test);
    code = splits_read(&split, flags->split_file, flags->split_index, data->n, flags->train_500);
    if (code == 0) {
        code = dataset_rows(&train, data, split.train, split.trains);
    }
    if (code == 0) {
        code = dataset_rows(&test, data, split.test, split.tests);
    }
    if (code == 0) {
        code = run(flags, s, &train, &test, files);
    }
    dataset_free(&train);
    dataset_free(&test);
    splits_free(&split);
    return code;
}

static int without_stream(fit_flags *flags, const network_settings *s, const dataset *data,
                          outputs *files)
{
    dataset none;
    if (flags->test != NULL) {
        return with_test_file(flags, s, data, files);
    }
    if (flags->split != NULL) {
        return with_split(flags, s, data, files);
    }
    memset(&none, 0, sizeof none);
    return run(flags, s, data, &none, files);
}

/* Rows to follow after the fit, from a file of their own. */
static int with_data(fit_flags *flags, const network_settings *s, const dataset *data,
                     outputs *files)
{
    csv_table table;
    dataset rows;
    int code;
    if (flags->stream == NULL) {
        return without_stream(flags, s, data, files);
    }
    memset(&rows, 0, sizeof rows);
    code = csv_read(&table, flags->stream);
    if (code == 0) {
        code = dataset_take(&rows, &table, flags->target, TARGET_NEEDED);
    }
    if (code == 0) {
        code = dataset_same_inputs(data, &rows);
    }
    if (code == 0 && s->single) {
        code = dataset_fits_single(&rows);
    }
    if (code == 0) {
        flags->stream_rows = &rows;
        code = without_stream(flags, s, data, files);
        flags->stream_rows = NULL;
    }
    dataset_free(&rows);
    csv_free(&table);
    return code;
}

int fit_command(int argc, char **argv)
{
    fit_flags flags;
    network_settings s;
    csv_table table;
    dataset data;
    outputs files;
    int code;
    if (args_want_help(argc, argv)) {
        fputs(usage_fit, stdout);
        return 0;
    }
    memset(&flags, 0, sizeof flags);
    memset(&table, 0, sizeof table);
    memset(&data, 0, sizeof data);
    memset(&files, 0, sizeof files);
    network_defaults(&s);
    greedy_defaults(&flags.greedy);
    stream_defaults(&flags.following);
    s.keep = 0; /* until the method is known */
    flags.activation = "tanh";
    flags.prior = "gaussian";
    flags.form = "quadratic";
    flags.averaging = "last";
    flags.target = "y";
    flags.method = "network";
    flags.precision = "f32";
    flags.interval = 0.9;
    code = parse(&flags, &s, argc, argv);
    if (code == 0) {
        code = share(&flags, &s);
    }
    if (code == 0) {
        code = check(&flags, &s);
    }
    if (code == 0) {
        outputs_protect(&files, flags.data);
        outputs_protect(&files, flags.test);
        outputs_protect(&files, flags.stream);
        outputs_protect(&files, flags.split_file);
        code = csv_read(&table, flags.data);
    }
    if (code == 0) {
        code = dataset_take(&data, &table, flags.target, TARGET_NEEDED);
    }
    if (code == 0 && s.single) {
        code = dataset_fits_single(&data);
    }
    if (code == 0) {
        code = with_data(&flags, &s, &data, &files);
    }
    outputs_discard(&files);
    dataset_free(&data);
    csv_free(&table);
    free(flags.split_file);
    return code;
}
