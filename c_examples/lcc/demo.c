#include "args.h"
#include "bnn.h"
#include "cli.h"
#include "csv.h"
#include "demo_data.h"
#include "files.h"
#include "luck.h"
#include "model.h"
#include "platform.h"
#include "plot.h"
#include "splits.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double level = 0.9;

typedef struct {
    const char *folder;
    network_settings network;
    bnn_settings bnn;
} demo_settings;

/* The three files of the demonstration. */
typedef struct {
    FILE *predictions;
    FILE *model;
    FILE *plot;
} demo_files;

static void announce(const demo_settings *s, const dataset *train, const dataset *test)
{
    const network_settings *net = &s->network;
    printf("LCC %s - a Bayesian neural network learns how much NOx a gas turbine emits,\n"
           "from sensors that cost little, and says how sure it is of every prediction.\n\n",
           lcc_version());
    printf("  Data      %lu hourly readings, %lu sensors: %lu rows to learn from, %lu to test on\n"
           "            (Kaya, Tufekci, Uzun 2019; UCI repository, doi:10.24432/C5WC95, CC BY 4.0)\n",
           (unsigned long)(train->n + test->n), (unsigned long)train->d, (unsigned long)train->n,
           (unsigned long)test->n);
    printf("  Network   one hidden layer of %" PRIu32 " neurons; which sensors matter, the noise and\n"
           "            its tails are inferred with the weights\n",
           net->neurons);
    printf("  Sampling  %" PRIu32 " short chains of %" PRIu32 " warm-up trajectories and %" PRIu32
           " draws, in single precision;\n            seed %" PRIu64 "\n\n",
           net->chains, net->warmup, net->draws, net->seed);
    (void)fflush(stdout);
}

/* The error of predicting the mean of the training rows everywhere. */
static double rmse_of_mean(const dataset *train, const dataset *test)
{
    double mean = 0.0;
    double squares = 0.0;
    size_t i;
    for (i = 0; i < train->n; i++) {
        mean += train->y[i] / (double)train->n;
    }
    for (i = 0; i < test->n; i++) {
        squares += (test->y[i] - mean) * (test->y[i] - mean);
    }
    return sqrt(squares / (double)test->n);
}

/* Three test rows spread over the file. */
static void print_examples(const dataset *test, const predictions *p)
{
    size_t k;
    printf("\n  Three of the test rows, NOx in mg/m3\n"
           "    row    predicted    90 %% interval       measured\n");
    for (k = 0; k < 3 && k < test->n; k++) {
        size_t i = (2 * k + 1) * test->n / 6;
        int inside = test->y[i] >= p->lower[i] && test->y[i] <= p->upper[i];
        printf("    %-6lu %8.1f     %6.1f to %-6.1f   %8.1f   %s\n",
               (unsigned long)test->origin[i] + 1, p->mean[i], p->lower[i], p->upper[i],
               test->y[i], inside ? "inside" : "outside");
    }
}

static void print_report(const dataset *train, const dataset *test, const predictions *p,
                         const evaluation *e, const network_fit *fit, const luck_facts *luck)
{
    printf("  On the test rows\n");
    printf("    typical error (RMSE)     %7.2f mg/m3   (predicting the mean: %.2f)\n", e->rmse,
           rmse_of_mean(train, test));
    printf("    90 %% intervals hold      %7.1f %%       of the measurements; %.1f mg/m3 wide on "
           "average\n",
           100.0 * e->coverage, e->width);
    printf("    log score                %7.3f         mean log density, higher is better\n",
           e->log_likelihood);
    print_examples(test, p);
    printf("\n  How much is luck\n");
    printf("    another seed would move a prediction by %.1f %% of its uncertainty, half of them by\n"
           "    less than %.1f %%: a single chain stays in one of the many modes of the posterior\n",
           100.0 * luck->rms, 100.0 * luck->median);
    if (fit->rhat_max == fit->rhat_max) {
        printf("    (R-hat %.2f), and", fit->rhat_max);
    } else {
        printf("    (too few draws for R-hat), and");
    }
    printf(" the prediction is the average over %" PRIu32 " of them\n", fit->chains_used);
    printf("\n  Cost\n");
    printf("    %.1f s on one core, %" PRIu64 " gradients; %lu bytes of workspace, no allocation\n"
           "    inside the library; the model takes %lu bytes\n",
           fit->seconds, fit->gradients, (unsigned long)fit->workspace_bytes,
           (unsigned long)fit->model_bytes);
}

static void write_plot(FILE *out, const dataset *test, const predictions *p, const evaluation *e)
{
    char subtitle[160];
    plot_words words;
    (void)snprintf(subtitle, sizeof subtitle,
                   "%lu test rows: RMSE %.2f mg/m\302\263, 90 %% intervals cover %.1f %%",
                   (unsigned long)test->n, e->rmse, 100.0 * e->coverage);
    words.title = "NOx of a gas turbine: predicted against measured";
    words.subtitle = subtitle;
    words.quantity = "NOx";
    words.unit = "mg/m\302\263";
    plot_write(out, &words, p, test->y);
}

static int open_one(outputs *files, const char *folder, const char *name, FILE **out)
{
    char *path = join_text(folder, name);
    int code = path == NULL ? EXIT_FAILED : outputs_add(files, path, out);
    free(path);
    return code;
}

