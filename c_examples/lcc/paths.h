/* The path weights of a network given as JSON: {"weights": [matrix, ...]}, from the input on, a matrix being
 * a list of rows, the weights of one unit each. A bias is the weight of an input that is always 1. */
#ifndef PATHS_H
#define PATHS_H

#include <stddef.h>

typedef struct {
    size_t matrices;
    size_t inputs;
    size_t last; /* units of the last hidden layer, or the inputs */
    double variation;
    double *paths; /* of each input */
} path_sums;

/* 0 or EXIT_FAILED after a message. Free with paths_free. */
int paths_read(path_sums *sums, const char *path);
void paths_free(path_sums *sums);

#endif
