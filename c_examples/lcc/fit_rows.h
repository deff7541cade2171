/* The rows of a fit: read from their files, and what their columns are learnt from those that train. */
#ifndef FIT_ROWS_H
#define FIT_ROWS_H

#include "fit_report.h"
#include "splits.h"

typedef struct {
    row_file data; /* its rows that train */
    row_file test; /* its rows alone where they are of the same file */
    row_file stream;
    row_list trains; /* of the data's table; the rows left out apart */
    row_list tests;  /* likewise; none where a file has them, or nothing tests */
    schema columns;
} fit_rows;

/* Reads all files, and says which rows train and which test. 0 or an exit code after a message; free either way. */
int fit_rows_read(const fit_flags *flags, fit_rows *in);
void fit_rows_free(fit_rows *in);

/* Learns what the columns are, encodes all rows, settles what of the flags depends on them, and points `o` at them.
 * What y is follows from the rows that train, unless `known` tells. 0 or an exit code after a message. */
int fit_rows_learn(fit_flags *flags, fit_rows *in, const target_choice *known, fit_outcome *o);

/* Says what a person should know of the rows that train before a network takes them at their word, and keeps it. 0 or
 * EXIT_FAILED after a message. */
int fit_rows_remark(fit_outcome *o);

/* What y is, of the method that has more than real numbers for it; the number of classes apart. */
int fit_rows_target(const fit_flags *flags, const fit_rows *in, target_choice *target);

#endif
