/* lcc vae fit: the fit, what stands beside its bound, the figures. */
#include "args.h"
#include "bnn.h"
#include "json.h"
#include "names.h"
#include "platform.h"
#include "splits.h"
#include "vae.h"
#include "vae_pca.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TILES = 100, ACROSS = 10 };

static lcc_data_f64 view_of(const dataset *rows)
{
    return vae_view(rows->x, rows->n, rows->d);
}

static int run_fit(vae_run *run, const lcc_vae_options_f64 *options, const dataset *rows)
{
    lcc_data_f64 data = view_of(rows);
    int32_t status = LCC_RUNNING;
    int code = room_make(&run->memory, "the auto-encoder",
                         lcc_vae_size_f64(options, data.n, data.d, &run->memory.bytes));
    THEN(code, checked("the auto-encoder", lcc_vae_init_f64(run->memory.at, run->memory.bytes, options,
                                                            &data, &run->vae)));
    while (code == 0 && status == LCC_RUNNING && !interrupted()) {
        status = lcc_vae_step_f64(run->vae, &data, 100000);
        code = checked("the fit", status);
    }
    if (code == 0 && status == LCC_RUNNING) {
        return EXIT_INTERRUPTED;
    }
    THEN(code, vae_run_shape(run));
    return code;
}

static int run_write(const vae_run *run, const char *path)
{
    size_t length = 0;
    unsigned char *sealed;
    int code = checked(path, lcc_checkpoint_size(run->vae, &length));
    if (code != 0) {
        return code;
    }
    sealed = allocate(length, 1);
    code = sealed == NULL ? EXIT_FAILED : checked(path, lcc_checkpoint(run->vae, sealed, length));
    THEN(code, file_write(path, sealed, length, NULL, 0));
    free(sealed);
    return code;
}

static int bound(const vae_run *run, const dataset *rows, const vae_flags *flags, lcc_vae_bound_f64 *out)
{
    lcc_data_f64 data = view_of(rows);
    return checked("the bound", lcc_vae_bound_of_f64(run->vae, &data, flags->draws, flags->seed,
                                                     run->scratch.at, run->scratch.bytes, out));
}

static int parse_image(vae_flags *flags)
{
    const char *cross = flags->image == NULL ? NULL : strchr(flags->image, 'x');
    double sides[2];
    if (flags->image == NULL) {
        return 0;
    }
    if (cross == NULL || !args_number(flags->image, (size_t)(cross - flags->image), &sides[0]) ||
        !args_real(cross + 1, &sides[1]) || !(sides[0] >= 1.0 && sides[0] <= 4096.0) ||
        !(sides[1] >= 1.0 && sides[1] <= 4096.0)) {
        return wrong_usage("vae: --image takes width and height, as 8x8, not \"%s\"", flags->image);
    }
    flags->tile.width = (size_t)sides[0];
    flags->tile.height = (size_t)sides[1];
    return 0;
}

static int parse_fit(vae_flags *flags, int argc, char **argv)
{
    lcc_vae_options_f64 *o = &flags->options;
    const arg_option options[] = {
        {"--data", ARG_TEXT, &flags->data, 0, 0},
        {"--target", ARG_TEXT, &flags->target, 0, 0},
        {"--latent", ARG_COUNT, &o->latent, 1, 4096},
        {"--layers", ARG_TEXT, &flags->layers, 0, 0},
        {"--output", ARG_TEXT, &flags->output, 0, 0},
        {"--activation", ARG_TEXT, &flags->activation, 0, 0},
        {"--largest", ARG_REAL, &o->largest, 0, HUGE_VAL},
        {"--noise", ARG_REAL, &o->noise, 0, HUGE_VAL},
        {"--steps", ARG_COUNT, &o->steps, 1, 4294967294.0},
        {"--batch", ARG_COUNT, &o->batch, 0, 4294967294.0},
        {"--rate", ARG_REAL, &o->rate, 0, HUGE_VAL},
        {"--seed", ARG_SEED, &flags->seed, 0, 0},
        {"--test", ARG_TEXT, &flags->test, 0, 0},
        {"--split", ARG_TEXT, &flags->split, 0, 0},
        {"--draws", ARG_COUNT, &flags->draws, 2, 1e6},
        {"--model", ARG_TEXT, &flags->model, 0, 0},
        {"--plot", ARG_TEXT, &flags->plot, 0, 0},
        {"--image", ARG_TEXT, &flags->image, 0, 0},
        {"--json", ARG_TEXT, &flags->json, 0, 0},
        {NULL, ARG_SWITCH, NULL, 0, 0},
    };
    int code = args_parse("vae fit", options, argc, argv);
    THEN(code, bnn_layers(flags->layers, o->widths));
    THEN(code, names_activation(flags->activation, &o->activation));
    THEN(code, parse_image(flags));
    if (code != 0) {
        return code;
    }
    o->seed = flags->seed;
    o->observed = strcmp(flags->output, "bernoulli") == 0 ? LCC_VAE_BERNOULLI : LCC_VAE_GAUSSIAN;
    if (o->observed == LCC_VAE_GAUSSIAN && strcmp(flags->output, "gaussian") != 0) {
        return wrong_usage("vae: --output is gaussian or bernoulli, not \"%s\"", flags->output);
    }
    if (flags->data == NULL) {
        return wrong_usage("vae: --data is missing");
    }
    return flags->test != NULL && flags->split != NULL ? wrong_usage("vae: either --test or --split") : 0;
}

