/* Running a resumable object of the library: pieces of some 50 ms, so that a bar
 * moves and Ctrl-C is heard. How a run is cut into pieces changes no bit of it. */
#ifndef STEPPING_H
#define STEPPING_H

#include "checkpoint.h"
#include "team.h"

#include <lcc.h>

/* A bar on standard error, where that is a terminal and nobody asked for quiet. */
typedef struct {
    int shown;
    double started;
    double last;
} progress_bar;

void progress_begin(progress_bar *bar, int quiet);
/* The share that is done, with one word on what is going on. */
void progress_show(progress_bar *bar, double share, const char *what);
/* Removes the bar. */
void progress_end(progress_bar *bar);

/* What the bars to come are of, so that a command of several runs has one estimate of its end: all of it as long as
 * nobody says otherwise; then a part, from share to share, of what progress_whole gave; all again after progress_reset. */
typedef struct {
    double from;
    double width;
    double began; /* below 0: with the next bar */
} progress_window;
progress_window progress_whole(void);
void progress_part(const progress_window *whole, double from, double to);
void progress_reset(void);

typedef struct {
    uint64_t budget; /* of the next piece */
    double began;    /* the present piece */
    double seconds_warmup;
    double seconds_sampling;
    lcc_progress at;
    int32_t state; /* what the last piece returned */
    const team *paced; /* what its units take, or NULL: all the same */
    double from;       /* what was done of all before it, and its own share */
    double width;
    double started;
    double until; /* of seconds_now, where it ends by the clock, else 0 */
    progress_bar bar;
} stepping;

/* Goes on from the file, in a team's whole that was just made: refused, after a message, unless what is saved there was
 * made by the same options of the same data, so that sizes that follow from them are those of the handle. */
int stepping_resume(const team *t, const checkpoint_file *file);

/* Steps until all is done, Ctrl-C, or an error; after each piece `save`, unless that is NULL, with
 * the team's context. 0 or an exit code after a message. */
int stepping_run(stepping *s, const team *t, const char *doing, int quiet,
                 int (*save)(void *context));

/* The same by hand: each piece between before and after, which counts it; `warming` is whether it
 * began in the warm-up, and `at` where the run is then. */
void stepping_begin(stepping *s, int quiet);
void stepping_before(stepping *s);
void stepping_after(stepping *s, int warming);
void stepping_end(stepping *s);

#endif
