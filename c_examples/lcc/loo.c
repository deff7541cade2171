#include "args.h"
#include "cli.h"
#include "files.h"
#include "json.h"
#include "model.h"
#include "names.h"

#include <lcc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOO_DIGITS = 9 };

typedef struct {
    const char *model;
    const char *than;
    const char *data;
    const char *target;
    const char *rows;
    const char *json;
    const char *unknown;
    const char *delimiter;
    int unknown_mean;
} loo_flags;

/* One model and what leaving rows out comes to. */
typedef struct {
    const char *path;
    size_t draws;
    lcc_loo_row_f64 *rows;
    lcc_loo_f64 total;
} loo_model;

static int parse(loo_flags *flags, int argc, char **argv)
{
    const arg_option options[] = {
        {"--model", ARG_TEXT, &flags->model, 0, 0},
        {"--than", ARG_TEXT, &flags->than, 0, 0},
        {"--data", ARG_TEXT, &flags->data, 0, 0},
        {"--target", ARG_TEXT, &flags->target, 0, 0},
        {"--rows", ARG_TEXT, &flags->rows, 0, 0},
        {"--unknown", ARG_TEXT, &flags->unknown, 0, 0},
        {"--delimiter", ARG_TEXT, &flags->delimiter, 0, 0},
        {"--json", ARG_TEXT, &flags->json, 0, 0},
        {NULL, ARG_SWITCH, NULL, 0, 0},
    };
    int code = args_parse("loo", options, argc, argv);
    THEN(code, names_unknown(flags->unknown, &flags->unknown_mean));
    if (code == 0 && flags->model == NULL) {
        return wrong_usage("loo: --model is missing");
    }
    if (code == 0 && flags->data == NULL) {
        return wrong_usage("loo: --data is missing");
    }
    return code;
}

static int estimate(const loo_flags *flags, loo_model *m)
{
    const model_wish wish = {flags->data, flags->target, flags->delimiter, TARGET_NEEDED,
                             flags->unknown_mean};
    row_file data;
    schema columns;
    int has = 0;
    size_t bytes = 0;
    unsigned char *model = file_read(m->path, &bytes);
    int code = model == NULL ? EXIT_FAILED : 0;
    memset(&data, 0, sizeof data);
    memset(&columns, 0, sizeof columns);
    THEN(code, model_schema(model, bytes, m->path, &columns, &has));
    THEN(code, model_rows(has ? &columns : NULL, &wish, &data));
    if (code == 0) {
        m->rows = allocate(data.rows.n, sizeof *m->rows);
        code = m->rows == NULL ? EXIT_FAILED
                               : model_loo(model, bytes, &data.rows, m->rows, &m->total, &m->draws);
    }
    schema_free(&columns);
    row_file_free(&data);
    free(model);
    return code;
}

static void write_model(json_writer *json, const loo_model *m)
{
    const lcc_loo_f64 *t = &m->total;
    json_item(json);
    json_text(json, "model", m->path);
    json_count(json, "draws", m->draws);
    json_number(json, "elpd", t->elpd);
    json_number(json, "elpd_error", t->elpd_error);
    json_number(json, "mcse", t->mcse);
    json_number(json, "p", t->p);
    json_number(json, "p_error", t->p_error);
    json_number(json, "elpd_waic", t->elpd_waic);
    json_number(json, "elpd_waic_error", t->elpd_waic_error);
    json_number(json, "p_waic", t->p_waic);
    json_number(json, "p_waic_error", t->p_waic_error);
    json_number(json, "k_max", t->k_max);
    json_number(json, "k_limit", t->k_limit);
    json_count(json, "bad", t->bad);
    json_object_end(json);
}

static void print_model(const loo_model *m)
{
    const lcc_loo_f64 *t = &m->total;
    printf("%s: %lu rows, %lu draws: elpd %.2f +- %.2f, %.2f effective parameters (WAIC %.2f +- %.2f, "
           "%.2f)\n",
           m->path, (unsigned long)t->rows, (unsigned long)m->draws, t->elpd, t->elpd_error, t->p,
           t->elpd_waic, t->elpd_waic_error, t->p_waic);
    printf("  Pareto k at most %.2f, above its limit %.2f at %lu of %lu rows; Monte Carlo error %.2f\n",
           t->k_max, t->k_limit, (unsigned long)t->bad, (unsigned long)t->rows, t->mcse);
}

static int run(const loo_flags *flags, loo_model *models, size_t count, outputs *files)
{
    double difference = 0;
    double error = 0;
    FILE *csv = NULL;
    FILE *json = NULL;
    size_t i;
    int code = 0;
    for (i = 0; i < count; i++) {
        THEN(code, estimate(flags, &models[i]));
    }
    if (code == 0 && count == 2) {
        code = checked("the comparison",
                       lcc_loo_compare_f64(models[0].rows, models[1].rows, models[0].total.rows,
                                           &difference, &error));
    }
    THEN(code, outputs_add(files, flags->rows, &csv));
    THEN(code, outputs_add(files, flags->json, &json));
    if (code != 0) {
        return code;
    }
    if (csv != NULL) {
        fputs("elpd,mcse,k,lpd,p_waic\n", csv);
        for (i = 0; i < models->total.rows; i++) {
            const lcc_loo_row_f64 *r = &models->rows[i];
            fprintf(csv, "%.*g,%.*g,%.*g,%.*g,%.*g\n", LOO_DIGITS, r->elpd, LOO_DIGITS, r->mcse,
                    LOO_DIGITS, r->k, LOO_DIGITS, r->lpd, LOO_DIGITS, r->p_waic);
        }
    }
    if (json != NULL) {
        json_writer writer;
        json_begin(&writer, json, LOO_DIGITS);
        json_count(&writer, "n", models->total.rows);
        json_list(&writer, "models");
        for (i = 0; i < count; i++) {
            write_model(&writer, &models[i]);
        }
        json_list_end(&writer);
        if (count == 2) {
            json_number(&writer, "difference", difference);
            json_number(&writer, "difference_error", error);
        }
        json_end(&writer);
    }
    code = outputs_publish(files);
    if (code == 0 && !files->to_stdout) {
        for (i = 0; i < count; i++) {
            print_model(&models[i]);
        }
        if (count == 2) {
            printf("elpd of %s less that of %s: %.2f +- %.2f\n", models[0].path, models[1].path,
                   difference, error);
        }
    }
    return code;
}

int loo_command(int argc, char **argv)
{
    loo_flags flags = {NULL, NULL, NULL, NULL, NULL, NULL, "refuse", NULL, 0};
    loo_model models[2];
    outputs files;
    int code;
    memset(&files, 0, sizeof files);
    memset(models, 0, sizeof models);
    code = parse(&flags, argc, argv);
    if (code == 0) {
        models[0].path = flags.model;
        models[1].path = flags.than;
        outputs_protect(&files, flags.data);
        outputs_protect(&files, flags.model);
        outputs_protect(&files, flags.than);
        code = run(&flags, models, flags.than == NULL ? 1 : 2, &files);
    }
    outputs_discard(&files);
    free(models[0].rows);
    free(models[1].rows);
    return code;
}
