/* The last rows in a window, on which a network is refitted a few transitions at a time. */
#ifndef WINDOW_H
#define WINDOW_H

#include <stddef.h>
#include <stdint.h>

#include <lcc.h>

/* Begins with a model, which stays where it is until the first refit is done. `memory` has WINDOW_BYTES. */
void window_begin(unsigned char *memory, const unsigned char *image, size_t length);

lcc_prediction_f32 window_predict(const float *row);

/* Takes a row in, works on the refit for a bounded time, and begins the next when it is done. */
void window_learn(const float *row, float y);

#endif
