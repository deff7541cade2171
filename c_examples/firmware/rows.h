/* Rows of a gas turbine's sensors (../data), cut into flash by the Makefile: of 2011-2013 every fifth row to learn
 * from and others to be judged by, and those of 2014-2015. */
#ifndef ROWS_H
#define ROWS_H

/* A board without an FPU takes fewer of the later rows, to spare the tests' time. */
#ifndef DRIFT_ROWS
#define DRIFT_ROWS 1000
#endif

enum { ROWS_TRAIN = 200, ROWS_TEST = 100, ROWS_LATE = DRIFT_ROWS, ROWS_INPUTS = 9 };

extern const float rows_train_x[ROWS_TRAIN * ROWS_INPUTS], rows_train_y[ROWS_TRAIN];
extern const float rows_test_x[ROWS_TEST * ROWS_INPUTS], rows_test_y[ROWS_TEST];

/* The same plant later. */
extern const float rows_late_x[ROWS_LATE * ROWS_INPUTS], rows_late_y[ROWS_LATE];

#endif
