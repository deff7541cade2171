#include "args.h"
#include "classes.h"
#include "cli.h"
#include "files.h"
#include "json.h"
#include "model.h"
#include "names.h"
#include "view.h"

#include <lcc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_QUANTILES = 64, MOST_DRAWS = 10000 };

typedef struct {
    const char *model;
    const char *data;
    const char *target;
    const char *predictions;
    const char *json;
    const char *unknown;
    const char *delimiter;
    double interval;
    const char *quantiles;
    uint32_t draws;
    uint64_t seed;
    int quiet;
    int unknown_mean;
    size_t levels;
    double level[MOST_QUANTILES];
    char *names; /* of the further columns */
} predict_flags;

/* The probabilities of --quantiles, and what the further columns are called: q_ and the word given, draw_1, draw_2, ... */
static int further(predict_flags *flags)
{
    const char *at = flags->quantiles;
    size_t most = 1 + (at == NULL ? 0 : 3 * strlen(at) + 3) + 16 * (size_t)flags->draws;
    size_t used = 0;
    uint32_t k;
    flags->names = allocate(most, 1);
    if (flags->names == NULL) {
        return EXIT_FAILED;
    }
    flags->names[0] = '\0';
    while (at != NULL) {
        size_t length = strcspn(at, ",");
        double *p = &flags->level[flags->levels];
        if (flags->levels == MOST_QUANTILES || !args_number(at, length, p) || !(*p > 0.0 && *p < 1.0)) {
            return wrong_usage("--quantiles takes up to %d probabilities between 0 and 1, as .05,.5,.95, not \"%s\"",
                               MOST_QUANTILES, flags->quantiles);
        }
        flags->levels++;
        used += (size_t)snprintf(flags->names + used, most - used, ",q_%.*s", (int)length, at);
        at = at[length] == ',' ? at + length + 1 : NULL;
    }
    for (k = 1; k <= flags->draws; k++) {
        used += (size_t)snprintf(flags->names + used, most - used, ",draw_%lu", (unsigned long)k);
    }
    return 0;
}

static int parse(predict_flags *flags, int argc, char **argv)
{
    const arg_option options[] = {
        {"--model", ARG_TEXT, &flags->model, 0, 0},
        {"--data", ARG_TEXT, &flags->data, 0, 0},
        {"--target", ARG_TEXT, &flags->target, 0, 0},
        {"--predictions", ARG_TEXT, &flags->predictions, 0, 0},
        {"--unknown", ARG_TEXT, &flags->unknown, 0, 0},
        {"--delimiter", ARG_TEXT, &flags->delimiter, 0, 0},
        {"--interval", ARG_REAL, &flags->interval, 0, 1},
        {"--quantiles", ARG_TEXT, &flags->quantiles, 0, 0},
        {"--draws", ARG_COUNT, &flags->draws, 1, MOST_DRAWS},
        {"--seed", ARG_SEED, &flags->seed, 0, 0},
        {"--json", ARG_TEXT, &flags->json, 0, 0},
        {"--quiet", ARG_SWITCH, &flags->quiet, 0, 0},
        {NULL, ARG_SWITCH, NULL, 0, 0},
    };
    int code = args_parse("predict", options, argc, argv);
    THEN(code, names_unknown(flags->unknown, &flags->unknown_mean));
    if (code != 0) {
        return code;
    }
    if (flags->model == NULL) {
        return wrong_usage("predict: --model is missing");
    }
    if (flags->data == NULL) {
        return wrong_usage("predict: --data is missing");
    }
    return further(flags);
}

/* Rows of which the target is not known are read, predicted and written in blocks of about so many bytes: any number of
 * them takes the same memory. Scores need all rows at once. */
enum { BLOCK = 1 << 20 };

/* What there is to say in the end. */
typedef struct {
    size_t n;
    size_t d;
    int digits;
    outside_count outside;
    int known; /* the target, and so */
    evaluation scores;
} result;

