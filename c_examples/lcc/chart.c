#include "chart.h"

#include "plot.h"

#include <math.h>
#include <string.h>

#define SHEET 340.0
#define LEFT 46.0
#define RIGHT 10.0
#define TOP 8.0
#define BOTTOM 40.0

void chart_begin(chart *c, FILE *out, double height, const char *said)
{
    memset(c, 0, sizeof *c);
    c->out = out;
    c->left = LEFT;
    c->top = TOP;
    c->width = SHEET - LEFT - RIGHT;
    c->height = height;
    fprintf(out, "<svg viewBox=\"0 0 %.0f %.0f\" role=\"img\" aria-label=\"", SHEET,
            TOP + height + BOTTOM);
    plot_escaped(out, said);
    fputs("\"><title>", out);
    plot_escaped(out, said);
    fputs("</title>\n", out);
}

double chart_x(const chart *c, double value)
{
    return c->left + (value - c->low[0]) / (c->high[0] - c->low[0]) * c->width;
}

double chart_y(const chart *c, double value)
{
    return c->top + c->height - (value - c->low[1]) / (c->high[1] - c->low[1]) * c->height;
}

void chart_range(chart *c, int axis, double low, double high, double air)
{
    double more = high > low ? air * (high - low) : low != 0.0 ? 0.1 * fabs(low) : 1.0;
    c->low[axis] = low - more;
    c->high[axis] = high + more;
}

void chart_name(const chart *c, int axis, double at, const char *name)
{
    fprintf(c->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", axis == 0 ? "m" : "e",
            axis == 0 ? chart_x(c, at) : c->left - 6.0,
            axis == 0 ? c->top + c->height + 15.0 : chart_y(c, at) + 3.5);
    plot_escaped(c->out, name);
    fputs("</text>\n", c->out);
}

static void draw_ticks(const chart *c, int axis)
{
    double first;
    double step = plot_ticks(c->low[axis], c->high[axis], axis == 0 ? 6 : 5, &first);
    double most = fmax(fabs(c->low[axis]), fabs(c->high[axis]));
    int decimals = (int)fmax(0.0, ceil(-log10(step) - 1e-9));
    int k;
    for (k = 0; first + k * step <= c->high[axis] + 1e-9 * step; k++) {
        double value = fabs(first + k * step) < 1e-9 * step ? 0.0 : first + k * step;
        char text[32];
        /* Numbers too long for their place take the form of powers. */
        if (most >= 1e6 || decimals > 4) {
            (void)snprintf(text, sizeof text, "%g", value);
        } else {
            (void)snprintf(text, sizeof text, "%.*f", decimals, value);
        }
        if (axis == 0) {
            fprintf(c->out, "<path class=\"g\" d=\"M%.1f %.1fv%.1f\"/>", chart_x(c, value), c->top,
                    c->height);
        } else {
            fprintf(c->out, "<path class=\"g\" d=\"M%.1f %.1fh%.1f\"/>", c->left, chart_y(c, value),
                    c->width);
        }
        chart_name(c, axis, value, text);
    }
}

void chart_axes(const chart *c, const char *across, const char *up)
{
    int axis;
    for (axis = 0; axis < 2; axis++) {
        if (!c->words[axis]) {
            draw_ticks(c, axis);
        }
    }
    fprintf(c->out, "<text class=\"m a\" x=\"%.1f\" y=\"%.1f\">", c->left + c->width / 2.0,
            c->top + c->height + 33.0);
    plot_escaped(c->out, across);
    fprintf(c->out, "</text>\n<text class=\"m a\" transform=\"translate(10 %.1f) rotate(-90)\">",
            c->top + c->height / 2.0);
    plot_escaped(c->out, up);
    fputs("</text>\n", c->out);
}

void chart_end(const chart *c)
{
    fputs("</svg>\n", c->out);
}

/* What lies outside is drawn at the edge. */
static double inside(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

static void at(const chart *c, char command, double x, double y)
{
    fprintf(c->out, "%c%.1f %.1f", command, inside(chart_x(c, x), c->left, c->left + c->width),
            inside(chart_y(c, y), c->top, c->top + c->height));
}

void chart_line(const chart *c, const char *kind, const double *x, const double *y, size_t n)
{
    size_t i;
    fprintf(c->out, "<path class=\"%s\" d=\"", kind);
    for (i = 0; i < n; i++) {
        at(c, i == 0 ? 'M' : 'L', x[i], y[i]);
    }
    fputs("\"/>\n", c->out);
}

void chart_segment(const chart *c, const char *kind, double x, double y, double to_x, double to_y)
{
    const double xs[2] = {x, to_x};
    const double ys[2] = {y, to_y};
    chart_line(c, kind, xs, ys, 2);
}

void chart_band(const chart *c, const char *kind, const double *x, const double *low,
                const double *high, size_t n)
{
    size_t i;
    fprintf(c->out, "<path class=\"%s\" d=\"", kind);
    for (i = 0; i < n; i++) {
        at(c, i == 0 ? 'M' : 'L', x[i], high[i]);
    }
    for (i = n; i-- > 0;) {
        at(c, 'L', x[i], low[i]);
    }
    fputs("Z\"/>\n", c->out);
}

void chart_point(const chart *c, double x, double y)
{
    fputs("<path d=\"", c->out);
    at(c, 'M', x, y);
    fputs("h0\"/>\n", c->out);
}

void chart_bar(const chart *c, const char *kind, double x, double to_x, double y, double to_y)
{
    double left = inside(chart_x(c, x), c->left, c->left + c->width);
    double right = inside(chart_x(c, to_x), c->left, c->left + c->width);
    double top = inside(chart_y(c, to_y), c->top, c->top + c->height);
    double bottom = inside(chart_y(c, y), c->top, c->top + c->height);
    fprintf(c->out, "<rect class=\"%s\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>\n",
            kind, left, top, right - left, bottom - top);
}
