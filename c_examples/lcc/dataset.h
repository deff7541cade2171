/* Inputs and target, taken from a table. */
#ifndef DATASET_H
#define DATASET_H

#include "csv.h"

#include <stddef.h>
#include <stdint.h>

typedef struct {
    size_t n;
    size_t d;
    double *x;      /* n x d, row after row */
    double *y;      /* n, or NULL where the table has no target */
    size_t *origin; /* n: the row of the table, from 0 */
    size_t *source; /* d: the column of the table */
    unsigned *outside; /* n: inputs outside what the model was fitted to, or NULL where that is not known */
    const csv_table *table;
    size_t target; /* column of the target, table->columns without */
} dataset;

/* Room for n rows of d inputs, both set before, as is `table`. 0 or EXIT_FAILED. */
int dataset_reserve(dataset *data, int with_target);

/* Whether a table must have the target. */
typedef enum { TARGET_NEEDED, TARGET_OPTIONAL } target_need;

/* The column of the target, or table->columns; there must be inputs beside it. 0 or EXIT_FAILED after a
 * message. */
int dataset_target(const csv_table *table, const char *target, target_need need, size_t *column);

/* All rows of a table of numbers. 0 or EXIT_FAILED after a message. */
int dataset_take(dataset *data, const csv_table *table, const char *target, target_need need);

/* All rows of a file of their own. */
typedef struct {
    csv_table table;
    dataset rows;
} row_file;

/* Reads them: with the inputs of `like` unless that is NULL, within single precision where
 * `single` is set. 0 or an exit code after a message; free either way. */
int row_file_read(row_file *file, const char *path, const char *delimiter, const char *target,
                  target_need need, const dataset *like, int single);
void row_file_free(row_file *file);

/* The rows listed (from 0), in that order. 0 or EXIT_FAILED. */
int dataset_rows(dataset *subset, const dataset *data, const size_t *rows, size_t count);

/* The sd of the target about its mean: how far the mean errs. */
double dataset_target_sd(const dataset *data);

/* At most so many rows, spread over all of them. 0 or EXIT_FAILED. */
int dataset_spread(dataset *some, const dataset *data, size_t most);

/* 0 where both tables have the same columns by name and order, their targets (table->columns: none) apart;
 * EXIT_FAILED after a message. */
int dataset_same_inputs(const csv_table *reference, size_t target, const csv_table *other,
                        size_t its_target);

/* A checksum of the target and the inputs, row by row, not of the file: its columns, line ends and quotes may be others. */
uint64_t dataset_checksum(const dataset *data);

/* 0 where every value fits single precision; EXIT_FAILED after a message. */
int dataset_fits_single(const dataset *data);

/* Whether single precision would round the values of a column, of an input or the target, by more than a thousandth of
 * their spread: 1 and the column of the table. */
int dataset_needs_double(const dataset *data, size_t *column);

void dataset_free(dataset *data);

#endif
