#include "chart.h"

#include "plot.h"

#include <math.h>
#include <string.h>

#define SHEET 340.0
#define LEFT 46.0
#define RIGHT 10.0
#define TOP 8.0
#define BOTTOM 40.0
/* Of a letter, in the fonts of most systems at most, and of a line. */
#define LETTER 6.6
#define LINE 16.0

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

/* As much of it as there is room for. */
static void fitted(const chart *c, const char *text, double room)
{
    size_t most = room > 2.0 * LETTER ? (size_t)(room / LETTER) : 2;
    size_t letters = 0;
    size_t bytes = 0;
    size_t cut = 0;
    char part[400];
    while (text[bytes] != '\0' && bytes < sizeof part - 4) {
        /* A character of several bytes stays whole. */
        do {
            bytes++;
        } while (((unsigned char)text[bytes] & 0xc0) == 0x80 && bytes < sizeof part - 4);
        letters++;
        cut = letters < most ? bytes : cut;
    }
    if (letters <= most && text[bytes] == '\0') {
        plot_escaped(c->out, text);
        return;
    }
    (void)snprintf(part, sizeof part, "%.*s\342\200\246", (int)cut, text);
    plot_escaped(c->out, part);
}

void chart_room(chart *c, double pixels)
{
    double more = pixels + LINE + 6.0 - c->left;
    if (more > 0.0) {
        c->left += more;
        c->width -= more;
    }
}

void chart_name(const chart *c, int axis, double at, const char *name, double room)
{
    double x = axis == 0 ? chart_x(c, at) : c->left - 6.0;
    double length = fmin(room, LETTER * (double)strlen(name));
    int end = axis == 1 || x + 0.5 * length > SHEET - 1.0;
    fprintf(c->out, "<text class=\"%s\" x=\"%.1f\" y=\"%.1f\">", end ? "e" : "m",
            end && axis == 0 ? SHEET - 1.0 : x,
            axis == 0 ? c->top + c->height + 15.0 : chart_y(c, at) + 3.5);
    fitted(c, name, axis == 0 ? room : c->left - LINE - 6.0);
    fputs("</text>\n", c->out);
}

enum { MOST_TICKS = 32 };
typedef struct {
    size_t count;
    double at[MOST_TICKS];
    char text[MOST_TICKS][24];
    double longest; /* in pixels */
} ticks;

static ticks ticks_of(const chart *c, int axis)
{
    double first;
    double step = plot_ticks(c->low[axis], c->high[axis], axis == 0 ? 6 : 5, &first);
    double most = fmax(fabs(c->low[axis]), fabs(c->high[axis]));
    int decimals = (int)fmax(0.0, ceil(-log10(step) - 1e-9));
    ticks t;
    memset(&t, 0, sizeof t);
    for (; t.count < MOST_TICKS && first + (double)t.count * step <= c->high[axis] + 1e-9 * step; t.count++) {
        double value = first + (double)t.count * step;
        char *text = t.text[t.count];
        char *power;
        value = fabs(value) < 1e-9 * step ? 0.0 : value;
        t.at[t.count] = value;
        /* Numbers too long for their place take the form of powers. */
        (void)(most >= 1e6 || decimals > 4 ? snprintf(text, sizeof *t.text, "%g", value)
                                           : snprintf(text, sizeof *t.text, "%.*f", decimals, value));
        power = strchr(text, 'e');
        if (power != NULL) {
            char *to = power + 1 + (power[1] == '-');
            const char *digits = power + 2 + strspn(power + 2, "0");
            memmove(to, digits, strlen(digits) + 1);
        }
        t.longest = fmax(t.longest, LETTER * (double)strlen(text));
    }
    return t;
}

static void draw_ticks(const chart *c, int axis, const ticks *t)
{
    size_t k;
    for (k = 0; k < t->count; k++) {
        if (axis == 0) {
            fprintf(c->out, "<path class=\"g\" d=\"M%.1f %.1fv%.1f\"/>", chart_x(c, t->at[k]), c->top,
                    c->height);
        } else {
            fprintf(c->out, "<path class=\"g\" d=\"M%.1f %.1fh%.1f\"/>", c->left, chart_y(c, t->at[k]),
                    c->width);
        }
        chart_name(c, axis, t->at[k], t->text[k], SHEET);
    }
}

void chart_axes(chart *c, const char *across, const char *up)
{
    int axis;
    /* Upwards first: its numbers say how wide the other is. */
    for (axis = 1; axis >= 0; axis--) {
        if (!c->words[axis]) {
            ticks t = ticks_of(c, axis);
            if (axis == 1) {
                chart_room(c, t.longest);
            }
            draw_ticks(c, axis, &t);
        }
    }
    fprintf(c->out, "<text class=\"m a\" x=\"%.1f\" y=\"%.1f\">", c->left + c->width / 2.0,
            c->top + c->height + 33.0);
    fitted(c, across, c->width + 2.0 * RIGHT);
    fprintf(c->out, "</text>\n<text class=\"m a\" transform=\"translate(10 %.1f) rotate(-90)\">",
            c->top + c->height / 2.0);
    fitted(c, up, c->height + 2.0 * TOP);
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
