#include "stream.h"

#include "cli.h"
#include "model.h"
#include "platform.h"
#include "progress.h"
#include "view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REAL double
#define DIGITS 17
#define F(name) name##_f64
#include "stream_impl.inc"
#undef REAL
#undef DIGITS
#undef F

#define REAL float
#define DIGITS 9
#define F(name) name##_f32
#include "stream_impl.inc"
#undef REAL
#undef DIGITS
#undef F

void stream_defaults(stream_settings *settings)
{
    settings->forgetting = 0.98;
    settings->draws = 64;
    settings->seed = 1;
    settings->quiet = 0;
}

/* The first rows of a table. */
static dataset first_rows(const dataset *rows, size_t n)
{
    dataset part = *rows;
    part.n = n;
    return part;
}

int stream_follow(const stream_settings *settings, const void *image, size_t bytes,
                  const dataset *rows, double level, stream_run *run)
{
    lcc_model_info info;
    int32_t status;
    int code;
    memset(run, 0, sizeof *run);
    status = lcc_model_check(image, bytes, &info);
    if (status < 0) {
        return library_failed("the model", status);
    }
    code = predictions_reserve(&run->before, rows->n, 1);
    if (code != 0) {
        return code;
    }
    run->before.level = level;
    code = info.precision == 32 ? follow_f32(settings, image, bytes, rows, run)
                                : follow_f64(settings, image, bytes, rows, run);
    if (code == 0 && run->before.n > 0) {
        dataset seen = first_rows(rows, run->before.n);
        predictions frozen;
        code = model_predict(image, bytes, &seen, level, &frozen);
        if (code == 0) {
            run->scores = predictions_evaluate(&run->before, rows->y);
            run->frozen = predictions_evaluate(&frozen, rows->y);
            predictions_free(&frozen);
        }
    }
    if (code != 0) {
        stream_free(run);
    }
    return code;
}

void stream_free(stream_run *run)
{
    predictions_free(&run->before);
    free(run->model);
    run->model = NULL;
}

static void write_scores(json_writer *json, const evaluation *e)
{
    json_number(json, "rmse", e->rmse);
    json_number(json, "log_likelihood", e->log_likelihood);
    json_number(json, "coverage", e->coverage);
    json_number(json, "width", e->width);
}

void stream_write_json(json_writer *json, const stream_settings *settings, const stream_run *run)
{
    if (run == NULL) {
        return;
    }
    json_object(json, "stream");
    json_count(json, "n", run->scores.n);
    write_scores(json, &run->scores);
    json_object(json, "frozen");
    write_scores(json, &run->frozen);
    json_object_end(json);
    json_number(json, "forgetting", settings->forgetting);
    json_count(json, "draws", run->draws);
    json_count(json, "bytes_state", run->state_bytes);
    json_number(json, "seconds", run->seconds);
    json_object_end(json);
}

static void print_scores(const char *what, const evaluation *e, double level)
{
    printf("%s%lu rows: RMSE %.6g, mean log density %.4f\n", what, (unsigned long)e->n, e->rmse,
           e->log_likelihood);
    printf("            %g %% intervals hold %.1f %% of them, mean width %.6g\n", 100.0 * level,
           100.0 * e->coverage, e->width);
}

void stream_print(const stream_settings *settings, const stream_run *run)
{
    if (run == NULL) {
        return;
    }
    print_scores("stream      one step ahead, ", &run->scores, run->before.level);
    print_scores("frozen      the same ", &run->frozen, run->before.level);
    printf("learning    %" PRIu32 " draws, forgetting %g, %lu bytes, %.1f us a row\n", run->draws,
           settings->forgetting, (unsigned long)run->state_bytes,
           1e6 * run->seconds / (double)run->scores.n);
}
