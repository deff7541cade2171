#include "progress.h"

#include "platform.h"

enum { WIDTH = 32 };

void progress_begin(progress_bar *bar, int quiet)
{
    bar->shown = !quiet && is_terminal(stderr);
    bar->started = seconds_now();
    bar->last = -1.0;
}

void progress_show(progress_bar *bar, uint64_t done, uint64_t total, const char *what)
{
    double now;
    double share;
    int filled;
    int i;
    if (!bar->shown || total == 0) {
        return;
    }
    now = seconds_now() - bar->started;
    if (bar->last >= 0.0 && now - bar->last < 0.1 && done < total) {
        return;
    }
    bar->last = now;
    share = done >= total ? 1.0 : (double)done / (double)total;
    filled = (int)(share * WIDTH);
    fprintf(stderr, "\r  %-9s [", what);
    for (i = 0; i < WIDTH; i++) {
        fputc(i < filled ? '=' : (i == filled ? '>' : ' '), stderr);
    }
    fprintf(stderr, "] %3d %%  %.1f s", (int)(100.0 * share), now);
    if (share > 0.05 && share < 1.0) {
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
