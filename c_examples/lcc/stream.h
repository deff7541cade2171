/* Following a stream row by row from a fitted model, through the library. */
#ifndef STREAM_H
#define STREAM_H

#include "dataset.h"
#include "json.h"
#include "predictions.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
    double forgetting;
    uint32_t draws; /* at most so many of the model's */
    uint64_t seed;  /* of the model that is left */
    int quiet;
} stream_settings;

typedef struct {
    predictions before; /* of each row, before its target was known */
    evaluation scores;  /* of those; no CRPS */
    evaluation frozen;  /* of the model as it was fitted, on the same rows */
    uint32_t draws;
    size_t state_bytes;
    double seconds; /* of the rows, predictions included */
    unsigned char *model; /* as it is after the last row */
    size_t model_bytes;
    int was_interrupted;
} stream_run;

/* The values of lcc fit where no flag says otherwise. */
void stream_defaults(stream_settings *settings);

/* Predicts each row, then learns from it; first from those that trained. 0 or an exit code after a message. Free with stream_free. */
int stream_follow(const stream_settings *settings, const void *image, size_t bytes,
                  const dataset *trained, const dataset *rows, double level, stream_run *run);
void stream_free(stream_run *run);

/* The object "stream", and the lines for people; nothing where `run` is NULL. */
void stream_write_json(json_writer *json, const stream_settings *settings, const stream_run *run);
void stream_print(const stream_settings *settings, const stream_run *run);

#endif