/* The rows to fit and those held out, of which there may be none. */
static int choose_rows(const vae_flags *flags, const dataset *all, dataset *train, dataset *test,
                       row_file *own)
{
    char *file = NULL;
    unsigned long index = 0;
    split_rows split;
    int code;
    memset(&split, 0, sizeof split);
    if (flags->test != NULL) {
        code = vae_rows(own, flags->test, flags->target, all);
        THEN(code, dataset_rows(test, &own->rows, own->rows.origin, own->rows.n));
    } else if (flags->split == NULL) {
        code = 0;
    } else {
        code = args_split_reference(flags->split, &file, &index);
        THEN(code, splits_read(&split, file, index, all->n, 0));
        THEN(code, dataset_rows(test, all, split.test, split.tests));
        THEN(code, dataset_rows(train, all, split.train, split.trains));
        splits_free(&split);
        free(file);
        return code;
    }
    THEN(code, dataset_rows(train, all, all->origin, all->n));
    return code;
}

/* The quantiles .05, .15, ..., .95 of N(0, 1). */
static const double QUANTILES[ACROSS] = {
    -1.6448536269514722, -1.0364333894937896, -0.6744897501960817, -0.3853204664075676, -0.1256613468550740,
    0.1256613468550740,  0.3853204664075676,  0.6744897501960817,  1.0364333894937896,  1.6448536269514722};

static int plot_one(outputs *files, const vae_flags *flags, const char *name, const char *title,
                    const char *subtitle, const double *values, size_t count)
{
    char *path = join_text(flags->plot, name);
    FILE *out = NULL;
    int code = path == NULL ? EXIT_FAILED : outputs_add(files, path, &out);
    if (code == 0) {
        tiles_write(out, title, subtitle, &flags->tile, ACROSS, values, count);
    }
    free(path);
    return code;
}

static int decode(const vae_run *run, const double *z, size_t n, double *out)
{
    lcc_data_f64 data = vae_view(z, n, (size_t)run->shape.latent);
    return checked("decoding", lcc_vae_decode_f64(run->vae, &data, out, n * (size_t)run->shape.columns,
                                                  run->scratch.at, run->scratch.bytes));
}

