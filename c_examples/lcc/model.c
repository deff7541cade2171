#include "model.h"

#include "view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define IMPL "model_impl.inc"
#include "both.inc"

int image_begin(image_room *r, int32_t status, const char *what)
{
    int code = room_make(&r->scratch, what, status);
    r->written = 0;
    r->image = code == 0 ? allocate(r->bytes, 1) : NULL;
    if (r->image == NULL) {
        room_free(&r->scratch);
    }
    return r->image == NULL ? EXIT_FAILED : 0;
}

int image_end(image_room *r, int32_t status, const char *what, unsigned char **image,
              size_t *bytes)
{
    room_free(&r->scratch);
    if (status < 0) {
        free(r->image);
        return checked(what, status);
    }
    *image = r->image;
    *bytes = r->written;
    return 0;
}

int model_attach(unsigned char **image, size_t *bytes, const schema *s)
{
    unsigned char *columns;
    unsigned char *both;
    size_t length;
    int code = schema_write(s, &columns, &length);
    if (code != 0) {
        return code;
    }
    both = allocate(*bytes + length, 1);
    code = both == NULL ? EXIT_FAILED
                        : checked("the model",
                                  lcc_model_attach(*image, *bytes, columns, length, both,
                                                   *bytes + length, &length));
    free(columns);
    if (code != 0) {
        free(both);
        return code;
    }
    free(*image);
    *image = both;
    *bytes = length;
    return 0;
}

int model_schema(const unsigned char *image, size_t bytes, const char *path, schema *s, int *has)
{
    lcc_model_info info;
    int code = checked(path, lcc_model_check(image, bytes, &info));
    memset(s, 0, sizeof *s);
    *has = code == 0 && info.attachment > 0;
    return *has ? schema_read(s, image + (info.bytes - info.attachment), (size_t)info.attachment,
                              path)
                : code;
}

const char *model_target(const schema *columns, const model_wish *wish)
{
    return wish->target != NULL ? wish->target : columns != NULL ? columns->target.name : "y";
}

int model_encode(const schema *columns, const model_wish *wish, row_file *data,
                 outside_count *outside)
{
    const char *target = model_target(columns, wish);
    row_list all = {NULL, NULL, 0};
    int code;
    if (columns == NULL) {
        if (data->table.before == 0) {
            warn("%s: the model does not know its columns, so that these are taken in their order",
                 data->table.path);
        }
        return dataset_take(&data->rows, &data->table, target, wish->need);
    }
    code = row_list_all(&all, &data->table);
    THEN(code, schema_encode(columns, &all, target, wish->need, wish->unknown_mean, &data->rows));
    THEN(code, outside_add(outside, columns, &data->rows));
    row_list_free(&all);
    return code;
}

int model_rows(const schema *columns, const model_wish *wish, row_file *data)
{
    csv_wish how = {NULL, NULL, NULL, {NULL, NULL}, 0};
    outside_count outside = {0, 0, NULL};
    int code;
    memset(data, 0, sizeof *data);
    how.delimiter = wish->delimiter;
    code = csv_read(&data->table, wish->path, &how);
    THEN(code, model_encode(columns, wish, data, &outside));
    if (code == 0) {
        outside_say(&outside, columns, data->table.path);
    }
    free(outside.inputs);
    return code;
}

int model_of_classes(const lcc_model_info *info)
{
    return info->output == LCC_OUTPUT_BERNOULLI || info->output == LCC_OUTPUT_SOFTMAX ||
           info->output == LCC_OUTPUT_ORDINAL;
}

const char *model_layers(const lcc_model_info *info, layers_text text)
{
    size_t used = (size_t)snprintf(text, sizeof(layers_text), "%s", info->widths[0] > 0 ? "" : "none");
    size_t k;
    for (k = 0; k < 4 && info->widths[k] > 0; k++) {
        used += (size_t)snprintf(text + used, sizeof(layers_text) - used, "%s%lu",
                                 k == 0 ? "" : ", ", (unsigned long)info->widths[k]);
    }
    return text;
}

static int check(const void *image, size_t bytes, const dataset *rows, lcc_model_info *info)
{
    int code = checked("the model", lcc_model_check(image, bytes, info));
    if (code == 0 && info->inputs != rows->d) {
        code = fail("%s: has %lu inputs, the model was fitted to %lu", rows->table->path,
                    (unsigned long)rows->d, (unsigned long)info->inputs);
    }
    return code == 0 && info->precision == 32 ? dataset_fits_single(rows) : code;
}

int model_log_scores(const void *image, size_t bytes, const dataset *rows, double *out)
{
    lcc_model_info info;
    int code = check(image, bytes, rows, &info);
    THEN(code, info.precision == 32 ? log_scores_f32(image, bytes, rows, out)
                                    : log_scores_f64(image, bytes, rows, out));
    return code;
}

int model_predict(const void *image, size_t bytes, const dataset *rows, double level,
                  predictions *p)
{
    lcc_model_info info;
    int code = check(image, bytes, rows, &info);
    THEN(code, model_of_classes(&info)
                   ? predictions_reserve_classes(p, rows->n, info.categories)
                   : predictions_reserve(p, rows->n, rows->y != NULL));
    if (code == 0 && model_of_classes(&info)) {
        p->level = level;
        code = info.precision == 32 ? classify_f32(image, bytes, rows, p)
                                    : classify_f64(image, bytes, rows, p);
        if (code != 0) {
            predictions_free(p);
        }
    } else if (code == 0) {
        p->level = level;
        code = info.precision == 32 ? predict_f32(image, bytes, rows, p)
                                    : predict_f64(image, bytes, rows, p);
        if (code != 0) {
            predictions_free(p);
        }
    }
    return code;
}

int model_write_log_likelihood(FILE *out, const void *image, size_t bytes, const dataset *rows)
{
    lcc_model_info info;
    int code = check(image, bytes, rows, &info);
    if (code != 0) {
        return code;
    }
    return info.precision == 32 ? log_likelihood_f32(out, image, bytes, rows, info.draws)
                                : log_likelihood_f64(out, image, bytes, rows, info.draws);
}

int model_loo(const void *image, size_t bytes, const dataset *rows, lcc_loo_row_f64 *out,
              lcc_loo_f64 *report, size_t *draws)
{
    lcc_model_info info;
    int code = check(image, bytes, rows, &info);
    if (code != 0) {
        return code;
    }
    *draws = info.draws;
    return info.precision == 32 ? loo_f32(image, bytes, rows, info.draws, out, report)
                                : loo_f64(image, bytes, rows, info.draws, out, report);
}
