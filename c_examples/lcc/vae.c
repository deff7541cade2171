/* lcc vae: coordinates of rows by a variational auto-encoder; where rows are, what coordinates show, draws. */
#include "vae.h"

#include "args.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char usage_vae[] =
    "lcc vae fit --data D.csv [options]     learns k coordinates of rows, and what rows are given them\n"
    "\n"
    "  --latent K                 coordinates, z ~ N(0, I)                               [2]\n"
    "  --layers A,B,...           hidden layers of the encoder, the decoder's being the same backwards;\n"
    "                             0: none, which is probabilistic PCA                   [32]\n"
    "  --output gaussian|bernoulli   numbers with noise of one sd, or shares of a largest value\n"
    "                                                                             [gaussian]\n"
    "  --largest B                bernoulli: of the rows, as 16 of grey values            [1]\n"
    "  --noise S                  gaussian: the sd of the noise                       [learnt]\n"
    "  --activation NAME          see lcc --version                                    [tanh]\n"
    "  --steps N --batch B        of Adam, of so many rows drawn at random; 0: all [5000, 32]\n"
    "  --rate R                   of the first half of the steps, then falling to 0   [0.005]\n"
    "  --seed S                                                                           [1]\n"
    "  --target NAME              a column that is left out where there is one            [y]\n"
    "  --test T.csv | --split FILE:K   rows held out\n"
    "  --draws N                  of z, for the bound of each row                       [100]\n"
    "  --model M.vae              the auto-encoder, with a checksum\n"
    "  --plot PREFIX              PREFIX-grid.svg (two coordinates), -rows.svg, -draws.svg\n"
    "  --image WxH                the plots show rows as pictures                   [a line]\n"
    "  --json FILE                one JSON object (- for standard output, and nothing else)\n"
    "\n"
    "The fit maximises a lower bound of ln p(rows), which it reports with its Monte Carlo error: no posterior\n"
    "of the parameters. With Gaussian output the bound is of a log density and stands beside the exact one of\n"
    "probabilistic PCA with as many coordinates. With Bernoulli output it is of another measure (of grey values a\n"
    "score, no density), and stands beside the same fit without hidden layers.\n"
    "\n"
    "lcc vae encode --model M.vae --data D.csv --out Z.csv   means z1, ... and sds sd1, ... of z given rows\n"
    "lcc vae decode --model M.vae --data Z.csv --out Y.csv   mean of a row given the columns z1, ..., zk\n"
    "lcc vae sample --model M.vae --count N --seed S --out Y.csv   draws of z and rows, noise included\n";

lcc_data_f64 vae_view(const double *x, size_t n, size_t d)
{
    lcc_data_f64 data;
    data.x = x;
    data.y = NULL;
    data.n = n;
    data.d = d;
    data.row_stride = d;
    data.column_stride = 1;
    return data;
}

void vae_run_free(vae_run *run)
{
    room_free(&run->memory);
    room_free(&run->scratch);
}

int vae_run_shape(vae_run *run)
{
    int code = checked("the auto-encoder", lcc_vae_shape_of_f64(run->vae, &run->shape));
    run->scratch.bytes = (size_t)run->shape.scratch;
    THEN(code, room_make(&run->scratch, "the auto-encoder", LCC_OK));
    return code;
}

int vae_rows(row_file *file, const char *path, const char *target, const dataset *like)
{
    return row_file_read(file, path, NULL, target, TARGET_OPTIONAL, like, 0);
}

static int run_read(vae_run *run, const char *path)
{
    size_t length = 0;
    unsigned char *sealed = file_read(path, &length);
    const char *type;
    int code = sealed == NULL ? EXIT_FAILED : 0;
    /* The seal is longer than the head of a handle. */
    run->memory.bytes = length;
    THEN(code, room_make(&run->memory, path, LCC_OK));
    THEN(code, checked(path, lcc_restore(run->memory.at, run->memory.bytes, sealed, length)));
    free(sealed);
    if (code != 0) {
        return code;
    }
    run->vae = run->memory.at;
    type = lcc_read_type(run->vae);
    if (type == NULL || strcmp(type, "lcc_vae_f64") != 0) {
        return fail("%s: holds no auto-encoder", path);
    }
    return vae_run_shape(run);
}

/* A header of two kinds of columns, and lines of two lists. */
static void write_lists(FILE *out, const char *const names[2], const size_t widths[2],
                        const double *const lists[2], size_t n)
{
    size_t i;
    size_t j;
    int list;
    for (list = 0; list < 2; list++) {
        for (j = 0; j < widths[list]; j++) {
            fprintf(out, "%s%s%lu", j + (list > 0 ? widths[0] : 0) > 0 ? "," : "", names[list],
                    (unsigned long)j + 1);
        }
    }
    fputc('\n', out);
    for (i = 0; i < n; i++) {
        for (list = 0; list < 2; list++) {
            for (j = 0; j < widths[list]; j++) {
                fprintf(out, "%s%.*g", j + (list > 0 ? widths[0] : 0) > 0 ? "," : "", VAE_DIGITS,
                        lists[list][i * widths[list] + j]);
            }
        }
        fputc('\n', out);
    }
}

