/* Rows dealt by a seed into those that train and those that test. */
#ifndef FOLDS_H
#define FOLDS_H

#include "encode.h"

#include <stdint.h>

/* The places of the rows in an order of the seed's, `rows`->count of them; of classes, which stand in a column, one class
 * after the other, so that whoever deals along it deals each class alike. 0 or EXIT_FAILED. */
int folds_order(const row_list *rows, int classes, size_t target, uint64_t seed, size_t *order);

/* Fold k of K along an order: every K-th row tests, the others train. 0 or EXIT_FAILED after a message; free both. */
int folds_cut(const row_list *rows, const size_t *order, size_t fold, size_t folds, row_list *train,
              row_list *test);

/* A share of the rows tests, at least one, and at least one trains. 0 or EXIT_FAILED after a message; free both. */
int folds_share(const row_list *rows, int classes, size_t target, double share, uint64_t seed,
                row_list *train, row_list *test);

#endif
