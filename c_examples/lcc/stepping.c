#include "stepping.h"

#include "cli.h"
#include "platform.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Of the bar at most, and what stands beside it. */
enum { WIDTH = 32, BESIDE = 44 };

static const progress_window all = {0.0, 1.0, -1.0};
static progress_window window = {0.0, 1.0, -1.0};

progress_window progress_whole(void)
{
    progress_window whole = window;
    whole.began = whole.began < 0.0 ? seconds_now() : whole.began;
    return whole;
}

void progress_part(const progress_window *whole, double from, double to)
{
    window.began = whole->began;
    window.from = whole->from + whole->width * from;
    window.width = whole->width * (to - from);
}

void progress_reset(void)
{
    window = all;
}

void progress_begin(progress_bar *bar, int quiet)
{
    bar->shown = !quiet && is_terminal(stderr);
    bar->started = window.began < 0.0 ? seconds_now() : window.began;
    bar->last = -1.0;
}

void progress_show(progress_bar *bar, double share, const char *what)
{
    double now;
    int terminal;
    int width;
    int filled;
    int i;
    if (!bar->shown) {
        return;
    }
    now = seconds_now() - bar->started;
    if (bar->last >= 0.0 && now - bar->last < 0.1 && share < 1.0) {
        return;
    }
    bar->last = now;
    terminal = terminal_width(stderr);
    width = terminal == 0 || terminal >= WIDTH + BESIDE ? WIDTH : terminal - BESIDE;
    share = window.from + window.width * (share < 1.0 ? share : 1.0);
    filled = (int)(share * width);
    fprintf(stderr, "\r  %-9s [", what);
    for (i = 0; i < width; i++) {
        fputc(i < filled ? '=' : (i == filled ? '>' : ' '), stderr);
    }
    fprintf(stderr, "] %3d %%  %.1f s", (int)(100.0 * share), now);
    if (share < 1.0 && (share > 0.05 || (now > 2.0 && share > 0.002))) {
        fprintf(stderr, ", %.0f s left", now * (1.0 - share) / share);
    }
    fputs("\033[K", stderr);
    (void)fflush(stderr);
}

void progress_end(progress_bar *bar)
{
    if (bar->shown && bar->last >= 0.0) {
        fputs("\r\033[K", stderr);
        (void)fflush(stderr);
    }
    bar->shown = 0;
}

void stepping_begin(stepping *s, int quiet)
{
    memset(s, 0, sizeof *s);
    s->budget = 1 << 16;
    s->state = LCC_RUNNING;
    s->width = 1.0;
    s->started = seconds_now();
    progress_begin(&s->bar, quiet);
}

void stepping_before(stepping *s)
{
    s->began = seconds_now();
}

void stepping_after(stepping *s, int warming)
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
    if (s->until > 0.0) {
        seconds = seconds_now() - s->started;
        progress_show(&s->bar, seconds / (s->until - s->started), "fitting");
    } else if (s->at.total > 0) {
        double share = s->paced == NULL ? (double)s->at.done / (double)s->at.total
                                        : team_work(s->paced, s->at.done) / team_work(s->paced, s->at.total);
        progress_show(&s->bar, s->from + s->width * share, s->at.warming ? "warm-up" : "sampling");
    }
}

void stepping_end(stepping *s)
{
    progress_end(&s->bar);
}

int stepping_resume(const team *t, const checkpoint_file *file)
{
    lcc_progress at;
    size_t bytes = 0;
    unsigned char *whole = NULL;
    const void *saved = checkpoint_load(file, &bytes, &whole);
    int32_t status = saved == NULL ? LCC_OK : lcc_resume(t->whole, saved, bytes);
    free(whole);
    if (saved == NULL) {
        return EXIT_FAILED;
    }
    if (status == LCC_ERROR_IMAGE_SHAPE) {
        return fail("%s: the run in it has other options or other data: give those of that run, or run without --resume",
                    file->path);
    }
    /* No work: where the run is comes from the run itself then, not from what was noted of it. */
    status = status < 0 ? status : t->step(t->context, t->whole, 0);
    status = status < 0 ? status : lcc_read_progress(t->whole, &at);
    if (status >= 0 && (at.total == 0 || at.done > at.total)) {
        return fail("%s: is damaged, at %" PRIu64 " of %" PRIu64 " units of work: run without --resume", file->path,
                    at.done, at.total);
    }
    return checked(file->path, status);
}

int stepping_run(stepping *s, const team *t, const char *doing, int quiet,
                 int (*save)(void *context))
{
    int32_t status;
    int code = 0;
    stepping_begin(s, quiet);
    s->paced = t;
    status = team_progress(t, &s->at);
    while (status >= 0 && code == 0 && s->state == LCC_RUNNING && !interrupted()) {
        int warming = s->at.warming != 0;
        stepping_before(s);
        s->state = team_step(t, s->budget);
        status = s->state < 0 ? s->state : team_progress(t, &s->at);
        stepping_after(s, warming);
        if (save != NULL && status >= 0 && s->state == LCC_RUNNING && !interrupted()) {
            code = save(t->context);
        }
    }
    stepping_end(s);
    THEN(code, checked(doing, status));
    return code;
}
