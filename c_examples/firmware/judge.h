/* Predictions at the rows that were kept back, and how good they are. */
#ifndef JUDGE_H
#define JUDGE_H

#include <stddef.h>
#include <stdint.h>

/* Predicts every test row with the model at `image`, prints error and coverage, reports the cost, and returns
 * the hash of all predictions. */
uint64_t judge(const unsigned char *image, size_t length, unsigned char *scratch, size_t bytes);

/* The square root of a number of the demonstration. */
float root(float x);

#endif
