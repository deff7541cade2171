/* Which rows train and which test: {"splits":[{"test":[rows],"train_500":[rows]}]}. */
#ifndef SPLITS_H
#define SPLITS_H

#include <stddef.h>

typedef struct {
    size_t *test;
    size_t tests;
    size_t *train;
    size_t trains;
} split_rows;

/* Split K (from 0) of a table of n rows. The training rows are `train_500` where
 * `subset` is set, else every row that is not a test row.
 * 0, or EXIT_FAILED after a message. */
int splits_read(split_rows *split, const char *path, unsigned long k, size_t n, int subset);

/* The same from memory; `path` only names the source. */
int splits_parse(split_rows *split, const char *path, const char *text, size_t length,
                 unsigned long k, size_t n, int subset);

void splits_free(split_rows *split);

#endif