/* The three figures; `rows` are those held out, or else those of the fit. */
static int plot(outputs *files, const vae_flags *flags, const vae_run *run, const dataset *rows)
{
    size_t d = rows->d;
    size_t k = (size_t)run->shape.latent;
    size_t pairs = rows->n < TILES / 2 ? rows->n : TILES / 2;
    double *values = allocate(TILES * d, sizeof *values);
    double *z = allocate(2 * TILES * k, sizeof *z);
    double *shown = allocate(TILES * d, sizeof *shown);
    lcc_data_f64 first = vae_view(rows->x, pairs, d);
    int code = values == NULL || z == NULL || shown == NULL ? EXIT_FAILED : 0;
    size_t i;
    if (code == 0 && k == 2) {
        for (i = 0; i < TILES; i++) {
            z[2 * i] = QUANTILES[i % ACROSS];
            z[2 * i + 1] = QUANTILES[ACROSS - 1 - i / ACROSS];
        }
        code = decode(run, z, TILES, values);
        THEN(code, plot_one(files, flags, "-grid.svg", "Decoded coordinates",
                            "mean of a row given z: quantiles .05, .15, ..., .95 of z1 across, of z2 upward",
                            values, TILES));
    }
    THEN(code, checked("encoding", lcc_vae_encode_f64(run->vae, &first, z, z + TILES * k, TILES * k,
                                                      run->scratch.at, run->scratch.bytes)));
    THEN(code, decode(run, z, pairs, values));
    if (code == 0) {
        size_t tiles = 0;
        for (i = 0; i < pairs; i += ACROSS) {
            size_t line = pairs - i < ACROSS ? pairs - i : ACROSS;
            if (line < ACROSS && i > 0) {
                break;
            }
            memcpy(shown + tiles * d, rows->x + i * d, line * d * sizeof *shown);
            memcpy(shown + (tiles + line) * d, values + i * d, line * d * sizeof *shown);
            tiles += 2 * line;
        }
        code = plot_one(files, flags, "-rows.svg", "Rows and their reconstructions",
                        "every other line: the mean of a row given the mean of its coordinates", shown, tiles);
    }
    THEN(code, checked("draws", lcc_vae_sample_f64(run->vae, TILES, flags->seed, z, TILES * k, shown,
                                                   TILES * d, run->scratch.at, run->scratch.bytes)));
    THEN(code, decode(run, z, TILES, values));
    THEN(code, plot_one(files, flags, "-draws.svg", "Draws", "mean of a row given a draw of z ~ N(0, I)",
                        values, TILES));
    free(values);
    free(z);
    free(shown);
    return code;
}

/* What a fit came to, and what stands beside it. */
typedef struct {
    size_t tests;
    lcc_vae_bound_f64 train;
    lcc_vae_bound_f64 test;
    int has_pca;
    pca_fit pca;
    int has_linear;
    lcc_vae_bound_f64 linear_train;
    lcc_vae_bound_f64 linear_test;
    double seconds;
} vae_result;

static void print_bound(const char *what, const lcc_vae_bound_f64 *train, const lcc_vae_bound_f64 *test)
{
    printf("%-12s%.4f +- %.4f a row, KL %.2f", what, train->bound, train->error, train->kl);
    if (test != NULL) {
        printf("; held out %.4f +- %.4f, KL %.2f", test->bound, test->error, test->kl);
    }
    fputc('\n', stdout);
}

static void print_fit(const vae_run *run, const dataset *train, const vae_flags *flags, const vae_result *r)
{
    printf("%lu rows of %lu columns, %lu coordinates, %lu parameters, %" PRIu32 " steps, %.2f s\n",
           (unsigned long)train->n, (unsigned long)train->d, (unsigned long)run->shape.latent,
           (unsigned long)run->shape.parameters, flags->options.steps, r->seconds);
    printf("a lower bound of ln p, %s\n",
           flags->options.observed == LCC_VAE_GAUSSIAN ? "a log density" : "Bernoulli: of grey values a score");
    print_bound("bound", &r->train, r->tests > 0 ? &r->test : NULL);
    if (r->has_pca) {
        printf("%-12s%.4f a row", "PCA", r->pca.train);
        if (r->tests > 0) {
            printf("; held out %.4f", r->pca.test);
        }
        printf(" (probabilistic, exact), noise %.4g\n", r->pca.noise);
    }
    if (r->has_linear) {
        print_bound("linear", &r->linear_train, r->tests > 0 ? &r->linear_test : NULL);
    }
    if (flags->options.observed == LCC_VAE_GAUSSIAN) {
        printf("noise       %.4g\n", run->shape.noise);
    }
}

static void write_bound(json_writer *json, const char *key, const lcc_vae_bound_f64 *b)
{
    json_object(json, key);
    json_number(json, "bound", b->bound);
    json_number(json, "error", b->error);
    json_number(json, "kl", b->kl);
    json_object_end(json);
}

