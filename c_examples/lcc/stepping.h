/* Running a resumable object of the library: pieces of some 50 ms, so that a bar
 * moves and Ctrl-C is heard. How a run is cut into pieces changes no bit of it. */
#ifndef STEPPING_H
#define STEPPING_H

#include "progress.h"

#include <lcc.h>

typedef struct {
    uint64_t budget; /* of the next piece */
    double began;    /* the present piece */
    double seconds_warmup;
    double seconds_sampling;
    progress_bar bar;
} stepping;

void stepping_begin(stepping *s, int quiet);
void stepping_before(stepping *s);

/* Counts the piece just done; `warming` is whether it began in the warm-up. */
void stepping_after(stepping *s, const lcc_progress *progress, int warming);
void stepping_end(stepping *s);

#endif
