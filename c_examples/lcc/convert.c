#include "convert.h"

#include "args.h"
#include "c_array.h"
#include "cli.h"
#include "files.h"
#include "json.h"
#include "model.h"
#include "names.h"

#include <stdlib.h>
#include <string.h>

int parts_take(parts *p, const unsigned char *image, size_t bytes, const char *path)
{
    const lcc_model_info *info = &p->info;
    size_t columns;
    size_t units = 0;
    size_t hidden = 0;
    size_t below;
    size_t k;
    int code = model_schema(image, bytes, path, &p->columns, &p->has);
    THEN(code, checked(path, lcc_model_check(image, bytes, &p->info)));
    if (code != 0) {
        return code;
    }
    columns = info->inputs;
    p->inputs = columns - (info->exposure != 0);
    while (p->depth < 4 && info->widths[p->depth] > 0) {
        hidden = parts_layer(p, p->depth, &units, &below) + units * (below + 1);
        p->depth++;
    }
    p->tail = info->output == LCC_OUTPUT_STUDENT_T || info->output == LCC_OUTPUT_GAUSSIAN ? 2
              : info->output == LCC_OUTPUT_NEGATIVE_BINOMIAL                          ? 1
              : info->output == LCC_OUTPUT_ORDINAL ? info->categories - 1
                                                   : 0;
    p->direct = info->linear != 0 || p->depth == 0 ? p->inputs : 0;
    p->outputs = (info->values - hidden - p->tail) / (units + 1 + p->direct);
    p->mean = allocate(columns + 1, sizeof *p->mean);
    p->sd = allocate(columns + 1, sizeof *p->sd);
    p->values = allocate((size_t)info->draws * info->values, sizeof *p->values);
    code = p->mean == NULL || p->sd == NULL || p->values == NULL ? EXIT_FAILED : 0;
    THEN(code, checked(path, lcc_model_units_f64(image, bytes, p->mean, p->sd, columns + 1)));
    for (k = 0; k < info->draws && code == 0; k++) {
        code = checked(path, lcc_model_parameters_f64(image, bytes, k, p->values + k * info->values,
                                                      info->values));
    }
    return code;
}

void parts_free(parts *p)
{
    schema_free(&p->columns);
    free(p->mean);
    free(p->sd);
    free(p->values);
}

size_t parts_layer(const parts *p, size_t l, size_t *units, size_t *below)
{
    size_t at = 0;
    size_t k;
    *units = p->inputs;
    for (k = 0; k <= l; k++) {
        at += k == 0 ? 0 : *units * (*below + 1);
        *below = *units;
        *units = k < 4 && p->info.widths[k] > 0 ? p->info.widths[k] : p->outputs;
    }
    /* Without hidden layers the outputs have direct weights alone. */
    *below = l == 0 && p->info.widths[0] == 0 ? 0 : *below;
    return at;
}

/* The input of the table that column k comes from, and which of its columns it is. */
static const schema_column *origin(const parts *p, size_t k, size_t *which)
{
    size_t input = p->columns.count;
    while (p->has && input-- > 0) {
        size_t first = schema_place(&p->columns, input);
        if (first <= k) {
            *which = k - first;
            return &p->columns.inputs[input];
        }
    }
    return NULL;
}

/* The level of column `which`, or NULL: of a number, or of the mark of a missing cell. */
static const char *level_of(const schema_column *c, size_t which, double *fill)
{
    size_t columns = c->levels > 2 ? c->levels : 1;
    size_t level = c->levels == 2 ? 1 : which;
    *fill = which < columns ? c->fill[c->levels == 0 ? 0 : level] : 0.0;
    return c->levels > 0 && which < columns ? c->level[level] : NULL;
}

const char *parts_column(const parts *p, size_t k, column_text text)
{
    size_t which;
    double fill;
    const schema_column *c = origin(p, k, &which);
    const char *level = c == NULL ? NULL : level_of(c, which, &fill);
    if (c == NULL) {
        (void)snprintf(text, sizeof(column_text), "x%lu", (unsigned long)k + 1);
    } else {
        (void)snprintf(text, sizeof(column_text), "%.90s%s%.90s", c->name,
                       level != NULL                         ? " = "
                       : which > 0 ? " is missing"
                                   : "",
                       level != NULL ? level : "");
    }
    return text;
}

static void write_inputs(json_writer *json, const parts *p)
{
    size_t k;
    json_list(json, "inputs");
    for (k = 0; k < p->info.inputs; k++) {
        size_t which = 0;
        double fill = 0.0;
        const schema_column *c = origin(p, k, &which);
        const char *level = c == NULL ? NULL : level_of(c, which, &fill);
        column_text text;
        json_item(json);
        json_text(json, "name", c == NULL ? parts_column(p, k, text) : c->name);
        if (level != NULL) {
            json_text(json, "word", level);
        }
        json_text(json, "is", k >= p->inputs                     ? "exposure"
                              : level != NULL                    ? "1 where it is this word, else 0"
                              : which > 0 ? "1 where it is missing, else 0"
                                          : "number");
        json_number(json, "mean", p->mean[k]);
        json_number(json, "sd", p->sd[k]);
        if (c != NULL) {
            json_number(json, "missing", which > 0 && level == NULL ? 1.0 : fill);
        }
        json_object_end(json);
    }
    json_list_end(json);
}

