/* A model taken apart, to be written in other forms. */
#ifndef CONVERT_H
#define CONVERT_H

#include "encode.h"

#include <lcc.h>

#include <stdio.h>

typedef struct {
    lcc_model_info info;
    size_t inputs; /* that the network sees: all columns of a row but the exposure */
    size_t outputs;
    size_t depth;
    size_t direct;  /* weights of an output that act on the inputs: all of them, or 0 */
    size_t tail;    /* values of a draw behind the network's */
    double *mean;   /* of the columns of a row, then of the target */
    double *sd;     /* likewise; of classes the last is the temperature */
    double *values; /* draws x info.values */
    schema columns;
    int has; /* columns */
} parts;

/* Takes it apart; of a linearised model too. 0 or EXIT_FAILED after a message; parts_free either way. */
int parts_take(parts *p, const unsigned char *image, size_t bytes, const char *path);
void parts_free(parts *p);

/* Where a draw's values of layer l begin: weights, unit by unit, of the units below, then biases. Layer `depth` is the
 * outputs' weights, output by output, and their intercepts; behind them are the direct weights, if any. */
size_t parts_layer(const parts *p, size_t l, size_t *units, size_t *below);

/* What column k of a row is, for people: a name, or a name and a word. */
typedef char column_text[192];
const char *parts_column(const parts *p, size_t k, column_text text);

/* The graph of the posterior mean in ONNX. 0 or EXIT_FAILED after a message. */
int onnx_write(FILE *out, const char *path, const parts *p);

#endif
