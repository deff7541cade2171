/* Rows of a gas turbine's sensors (../data), cut into flash by the Makefile: every fifth row to learn from,
 * others to be judged by. */
#ifndef ROWS_H
#define ROWS_H

enum { ROWS_TRAIN = 200, ROWS_TEST = 100, ROWS_INPUTS = 9 };

extern const float rows_train_x[ROWS_TRAIN * ROWS_INPUTS], rows_train_y[ROWS_TRAIN];
extern const float rows_test_x[ROWS_TEST * ROWS_INPUTS], rows_test_y[ROWS_TEST];

#endif