static void write_target(json_writer *json, const parts *p)
{
    size_t k;
    json_object(json, "target");
    json_text(json, "name", p->has ? p->columns.target.name : "y");
    json_number(json, "mean", p->mean[p->info.inputs]);
    json_number(json, "sd", model_of_classes(&p->info) ? 1.0 : p->sd[p->info.inputs]);
    if (p->has && p->columns.target.levels > 0) {
        json_list(json, "classes");
        for (k = 0; k < p->columns.target.levels; k++) {
            json_item(json);
            json_text(json, "word", p->columns.target.level[k]);
            json_object_end(json);
        }
        json_list_end(json);
    }
    json_object_end(json);
}

static void write_draw(json_writer *json, const parts *p, const double *at)
{
    size_t units;
    size_t below;
    size_t l;
    json_item(json);
    json_list(json, "layers");
    for (l = 0; l < p->depth; l++) {
        const double *layer = at + parts_layer(p, l, &units, &below);
        json_item(json);
        json_numbers(json, "weights", layer, units * below);
        json_numbers(json, "biases", layer + units * below, units);
        json_object_end(json);
    }
    json_list_end(json);
    at += parts_layer(p, p->depth, &units, &below);
    json_numbers(json, "weights", at, units * below);
    json_numbers(json, "intercepts", at + units * below, units);
    at += units * (below + 1);
    json_numbers(json, "direct", at, units * p->direct);
    at += units * p->direct;
    if (p->info.output == LCC_OUTPUT_ORDINAL) {
        json_numbers(json, "thresholds", at, p->tail);
    } else if (p->tail > 0) {
        json_number(json, p->tail == 2 ? "sigma" : "size", at[0]);
    }
    if (p->tail == 2) {
        json_number(json, "nu", at[1]);
    }
    json_object_end(json);
}

static void write_json(FILE *out, const parts *p)
{
    const lcc_model_info *info = &p->info;
    json_writer json;
    size_t k;
    json_begin(&json, out, info->precision == 32 ? 9 : 17);
    json_text(&json, "output", lcc_output_name(info->output));
    json_text(&json, "activation", lcc_activation_name(info->activation));
    json_count(&json, "outputs", p->outputs);
    json_count(&json, "reference", info->reference);
    json_number(&json, "temperature", model_of_classes(info) ? p->sd[info->inputs] : 1.0);
    write_inputs(&json, p);
    write_target(&json, p);
    json_list(&json, "draws");
    for (k = 0; k < info->draws; k++) {
        write_draw(&json, p, p->values + k * info->values);
    }
    json_list_end(&json);
    json_end(&json);
}

/* The image without its columns, as lcc fit --c-array has it. */
static int write_c(FILE *out, const char *path, const unsigned char *image, size_t bytes)
{
    unsigned char *bare = allocate(bytes, 1);
    size_t length = 0;
    int code = bare == NULL ? EXIT_FAILED
                            : checked(path, lcc_model_attach(image, bytes, NULL, 0, bare, bytes, &length));
    if (code == 0) {
        c_array_write(out, path, bare, length);
    }
    free(bare);
    return code;
}

int convert_command(int argc, char **argv)
{
    const char *to = NULL;
    const char *path = NULL;
    const arg_option options[] = {
        {"--to", ARG_TEXT, &to, 0, 0},
        {"-o", ARG_TEXT, &path, 0, 0},
        {NULL, ARG_SWITCH, NULL, 0, 0},
    };
    static const char *const forms[] = {"c", "json", "onnx", NULL};
    int named = argc > 0 && argv[0][0] != '-';
    int32_t form = 0;
    size_t bytes = 0;
    unsigned char *image = NULL;
    FILE *out = NULL;
    outputs files;
    parts p;
    int code = args_parse("convert", options, argc - named, argv + named);
    memset(&files, 0, sizeof files);
    memset(&p, 0, sizeof p);
    if (code != 0) {
        return code;
    }
    if (!named || to == NULL || path == NULL) {
        return wrong_usage("convert: %s is missing",
                           !named ? "a model" : to == NULL ? "--to" : "-o");
    }
    code = names_choose("--to", to, forms, &form);
    if (code == 0) {
        outputs_protect(&files, argv[0]);
        image = file_read(argv[0], &bytes);
        code = image == NULL ? EXIT_FAILED : parts_take(&p, image, bytes, argv[0]);
    }
    if (code == 0 && form != 0 && p.info.linearised) {
        code = fail("%s: its draws are of a network that is linearised at the mode, which %s does not express: "
                    "fit it with --sampled",
                    argv[0], form == 1 ? "JSON of networks" : "ONNX");
    }
    THEN(code, outputs_add(&files, path, &out));
    if (code == 0 && form == 0) {
        code = write_c(out, path, image, bytes);
    } else if (code == 0 && form == 1) {
        write_json(out, &p);
    } else {
        THEN(code, onnx_write(out, argv[0], &p));
    }
    THEN(code, outputs_publish(&files));
    outputs_discard(&files);
    parts_free(&p);
    free(image);
    return code;
}