static void write_json(FILE *out, const predict_flags *flags, const result *r)
{
    json_writer json;
    json_begin(&json, out, r->digits);
    json_count(&json, "n", r->n);
    json_count(&json, "d", r->d);
    json_number(&json, "interval", flags->interval);
    if (r->outside.of > 0) {
        json_count(&json, "extrapolated_rows", r->outside.rows);
    }
    evaluation_write_test(&json, r->known ? &r->scores : NULL, NULL);
    json_end(&json);
}

/* Scores of rows whose target is known, and of a model of classes on noise. */
static int judge(unsigned char *model, size_t bytes, const dataset *rows,
                 const predictions *p, result *r)
{
    noise_trial trial;
    network_fit fitted;
    noise_facts noise;
    int code = 0;
    memset(&noise, 0, sizeof noise);
    if (p->classes > 0) {
        memset(&fitted, 0, sizeof fitted);
        fitted.model = model;
        fitted.model_bytes = bytes;
        code = noise_judge(&trial, &fitted, rows, rows, p, 1, &noise);
        noise_free(&trial);
    }
    r->scores = predictions_evaluate(p, rows->y);
    r->scores.noise = noise;
    return code;
}

/* Quantiles and draws. A row's draws are those of its number in the file, however the rows are cut into blocks. */
static int tell_further(const predict_flags *flags, const unsigned char *model, size_t bytes, const dataset *rows,
                        predictions *p)
{
    static const char doing[] = "prediction";
    size_t columns = flags->levels + flags->draws;
    lcc_data_f64 view;
    room scratch;
    size_t i;
    int code;
    if (columns == 0) {
        return 0;
    }
    if (p->classes > 0) {
        return wrong_usage("predict: --quantiles and --draws are of numbers, the model is of classes");
    }
    code = room_make(&scratch, doing, lcc_model_scratch_f64(model, bytes, &scratch.bytes));
    memset(&view, 0, sizeof view);
    p->more = allocate(rows->n * columns, sizeof *p->more);
    p->more_columns = columns;
    p->more_names = flags->names;
    THEN(code, p->more == NULL ? EXIT_FAILED : view_f64(rows, &view));
    for (i = 0; code == 0 && i < rows->n; i++) {
        uint64_t number = rows->table->before + rows->origin[i];
        double *to = p->more + i * columns;
        lcc_data_f64 row = view;
        row.x = view.x + i * view.row_stride;
        row.y = NULL;
        row.n = 1;
        if (flags->levels > 0) {
            code = checked(doing, lcc_model_quantile_f64(model, bytes, &row, flags->level, flags->levels, scratch.at,
                                                         scratch.bytes, to, flags->levels));
        }
        if (code == 0 && flags->draws > 0) {
            code = checked(doing, lcc_model_draw_f64(model, bytes, &row, flags->seed + UINT64_C(0x9e3779b97f4a7c15) * number,
                                                     flags->draws, scratch.at, scratch.bytes, to + flags->levels,
                                                     flags->draws));
        }
    }
    room_free(&scratch);
    view_free_f64(&view);
    return code;
}

/* The rows of one table, predicted and written. */
static int block(const predict_flags *flags, const model_wish *wish, const schema *columns,
                 unsigned char *model, size_t bytes, row_file *data, FILE *out, result *r)
{
    predictions p;
    int code;
    memset(&p, 0, sizeof p);
    code = model_encode(columns, wish, data, &r->outside);
    THEN(code, model_predict(model, bytes, &data->rows, flags->interval, &p));
    THEN(code, tell_further(flags, model, bytes, &data->rows, &p));
    if (code == 0) {
        r->n += data->rows.n;
        r->d = data->rows.d;
        r->digits = p.digits;
        r->known = data->rows.y != NULL;
    }
    if (code == 0 && r->known) {
        code = judge(model, bytes, &data->rows, &p, r);
    }
    if (code == 0 && out != NULL && p.classes > 0) {
        classes_write(out, &p, columns == NULL ? NULL : &columns->target, &data->rows);
    } else if (code == 0 && out != NULL) {
        predictions_write(out, &p, &data->rows);
    }
    predictions_free(&p);
    return code;
}

