/* Predictions of a model image. */
#ifndef MODEL_H
#define MODEL_H

#include "dataset.h"
#include "predictions.h"

#include <stddef.h>
#include <stdio.h>

/* 0 where the bytes are a whole model; EXIT_FAILED after a message that names `path`. */
int model_check(const void *image, size_t bytes, const char *path);

/* Predicts every row in the image's own precision, and scores them where the
 * target is known. 0 or EXIT_FAILED after a message. */
int model_predict(const void *image, size_t bytes, const dataset *rows, double level,
                  predictions *p);

/* The log density of each measured value under each draw: one line a draw,
 * columns log_lik.1, log_lik.2, ... 0 or EXIT_FAILED. */
int model_write_log_likelihood(FILE *out, const void *image, size_t bytes, const dataset *rows);

#endif
