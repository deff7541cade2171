#include "compare.h"
#include "plot.h"

#include <math.h>

/* In pixels. */
#define WIDTH 860.0
#define LEFT 170.0
#define TOP 132.0
#define STEP 32.0
#define PANEL 300.0
#define GAP 50.0

typedef struct {
    const char *title;
    double left;
    double low;
    double high;
    double value[64];
    double error[64];
} panel;

static double across(const panel *p, double value)
{
    return p->left + (value - p->low) / (p->high - p->low) * PANEL;
}

static void find_range(panel *p, size_t count)
{
    double air;
    size_t k;
    p->low = HUGE_VAL;
    p->high = -HUGE_VAL;
    for (k = 0; k < count; k++) {
        double error = isfinite(p->error[k]) ? p->error[k] : 0.0;
        if (isfinite(p->value[k])) {
            p->low = fmin(p->low, p->value[k] - error);
            p->high = fmax(p->high, p->value[k] + error);
        }
    }
    if (!(p->low <= p->high)) {
        p->low = 0.0;
        p->high = 0.0;
    }
    air = p->high > p->low ? 0.06 * (p->high - p->low) : 1.0;
    p->low -= air;
    p->high += air;
}

static void draw(FILE *out, const panel *p, const compared *lines, size_t count)
{
    double bottom = TOP + STEP * (double)count;
    double first;
    double step = plot_ticks(p->low, p->high, 5, &first);
    double tick;
    size_t k;
    fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"14\" font-weight=\"600\">%s</text>\n",
            p->left, TOP - 22.0, p->title);
    for (tick = first; tick <= p->high; tick += step) {
        fprintf(out,
                "<path d=\"M%.2f %.2fV%.2f\" stroke=\"#e6eaee\"/>\n<text x=\"%.2f\" y=\"%.2f\" "
                "font-size=\"12\" fill=\"" PLOT_FAINT "\" text-anchor=\"middle\">%g</text>\n",
                across(p, tick), TOP - 8.0, bottom, across(p, tick), bottom + 20.0,
                fabs(tick) < 1e-9 * step ? 0.0 : tick);
    }
    for (k = 0; k < count; k++) {
        double y = TOP + STEP * ((double)k + 0.5);
        const char *colour = lines[k].baseline ? PLOT_FAINT : PLOT_INSIDE;
        if (!isfinite(p->value[k])) {
            continue;
        }
        if (isfinite(p->error[k])) {
            fprintf(out, "<path d=\"M%.2f %.2fH%.2f\" stroke=\"%s\" stroke-width=\"2\"/>\n",
                    across(p, p->value[k] - p->error[k]), y, across(p, p->value[k] + p->error[k]),
                    colour);
        }
        fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"5\" fill=\"%s\"/>\n",
                across(p, p->value[k]), y, colour);
    }
}

void compare_plot(FILE *out, const char *target, const char *what, int classes,
                  const compared *lines, size_t count)
{
    char title[160];
    panel panels[2];
    size_t k;
    count = count < 64 ? count : 64;
    (void)snprintf(title, sizeof title, "%s: %s", target, what);
    plot_begin(out, WIDTH, TOP + STEP * (double)count + 48.0, 28.0, title,
               "held-out rows; bars are one standard error over rows");
    panels[0].title = "log score, larger is better";
    panels[1].title = classes ? "accuracy, larger is better" : "RMSE, smaller is better";
    panels[0].left = LEFT;
    panels[1].left = LEFT + PANEL + GAP;
    for (k = 0; k < count; k++) {
        const score_summary *s = &lines[k].scores;
        panels[0].value[k] = s->mean[SCORE_LOG];
        panels[0].error[k] = s->error[SCORE_LOG];
        panels[1].value[k] = classes ? s->mean[SCORE_RIGHT] : s->rmse;
        panels[1].error[k] = classes ? s->error[SCORE_RIGHT] : s->rmse_error;
        fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"14\" text-anchor=\"end\">",
                LEFT - 16.0, TOP + STEP * ((double)k + 0.5) + 5.0);
        plot_escaped(out, lines[k].name);
        fputs("</text>\n", out);
    }
    for (k = 0; k < 2; k++) {
        find_range(&panels[k], count);
        draw(out, &panels[k], lines, count);
    }
    fputs("</svg>\n", out);
}
