/* Pictures of handwritten 3s and 8s (../data), cut into flash by the Makefile: of each of the 8 lines of 8 pixels the six
 * in the middle (the outer ones are blank in nearly all), as grey levels in [0, 1]. A target is 1 for a 3, 0 for an 8. */
#ifndef DIGITS_H
#define DIGITS_H

enum { DIGITS_TRAIN = 286, DIGITS_TEST = 71, DIGITS_PIXELS = 48 };

extern const float digits_train_x[DIGITS_TRAIN * DIGITS_PIXELS], digits_train_y[DIGITS_TRAIN];
extern const float digits_test_x[DIGITS_TEST * DIGITS_PIXELS], digits_test_y[DIGITS_TEST];

#endif