static void write_fit(FILE *out, const vae_run *run, const dataset *train, const vae_flags *flags,
                      const vae_result *r)
{
    json_writer json;
    json_begin(&json, out, VAE_DIGITS);
    json_text(&json, "output", flags->output);
    json_count(&json, "n", train->n);
    json_count(&json, "columns", train->d);
    json_count(&json, "latent", run->shape.latent);
    json_count(&json, "parameters", run->shape.parameters);
    json_number(&json, "noise", run->shape.noise);
    write_bound(&json, "train", &r->train);
    if (r->tests > 0) {
        json_count(&json, "n_test", r->tests);
        write_bound(&json, "test", &r->test);
    }
    if (r->has_pca) {
        json_object(&json, "pca");
        json_number(&json, "train", r->pca.train);
        json_number(&json, "test", r->pca.test);
        json_number(&json, "noise", r->pca.noise);
        json_object_end(&json);
    }
    if (r->has_linear) {
        write_bound(&json, "linear_train", &r->linear_train);
        if (r->tests > 0) {
            write_bound(&json, "linear_test", &r->linear_test);
        }
    }
    json_number(&json, "seconds", r->seconds);
    json_end(&json);
}

/* What stands beside the bound: exact where there is something exact. */
static int compare(const vae_flags *flags, const dataset *train, const dataset *test, vae_result *r)
{
    lcc_vae_options_f64 linear = flags->options;
    vae_run run;
    int code = 0;
    if (flags->options.observed == LCC_VAE_GAUSSIAN) {
        r->has_pca = flags->options.latent < train->d && train->d <= 1000;
        return r->has_pca ? pca_run(train, r->tests > 0 ? test : NULL, flags->options.latent, &r->pca) : 0;
    }
    if (flags->options.widths[0] == 0) {
        return 0;
    }
    memset(&run, 0, sizeof run);
    memset(linear.widths, 0, sizeof linear.widths);
    code = run_fit(&run, &linear, train);
    THEN(code, bound(&run, train, flags, &r->linear_train));
    if (r->tests > 0) {
        THEN(code, bound(&run, test, flags, &r->linear_test));
    }
    r->has_linear = code == 0;
    vae_run_free(&run);
    return code;
}

static int fit_rows(vae_flags *flags, const dataset *train, const dataset *test, outputs *files)
{
    vae_run run;
    vae_result r;
    FILE *json = NULL;
    double began = seconds_now();
    size_t j;
    int code;
    memset(&run, 0, sizeof run);
    memset(&r, 0, sizeof r);
    r.tests = test->n;
    if (flags->options.batch > train->n) {
        flags->options.batch = 0;
    }
    if (flags->image == NULL) {
        flags->tile.width = train->d;
        flags->tile.height = 1;
    } else if (flags->tile.width * flags->tile.height != train->d) {
        return wrong_usage("vae: --image %s does not have %lu pixels", flags->image, (unsigned long)train->d);
    }
    flags->tile.low = HUGE_VAL;
    flags->tile.high = -HUGE_VAL;
    for (j = 0; j < train->n * train->d; j++) {
        flags->tile.low = fmin(flags->tile.low, train->x[j]);
        flags->tile.high = fmax(flags->tile.high, train->x[j]);
    }
    code = run_fit(&run, &flags->options, train);
    r.seconds = seconds_now() - began;
    THEN(code, bound(&run, train, flags, &r.train));
    if (r.tests > 0) {
        THEN(code, bound(&run, test, flags, &r.test));
    }
    THEN(code, compare(flags, train, test, &r));
    if (flags->plot != NULL) {
        THEN(code, plot(files, flags, &run, r.tests > 0 ? test : train));
    }
    THEN(code, outputs_add(files, flags->json, &json));
    if (json != NULL) {
        write_fit(json, &run, train, flags, &r);
    }
    THEN(code, outputs_publish(files));
    if (flags->model != NULL) {
        THEN(code, run_write(&run, flags->model));
    }
    if (code == 0 && !files->to_stdout) {
        print_fit(&run, train, flags, &r);
    }
    vae_run_free(&run);
    return code;
}

int vae_fit(vae_flags *flags, int argc, char **argv, outputs *files)
{
    row_file data;
    row_file own;
    dataset train;
    dataset test;
    int code = parse_fit(flags, argc, argv);
    memset(&data, 0, sizeof data);
    memset(&own, 0, sizeof own);
    memset(&train, 0, sizeof train);
    memset(&test, 0, sizeof test);
    outputs_protect(files, flags->data);
    outputs_protect(files, flags->test);
    THEN(code, vae_rows(&data, flags->data, flags->target, NULL));
    THEN(code, choose_rows(flags, &data.rows, &train, &test, &own));
    if (code == 0) {
        interrupts_catch();
        code = fit_rows(flags, &train, &test, files);
    }
    dataset_free(&train);
    dataset_free(&test);
    row_file_free(&data);
    row_file_free(&own);
    return code;
}
