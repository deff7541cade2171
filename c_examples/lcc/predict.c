#include "args.h"
#include "classes.h"
#include "cli.h"
#include "files.h"
#include "json.h"
#include "model.h"
#include "names.h"

#include <lcc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *model;
    const char *data;
    const char *target;
    const char *predictions;
    const char *json;
    const char *unknown;
    const char *delimiter;
    double interval;
    int quiet;
    int unknown_mean;
} predict_flags;

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
    return 0;
}

static void write_json(FILE *out, const dataset *rows, const predictions *p,
                       const evaluation *scores)
{
    json_writer json;
    json_begin(&json, out, p->digits);
    json_count(&json, "n", rows->n);
    json_count(&json, "d", rows->d);
    json_number(&json, "interval", p->level);
    if (rows->outside != NULL) {
        size_t outside = 0;
        size_t i;
        for (i = 0; i < rows->n; i++) {
            outside += rows->outside[i] > 0;
        }
        json_count(&json, "extrapolated_rows", outside);
    }
    evaluation_write_test(&json, scores, NULL);
    json_end(&json);
}

static void rows_write(FILE *out, const predictions *p, const schema_column *target,
                       const dataset *rows)
{
    if (p->classes > 0) {
        classes_write(out, p, target, rows);
    } else {
        predictions_write(out, p, rows);
    }
}

/* Predictions go to their file, or to standard output unless JSON has it. */
static int deliver(const predict_flags *flags, const dataset *rows, const predictions *p,
                   const schema_column *target, const noise_facts *noise, outputs *files)
{
    FILE *csv = NULL;
    FILE *json = NULL;
    evaluation scores;
    int free_stdout;
    int code = outputs_add(files, flags->predictions, &csv);
    THEN(code, outputs_add(files, flags->json, &json));
    if (code != 0) {
        return code;
    }
    free_stdout = !files->to_stdout;
    if (rows->y != NULL) {
        scores = predictions_evaluate(p, rows->y);
        scores.noise = *noise;
    }
    if (csv != NULL) {
        rows_write(csv, p, target, rows);
    }
    if (json != NULL) {
        write_json(json, rows, p, rows->y == NULL ? NULL : &scores);
    }
    code = outputs_publish(files);
    if (code == 0 && csv == NULL && free_stdout) {
        rows_write(stdout, p, target, rows);
    } else if (code == 0 && free_stdout && rows->y != NULL && p->classes > 0) {
        evaluation_print("", &scores, p->level);
    } else if (code == 0 && free_stdout && rows->y != NULL) {
        printf("%lu rows: RMSE %.6g, mean log density %.4f, %g %% intervals hold %.1f %%, mean "
               "width %.6g\n",
               (unsigned long)rows->n, scores.rmse, scores.log_likelihood, 100.0 * p->level,
               100.0 * scores.coverage, scores.width);
    }
    return code;
}

static int run(const predict_flags *flags, outputs *files)
{
    const model_wish wish = {flags->data, flags->target, flags->delimiter, TARGET_OPTIONAL,
                             flags->unknown_mean};
    row_file data;
    predictions p;
    schema columns;
    noise_facts noise;
    int has = 0;
    size_t bytes = 0;
    unsigned char *model = file_read(flags->model, &bytes);
    int code;
    if (model == NULL) {
        return EXIT_FAILED;
    }
    memset(&p, 0, sizeof p);
    memset(&data, 0, sizeof data);
    memset(&columns, 0, sizeof columns);
    memset(&noise, 0, sizeof noise);
    code = model_schema(model, bytes, flags->model, &columns, &has);
    THEN(code, model_rows(has ? &columns : NULL, &wish, &data));
    THEN(code, model_predict(model, bytes, &data.rows, flags->interval, &p));
    if (code == 0 && p.classes > 0 && data.rows.y != NULL) {
        noise_trial trial;
        network_fit fitted;
        memset(&fitted, 0, sizeof fitted);
        fitted.model = model;
        fitted.model_bytes = bytes;
        code = noise_judge(&trial, &fitted, &data.rows, &data.rows, &p, 1, &noise);
        noise_free(&trial);
    }
    THEN(code, deliver(flags, &data.rows, &p, has ? &columns.target : NULL, &noise, files));
    predictions_free(&p);
    schema_free(&columns);
    row_file_free(&data);
    free(model);
    return code;
}

int predict_command(int argc, char **argv)
{
    predict_flags flags = {NULL, NULL, NULL, NULL, NULL, "refuse", NULL, 0.9, 0, 0};
    outputs files;
    int code;
    memset(&files, 0, sizeof files);
    code = parse(&flags, argc, argv);
    if (code == 0) {
        outputs_protect(&files, flags.data);
        outputs_protect(&files, flags.model);
        code = run(&flags, &files);
    }
    outputs_discard(&files);
    return code;
}
