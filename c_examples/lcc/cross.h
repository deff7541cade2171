/* A method judged on held-out rows: by folds, or by the one split that the flags say. */
#ifndef CROSS_H
#define CROSS_H

#include "fit_rows.h"
#include "judge.h"

/* Fits each part of `in`'s rows and tells the rest: as many as --cv and --repeats say, or the one of --split or
 * --test-share. The flags are those of a fit of all rows, settled; `seed` is that of the folds; `target` is what y is. 0 or an exit code after a
 * message; *interrupted where it was stopped. judgement_free either way. */
int cross_run(const fit_flags *flags, uint64_t seed, const fit_rows *in,
              const target_choice *target, judgement *j, int *interrupted);

/* The scores of --learning-curve, but of all rows: by --cv, or on the rows that test. 0 or an exit code after a message;
 * judgement_free of each either way. */
int curve_run(const fit_flags *flags, const fit_rows *in, const target_choice *target,
              learning_curve *curve, int *interrupted);

#endif