static int open_all(const char *folder, outputs *files, demo_files *to)
{
    int code;
    if (folder_make(folder) != 0) {
        return fail("%s: the folder cannot be made", folder);
    }
    code = open_one(files, folder, "/predictions.csv", &to->predictions);
    THEN(code, open_one(files, folder, "/model.lcc", &to->model));
    THEN(code, open_one(files, folder, "/plot.svg", &to->plot));
    return code;
}

static int show(const demo_settings *s, const dataset *train, const dataset *test,
                const network_fit *fit, const demo_files *to, outputs *files)
{
    predictions p;
    luck_facts luck;
    evaluation e;
    int code = model_predict(fit->model, fit->model_bytes, test, level, &p);
    if (code != 0) {
        return code;
    }
    e = predictions_evaluate(&p, test->y);
    predictions_write(to->predictions, &p, test);
    (void)fwrite(fit->model, 1, fit->model_bytes, to->model);
    write_plot(to->plot, test, &p, &e);
    code = luck_tell(fit->model, fit->model_bytes, test, s->network.keep, &p, &luck);
    THEN(code, outputs_publish(files));
    if (code == 0) {
        print_report(train, test, &p, &e, fit, &luck);
        printf("\n  Written\n"
               "    %s/predictions.csv   mean, sd, interval and measured value of every test row\n"
               "    %s/plot.svg          the same as a picture: open it in a browser\n"
               "    %s/model.lcc         the model: lcc predict --model %s/model.lcc --data X.csv\n"
               "\n  Your own data: lcc fit --help\n",
               s->folder, s->folder, s->folder, s->folder);
    }
    predictions_free(&p);
    return code;
}

static int run(demo_settings *s, const schema *columns, const dataset *train, const dataset *test,
               outputs *files)
{
    demo_files to = {NULL, NULL, NULL};
    network_fit fit;
    int code = bnn_settle(&s->network, &s->bnn, train);
    THEN(code, open_all(s->folder, files, &to));
    if (code != 0) {
        return code;
    }
    announce(s, train, test);
    interrupts_catch();
    code = bnn_run(&s->network, &s->bnn, train, &fit);
    if (code != 0) {
        return code;
    }
    if (fit.model == NULL) {
        warn("stopped before there were draws to keep: nothing is written");
        return EXIT_INTERRUPTED;
    }
    code = model_attach(&fit.model, &fit.model_bytes, columns);
    THEN(code, show(s, train, test, &fit, &to, files));
    if (code == 0 && fit.was_interrupted) {
        warn("stopped early: these are the draws until then");
        code = EXIT_INTERRUPTED;
    }
    network_free(&fit);
    return code;
}

static int with_data(demo_settings *s, outputs *files)
{
    static const schema_wish wish = {NULL, NULL, 0, 0};
    csv_table table;
    dataset train;
    dataset test;
    split_rows split;
    row_list trains;
    row_list tests;
    schema columns;
    int code;
    memset(&train, 0, sizeof train);
    memset(&test, 0, sizeof test);
    memset(&split, 0, sizeof split);
    memset(&columns, 0, sizeof columns);
    code = csv_parse(&table, "gas_turbine_nox.csv", demo_csv, demo_csv_length, NULL);
    THEN(code, splits_parse(&split, "gas_turbine_nox.json", (const char *)demo_splits,
                            demo_splits_length, 0, table.rows, 0));
    trains.table = &table;
    trains.rows = split.train;
    trains.count = split.trains;
    tests.table = &table;
    tests.rows = split.test;
    tests.count = split.tests;
    THEN(code, schema_learn(&columns, &trains, csv_column(&table, "y"), &wish));
    THEN(code, schema_encode(&columns, &trains, "y", TARGET_NEEDED, 0, &train));
    THEN(code, schema_encode(&columns, &tests, "y", TARGET_NEEDED, 0, &test));
    THEN(code, run(s, &columns, &train, &test, files));
    schema_free(&columns);
    splits_free(&split);
    dataset_free(&test);
    dataset_free(&train);
    csv_free(&table);
    return code;
}

int demo_command(int argc, char **argv)
{
    demo_settings s;
    outputs files;
    int code;
    const arg_option options[] = {
        {"--out", ARG_TEXT, &s.folder, 0, 0},
        {"--neurons", ARG_COUNT, &s.network.neurons, 1, 1e6},
        {"--chains", ARG_COUNT, &s.network.chains, 1, 4096},
        {"--warmup", ARG_COUNT, &s.network.warmup, 0, 1e9},
        {"--draws", ARG_COUNT, &s.network.draws, 1, 1e9},
        {"--keep", ARG_COUNT, &s.network.keep, 1, 1e9},
        {"--seed", ARG_SEED, &s.network.seed, 0, 0},
        {"--quiet", ARG_SWITCH, &s.network.quiet, 0, 0},
        {NULL, ARG_SWITCH, NULL, 0, 0},
    };
    memset(&files, 0, sizeof files);
    memset(&s, 0, sizeof s);
    s.folder = "out";
    bnn_defaults(&s.network, &s.bnn);
    code = args_parse("demo", options, argc, argv);
    s.bnn.widths[0] = s.network.neurons;
    THEN(code, with_data(&s, &files));
    outputs_discard(&files);
    return code;
}
