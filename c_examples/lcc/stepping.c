#include "stepping.h"

#include "platform.h"

void stepping_begin(stepping *s, int quiet)
{
    s->budget = 1 << 16;
    s->began = seconds_now();
    s->seconds_warmup = 0.0;
    s->seconds_sampling = 0.0;
    progress_begin(&s->bar, quiet);
}

void stepping_before(stepping *s)
{
    s->began = seconds_now();
}

void stepping_after(stepping *s, const lcc_progress *progress, int warming)
{
    double seconds = seconds_now() - s->began;
    if (warming) {
        s->seconds_warmup += seconds;
    } else {
        s->seconds_sampling += seconds;
    }
    if (seconds < 0.02 && s->budget < UINT64_MAX / 4) {
        s->budget *= 2;
    } else if (seconds > 0.1 && s->budget > 1024) {
        s->budget /= 2;
    }
    progress_show(&s->bar, progress->done, progress->total,
                  progress->warming ? "warm-up" : "sampling");
}

void stepping_end(stepping *s)
{
    progress_end(&s->bar);
}