static int all_rows(const predict_flags *flags, const schema *columns, unsigned char *model,
                    size_t bytes, FILE *out, result *r)
{
    const model_wish wish = {flags->data, flags->target, flags->delimiter, TARGET_OPTIONAL,
                             flags->unknown_mean};
    csv_wish how = {NULL, NULL, NULL, {NULL, NULL}, 0};
    csv_blocks source;
    int whole = 0;
    int more = 1;
    int code = csv_open(&source, flags->data);
    how.delimiter = flags->delimiter;
    THEN(code, csv_has(&source, &how, model_target(columns, &wish), &whole));
    while (code == 0 && more) {
        row_file data;
        memset(&data, 0, sizeof data);
        code = csv_next(&source, &data.table, &how, whole ? (size_t)-1 : BLOCK);
        more = data.table.rows > 0;
        if (code == 0 && more) {
            code = block(flags, &wish, columns, model, bytes, &data, out, r);
        }
        row_file_free(&data);
    }
    if (code == 0) {
        outside_say(&r->outside, columns, source.path);
    }
    csv_close(&source);
    return code;
}

static int copy(FILE *from, FILE *to)
{
    char some[4096];
    size_t got;
    rewind(from);
    while ((got = fread(some, 1, sizeof some, from)) > 0 && fwrite(some, 1, got, to) == got) {
    }
    return ferror(from) ? fail("the predictions cannot be read back") : 0;
}

/* Predictions go to their file, or to standard output unless JSON has it: once all is well, so that they wait in a file
 * of no name. */
static int run(const predict_flags *flags, outputs *files)
{
    schema columns;
    result r;
    FILE *csv = NULL;
    FILE *json = NULL;
    FILE *waiting = NULL;
    int has = 0;
    size_t bytes = 0;
    unsigned char *model = file_read(flags->model, &bytes);
    int code = model == NULL ? EXIT_FAILED : 0;
    int free_stdout;
    memset(&columns, 0, sizeof columns);
    memset(&r, 0, sizeof r);
    THEN(code, model_schema(model, bytes, flags->model, &columns, &has));
    THEN(code, outputs_add(files, flags->predictions, &csv));
    THEN(code, outputs_add(files, flags->json, &json));
    free_stdout = !files->to_stdout;
    if (code == 0 && csv == NULL && free_stdout) {
        waiting = tmpfile();
        code = waiting == NULL ? fail("no temporary file can be made: give --predictions FILE") : 0;
    }
    THEN(code, all_rows(flags, has ? &columns : NULL, model, bytes, csv != NULL ? csv : waiting, &r));
    if (code == 0 && json != NULL) {
        write_json(json, flags, &r);
    }
    THEN(code, outputs_publish(files));
    if (code == 0 && waiting != NULL) {
        code = copy(waiting, stdout);
    } else if (code == 0 && free_stdout && r.known && r.scores.classes) {
        evaluation_print("", &r.scores, flags->interval);
    } else if (code == 0 && free_stdout && r.known) {
        printf("%lu rows: RMSE %.6g, mean log density %.4f, %g %% intervals hold %.1f %%, mean "
               "width %.6g\n",
               (unsigned long)r.n, r.scores.rmse, r.scores.log_likelihood, 100.0 * flags->interval,
               100.0 * r.scores.coverage, r.scores.width);
    }
    if (waiting != NULL) {
        (void)fclose(waiting);
    }
    free(r.outside.inputs);
    schema_free(&columns);
    free(model);
    return code;
}

int predict_command(int argc, char **argv)
{
    predict_flags flags;
    outputs files;
    int code;
    memset(&flags, 0, sizeof flags);
    memset(&files, 0, sizeof files);
    flags.unknown = "refuse";
    flags.interval = 0.9;
    flags.seed = 1;
    code = parse(&flags, argc, argv);
    if (code == 0) {
        outputs_protect(&files, flags.data);
        outputs_protect(&files, flags.model);
        code = run(&flags, &files);
    }
    outputs_discard(&files);
    free(flags.names);
    return code;
}