/* encode, decode and sample: two lists of numbers a row. */
static int use(const char *what, vae_flags *flags, int argc, char **argv, outputs *files)
{
    const arg_option options[] = {
        {"--model", ARG_TEXT, &flags->model, 0, 0},  {"--data", ARG_TEXT, &flags->data, 0, 0},
        {"--out", ARG_TEXT, &flags->out, 0, 0},      {"--target", ARG_TEXT, &flags->target, 0, 0},
        {"--count", ARG_COUNT, &flags->count, 1, 1e9}, {"--seed", ARG_SEED, &flags->seed, 0, 0},
        {NULL, ARG_SWITCH, NULL, 0, 0},
    };
    int sampling = strcmp(what, "sample") == 0;
    int encoding = strcmp(what, "encode") == 0;
    const char *names[2] = {"z", "y"};
    size_t widths[2];
    const double *lists[2];
    double *first = NULL;
    double *second = NULL;
    size_t n = flags->count;
    row_file data;
    lcc_data_f64 rows;
    vae_run run;
    FILE *out = NULL;
    int code = args_parse("vae", options, argc, argv);
    memset(&run, 0, sizeof run);
    memset(&data, 0, sizeof data);
    if (code == 0 && (flags->model == NULL || flags->out == NULL || (!sampling && flags->data == NULL))) {
        code = wrong_usage("vae %s: %s is missing", what,
                           flags->model == NULL ? "--model" : (flags->out == NULL ? "--out" : "--data"));
    }
    outputs_protect(files, flags->data);
    outputs_protect(files, flags->model);
    THEN(code, run_read(&run, flags->model));
    if (!sampling) {
        THEN(code, vae_rows(&data, flags->data, flags->target, NULL));
    }
    if (code == 0) {
        n = sampling ? flags->count : data.rows.n;
        rows = vae_view(data.rows.x, data.rows.n, data.rows.d);
        widths[0] = sampling || encoding ? (size_t)run.shape.latent : 0;
        widths[1] = encoding ? (size_t)run.shape.latent : (size_t)run.shape.columns;
        names[1] = encoding ? "sd" : "y";
        if (n > (size_t)-1 / widths[1] / sizeof(double)) {
            code = fail("so many rows do not fit in memory");
        }
    }
    if (code == 0) {
        first = allocate(n * widths[0], sizeof *first);
        second = allocate(n * widths[1], sizeof *second);
        code = first == NULL || second == NULL ? EXIT_FAILED : 0;
    }
    if (code == 0 && sampling) {
        code = checked("draws", lcc_vae_sample_f64(run.vae, n, flags->seed, first, n * widths[0], second,
                                                   n * widths[1], run.scratch.at, run.scratch.bytes));
    } else if (code == 0 && encoding) {
        code = checked(flags->data, lcc_vae_encode_f64(run.vae, &rows, first, second, n * widths[1],
                                                       run.scratch.at, run.scratch.bytes));
    } else if (code == 0) {
        /* Where rows were encoded, their sds stand behind the coordinates. */
        rows.d = rows.d == 2 * run.shape.latent ? (size_t)run.shape.latent : rows.d;
        code = checked(flags->data, lcc_vae_decode_f64(run.vae, &rows, second, n * widths[1],
                                                       run.scratch.at, run.scratch.bytes));
    }
    THEN(code, outputs_add(files, flags->out, &out));
    if (code == 0) {
        lists[0] = first;
        lists[1] = second;
        write_lists(out, names, widths, lists, n);
        code = outputs_publish(files);
    }
    free(first);
    free(second);
    row_file_free(&data);
    vae_run_free(&run);
    return code;
}

int vae_command(int argc, char **argv)
{
    static const char *const kinds[] = {"encode", "decode", "sample"};
    vae_flags flags;
    outputs files;
    size_t k;
    int code;
    memset(&flags, 0, sizeof flags);
    memset(&files, 0, sizeof files);
    flags.target = "y";
    flags.layers = "32";
    flags.output = "gaussian";
    flags.activation = "tanh";
    flags.draws = 100;
    flags.count = 100;
    flags.seed = 1;
    code = checked("the options", lcc_vae_options_default_f64(&flags.options));
    flags.options.batch = 32;
    if (code == 0 && argc > 0 && strcmp(argv[0], "fit") == 0) {
        code = vae_fit(&flags, argc - 1, argv + 1, &files);
    } else if (code == 0) {
        code = -1;
        for (k = 0; argc > 0 && k < sizeof kinds / sizeof *kinds; k++) {
            if (strcmp(argv[0], kinds[k]) == 0) {
                code = use(kinds[k], &flags, argc - 1, argv + 1, &files);
            }
        }
        if (code < 0) {
            code = wrong_usage("vae: fit, encode, decode or sample (lcc vae --help)");
        }
    }
    outputs_discard(&files);
    return code;
}
