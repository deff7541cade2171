/* A bar on standard error, where that is a terminal and nobody asked for quiet. */
#ifndef PROGRESS_H
#define PROGRESS_H

#include <stdint.h>

typedef struct {
    int shown;
    double started;
    double last;
} progress_bar;

void progress_begin(progress_bar *bar, int quiet);

/* `done` of `total`, with one word on what is going on. */
void progress_show(progress_bar *bar, uint64_t done, uint64_t total, const char *what);

/* Removes the bar. */
void progress_end(progress_bar *bar);

#endif
