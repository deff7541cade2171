#include "stream.h"

#include "cli.h"
#include "model.h"
#include "platform.h"
#include "stepping.h"
#include "view.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IMPL "stream_impl.inc"
#include "both.inc"

void stream_defaults(stream_settings *settings)
{
    lcc_stream_options_f64 options;
    memset(settings, 0, sizeof *settings);
    if (lcc_stream_options_default_f64(&options) < 0) {
        return;
    }
    settings->forgetting = options.forgetting;
    settings->draws = options.draws;
    settings->seed = 1;
}

int stream_follow(const stream_settings *settings, const void *image, size_t bytes,
                  const dataset *trained, const dataset *rows, double level, stream_run *run)
{
    lcc_model_info info;
    int code;
    memset(run, 0, sizeof *run);
    code = checked("the model", lcc_model_check(image, bytes, &info));
    THEN(code, predictions_reserve(&run->before, rows->n, 1));
    if (code != 0) {
        return code;
    }
    run->before.level = level;
    code = info.precision == 32 ? follow_f32(settings, image, bytes, trained, rows, run)
                                : follow_f64(settings, image, bytes, trained, rows, run);
    if (code == 0 && run->before.n > 0) {
        dataset seen = *rows;
        predictions frozen;
        seen.n = run->before.n;
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

void stream_write_json(json_writer *json, const stream_settings *settings, const stream_run *run)
{
    if (run == NULL) {
        return;
    }
    json_object(json, "stream");
    json_count(json, "n", run->scores.n);
    evaluation_write(json, &run->scores, 0);
    json_object(json, "frozen");
    evaluation_write(json, &run->frozen, 0);
    json_object_end(json);
    json_number(json, "forgetting", settings->forgetting);
    json_count(json, "draws", run->draws);
    json_count(json, "bytes_state", run->state_bytes);
    json_number(json, "seconds", run->seconds);
    json_object_end(json);
}

void stream_print(const stream_settings *settings, const stream_run *run)
{
    if (run == NULL) {
        return;
    }
    evaluation_print("stream      one step ahead, ", &run->scores, run->before.level);
    evaluation_print("frozen      the same ", &run->frozen, run->before.level);
    printf("learning    %" PRIu32 " draws, forgetting %g, %lu bytes, %.1f us a row\n", run->draws,
           settings->forgetting, (unsigned long)run->state_bytes,
           1e6 * run->seconds / (double)run->scores.n);
}
