#include "model.h"

#include "cli.h"
#include "view.h"

#include <stdlib.h>

#define IMPL "model_impl.inc"
#include "both.inc"

int model_check(const void *image, size_t bytes, const char *path)
{
    int32_t status = lcc_model_check(image, bytes, NULL);
    return status < 0 ? library_failed(path, status) : 0;
}

static int check(const void *image, size_t bytes, const dataset *rows, lcc_model_info *info)
{
    int32_t status = lcc_model_check(image, bytes, info);
    if (status < 0) {
        return library_failed("the model", status);
    }
    if (info->inputs != rows->d) {
        return fail("%s: has %lu inputs, the model was fitted to %lu", rows->table->path,
                    (unsigned long)rows->d, (unsigned long)info->inputs);
    }
    return info->precision == 32 ? dataset_fits_single(rows) : 0;
}

int model_predict(const void *image, size_t bytes, const dataset *rows, double level,
                  predictions *p)
{
    lcc_model_info info;
    int code = check(image, bytes, rows, &info);
    if (code == 0) {
        code = predictions_reserve(p, rows->n, rows->y != NULL);
    }
    if (code == 0) {
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
