/* Model images: asking the library for one, and predictions of one. */
#ifndef MODEL_H
#define MODEL_H

#include "cli.h"
#include "dataset.h"
#include "encode.h"
#include "predictions.h"

#include <lcc.h>

#include <stddef.h>
#include <stdio.h>

/* Room for what a size query says, then the writing. */
typedef struct {
    size_t bytes; /* of the image at most, as the size query said, which fills scratch.bytes too */
    room scratch;
    unsigned char *image;
    size_t written; /* by the library */
} image_room;

/* Room for both, `status` being the size query's. 0 or EXIT_FAILED after a message that names `what`. */
int image_begin(image_room *r, int32_t status, const char *what);

/* Hands the image over, `status` being the writer's, and gives the rest up. 0 or EXIT_FAILED after a
 * message. */
int image_end(image_room *r, int32_t status, const char *what, unsigned char **image,
              size_t *bytes);

/* Whether y is a class; the units of the hidden layers, as "20, 10" or "none". */
int model_of_classes(const lcc_model_info *info);
typedef char layers_text[64];
const char *model_layers(const lcc_model_info *info, layers_text text);

/* Puts the schema into an image, which is replaced; and reads it from one: 1 in *has where there is one. 0 or
 * EXIT_FAILED after a message. */
int model_attach(unsigned char **image, size_t *bytes, const schema *s);
int model_schema(const unsigned char *image, size_t bytes, const char *path, schema *s, int *has);

/* What the model's file leaves open of the rows it is to predict. */
typedef struct {
    const char *path;
    const char *target; /* NULL: the one that trained, or y */
    const char *delimiter;
    target_need need;
    int unknown_mean;
} model_wish;

/* The target's column. */
const char *model_target(const schema *columns, const model_wish *wish);

/* Makes the rows of the table that is read; those outside are counted. 0 or EXIT_FAILED after a message. */
int model_encode(const schema *columns, const model_wish *wish, row_file *data,
                 outside_count *outside);

/* The rows of a file as a model's columns have them; where it knows none (NULL), as numbers in their order, which is
 * said. 0 or an exit code after a message; free either way. */
int model_rows(const schema *columns, const model_wish *wish, row_file *data);

/* Leave-one-out of the rows, which trained it: one a row, and what they come to. 0 or EXIT_FAILED after a message. */
int model_loo(const void *image, size_t bytes, const dataset *rows, lcc_loo_row_f64 *out,
              lcc_loo_f64 *report, size_t *draws);

/* Predicts every row in the image's own precision, and scores them where the
 * target is known. 0 or EXIT_FAILED after a message. */
int model_predict(const void *image, size_t bytes, const dataset *rows, double level,
                  predictions *p);

/* The log score of each row, whose targets are known; NaN of all where a row is beyond the model's precision. 0 or
 * EXIT_FAILED after a message. */
int model_log_scores(const void *image, size_t bytes, const dataset *rows, double *out);

/* The log density of each measured value under each draw: one line a draw,
 * columns log_lik.1, log_lik.2, ... 0 or EXIT_FAILED. */
int model_write_log_likelihood(FILE *out, const void *image, size_t bytes, const dataset *rows);

#endif
