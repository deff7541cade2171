#include "compare.h"

#include "cli.h"
#include "fit_method.h"
#include "model.h"
#include "plot.h"

#include <math.h>
#include <string.h>

enum { GRID = 161, ACROSS = 2, POINTS = 1000 };

/* In pixels. */
#define WIDTH 860.0
#define LEFT 64.0
#define TOP 118.0
#define PANEL 360.0
#define HIGH 250.0
#define GAP 46.0
#define FOOT 66.0
#define MARGIN 0.15 /* of the range of the input, beyond either end */
#define SDS 2.0

int compare_curve_fit(fit_flags *flags, fit_outcome *o, compare_curve *curve, int *interrupted)
{
    const dataset *train = o->train;
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    size_t i;
    int code;
    if (train->d != 1 || o->target.kind == TARGET_CLASSES) {
        return wrong_usage("compare: --curves is of one input and a target that is a number: here are "
                           "%lu inputs%s; --only takes one",
                           (unsigned long)train->d,
                           o->target.kind == TARGET_CLASSES ? ", and classes" : "");
    }
    for (i = 0; i < train->n; i++) {
        low = fmin(low, train->x[i]);
        high = fmax(high, train->x[i]);
    }
    curve->grid.n = GRID;
    curve->grid.d = 1;
    code = dataset_spread(&curve->rows, train, POINTS);
    THEN(code, dataset_reserve(&curve->grid, 0));
    for (i = 0; i < GRID && code == 0; i++) {
        double share = (1.0 + 2.0 * MARGIN) * (double)i / (GRID - 1) - MARGIN;
        curve->grid.x[i] = low + share * (high - low);
    }
    THEN(code, fit_method(flags, NULL, o));
    *interrupted = code == 0 && (o->fit.model == NULL || o->fit.was_interrupted);
    if (code == 0 && !*interrupted) {
        code = model_predict(o->fit.model, o->fit.model_bytes, &curve->grid, flags->interval,
                             &curve->p);
    }
    return code;
}

void compare_curve_free(compare_curve *curve)
{
    predictions_free(&curve->p);
    dataset_free(&curve->grid);
    dataset_free(&curve->rows);
}

/* The ends of both axes, the same of all panels. */
typedef struct {
    double low[2];
    double high[2];
    double left;
    double top;
} curve_panel;

static double across(const curve_panel *p, double x)
{
    return p->left + (x - p->low[0]) / (p->high[0] - p->low[0]) * PANEL;
}

/* What lies outside is drawn at the edge. */
static double down(const curve_panel *p, double y)
{
    double share = (y - p->low[1]) / (p->high[1] - p->low[1]);
    return p->top + HIGH - fmax(0.0, fmin(1.0, share)) * HIGH;
}

/* Of the rows, with half of their range on either side. */
static void find_ends(curve_panel *p, const compare_curve *curve)
{
    const dataset *rows = &curve->rows;
    size_t i;
    double more;
    p->low[0] = curve->grid.x[0];
    p->high[0] = curve->grid.x[GRID - 1];
    p->low[1] = HUGE_VAL;
    p->high[1] = -HUGE_VAL;
    for (i = 0; i < rows->n; i++) {
        p->low[1] = fmin(p->low[1], rows->y[i]);
        p->high[1] = fmax(p->high[1], rows->y[i]);
    }
    more = p->high[1] > p->low[1] ? 0.5 * (p->high[1] - p->low[1]) : 1.0;
    p->low[1] -= more;
    p->high[1] += more;
    if (!(p->high[0] > p->low[0])) {
        p->low[0] -= 1.0;
        p->high[0] += 1.0;
    }
}

static void draw_axes(FILE *out, const curve_panel *p)
{
    int axis;
    for (axis = 0; axis < 2; axis++) {
        double first;
        double step = plot_ticks(p->low[axis], p->high[axis], 5, &first);
        double tick;
        for (tick = first; tick <= p->high[axis]; tick += step) {
            double said = fabs(tick) < 1e-9 * step ? 0.0 : tick;
            if (axis == 0) {
                fprintf(out, "<path d=\"M%.2f %.2fv%.2f\" stroke=\"#e6eaee\"/>\n<text x=\"%.2f\" y=\"%.2f\" "
                             "font-size=\"12\" fill=\"" PLOT_FAINT "\" text-anchor=\"middle\">%g</text>\n",
                        across(p, tick), p->top, HIGH, across(p, tick), p->top + HIGH + 18.0, said);
            } else {
                fprintf(out, "<path d=\"M%.2f %.2fh%.2f\" stroke=\"#e6eaee\"/>\n<text x=\"%.2f\" y=\"%.2f\" "
                             "font-size=\"12\" fill=\"" PLOT_FAINT "\" text-anchor=\"end\">%g</text>\n",
                        p->left, down(p, tick), PANEL, p->left - 8.0, down(p, tick) + 4.0, said);
            }
        }
    }
}

static void draw_panel(FILE *out, const curve_panel *p, const compare_curve *curve)
{
    const dataset *rows = &curve->rows;
    double sum = 0.0;
    size_t i;
    draw_axes(out, p);
    for (i = 0; i < GRID; i++) {
        sum += curve->p.sd[i];
    }
    fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"14\"><tspan font-weight=\"600\">", p->left,
            p->top - 10.0);
    plot_escaped(out, curve->name);
    fprintf(out, "</tspan><tspan fill=\"" PLOT_FAINT "\" dx=\"10\">mean sd %.3g</tspan></text>\n",
            sum / GRID);
    fputs("<path fill=\"" PLOT_INSIDE "\" fill-opacity=\".18\" d=\"", out);
    for (i = 0; i < GRID; i++) {
        fprintf(out, "%c%.2f %.2f", i == 0 ? 'M' : 'L', across(p, curve->grid.x[i]),
                down(p, curve->p.mean[i] + SDS * curve->p.sd[i]));
    }
    for (i = GRID; i-- > 0;) {
        fprintf(out, "L%.2f %.2f", across(p, curve->grid.x[i]),
                down(p, curve->p.mean[i] - SDS * curve->p.sd[i]));
    }
    fputs("Z\"/>\n<path fill=\"none\" stroke=\"" PLOT_INSIDE "\" stroke-width=\"2\" d=\"", out);
    for (i = 0; i < GRID; i++) {
        fprintf(out, "%c%.2f %.2f", i == 0 ? 'M' : 'L', across(p, curve->grid.x[i]),
                down(p, curve->p.mean[i]));
    }
    fputs("\"/>\n<g fill=\"" PLOT_INK "\" fill-opacity=\".75\">\n", out);
    for (i = 0; i < rows->n; i++) {
        fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2.6\"/>\n", across(p, rows->x[i]),
                down(p, rows->y[i]));
    }
    fputs("</g>\n", out);
}

void compare_curves(FILE *out, const char *target, const compare_curve *curves, size_t count)
{
    char title[160];
    curve_panel p;
    size_t lines = (count + ACROSS - 1) / ACROSS;
    size_t k;
    memset(&p, 0, sizeof p);
    (void)snprintf(title, sizeof title, "%s: methods compared", target);
    plot_begin(out, WIDTH, TOP + (double)lines * (HIGH + FOOT), 28.0, title,
               "training rows; predictive mean and 2 sd on either side");
    find_ends(&p, curves);
    for (k = 0; k < count; k++) {
        p.left = LEFT + (double)(k % ACROSS) * (PANEL + GAP);
        p.top = TOP + (double)(k / ACROSS) * (HIGH + FOOT);
        draw_panel(out, &p, &curves[k]);
    }
    fputs("</svg>\n", out);
}
