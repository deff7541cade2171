#include "plot.h"

#include <math.h>

/* The sheet, in pixels. */
#define SHEET 720.0
#define LEFT 84.0
#define RIGHT 28.0
#define TOP 104.0
#define BOTTOM 72.0
#define SIDE (SHEET - LEFT - RIGHT)
#define HEIGHT (TOP + SIDE + BOTTOM)

#define INSIDE PLOT_INSIDE
#define OUTSIDE PLOT_OUTSIDE
#define INK PLOT_INK
#define FAINT PLOT_FAINT
#define GRID "#e6eaee"

typedef struct {
    FILE *out;
    const plot_words *words;
    const predictions *p;
    const double *measured;
    double low;
    double high;
} axes;

static double across(const axes *a, double value)
{
    return LEFT + (value - a->low) / (a->high - a->low) * SIDE;
}

static double down(const axes *a, double value)
{
    return TOP + SIDE - (value - a->low) / (a->high - a->low) * SIDE;
}

void plot_escaped(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        switch (*text) {
        case '&':
            fputs("&amp;", out);
            break;
        case '<':
            fputs("&lt;", out);
            break;
        case '>':
            fputs("&gt;", out);
            break;
        case '"':
            fputs("&quot;", out);
            break;
        default:
            fputc((unsigned char)*text < 0x20 ? ' ' : *text, out);
        }
    }
}

/* Ticks at multiples of 1, 2 or 5 times a power of ten: the step that gives at
 * most `most` steps over [low, high]; *first is the smallest tick not below low. */
double plot_ticks(double low, double high, int most, double *first)
{
    static const double nice[] = {1.0, 2.0, 5.0, 10.0};
    double least = (high - low) / most;
    double power = pow(10.0, floor(log10(least)));
    double step = 10.0 * power;
    size_t i;
    for (i = 0; i < sizeof nice / sizeof nice[0]; i++) {
        if (nice[i] * power >= least * (1.0 - 1e-9)) {
            step = nice[i] * power;
            break;
        }
    }
    *first = ceil(low / step - 1e-9) * step;
    return step;
}

/* The range of measured values, means and intervals with a little air; an
 * interval that reaches far beyond all points is cut rather than shrink them. */
static void find_range(axes *a)
{
    const predictions *p = a->p;
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    double least = HUGE_VAL;
    double most = -HUGE_VAL;
    double air;
    size_t i;
    for (i = 0; i < p->n; i++) {
        low = fmin(low, fmin(a->measured[i], p->mean[i]));
        high = fmax(high, fmax(a->measured[i], p->mean[i]));
        least = fmin(least, p->lower[i]);
        most = fmax(most, p->upper[i]);
    }
    if (!(high > low)) {
        air = low < HUGE_VAL && low != 0.0 ? fabs(low) * 0.1 : 1.0;
        low = low < HUGE_VAL ? low - air : 0.0;
        high = high > -HUGE_VAL ? high + air : 1.0;
    }
    air = high - low;
    low = fmax(fmin(low, least), low - 0.25 * air);
    high = fmin(fmax(high, most), high + 0.25 * air);
    air = 0.03 * (high - low);
    a->low = low - air;
    a->high = high + air;
}

static void label(FILE *out, const plot_words *words, const char *what)
{
    plot_escaped(out, what);
    fputc(' ', out);
    plot_escaped(out, words->quantity);
    if (words->unit != NULL) {
        fputs(" (", out);
        plot_escaped(out, words->unit);
        fputc(')', out);
    }
}

static void draw_frame(const axes *a)
{
    FILE *out = a->out;
    double first;
    double step = plot_ticks(a->low, a->high, 8, &first);
    int decimals = (int)fmax(0.0, ceil(-log10(step) - 1e-9));
    int k;
    fprintf(out, "<g font-size=\"13\" fill=\"" FAINT "\">\n");
    for (k = 0; first + k * step <= a->high; k++) {
        double value = first + k * step;
        double x = across(a, value);
        double y = down(a, value);
        if (fabs(value) < 1e-9 * step) {
            value = 0.0;
        }
        fprintf(out, "<path d=\"M%.2f %.2fV%.2fM%.2f %.2fH%.2f\" stroke=\"" GRID "\" fill=\"none\"/>\n",
                x, TOP, TOP + SIDE, LEFT, y, LEFT + SIDE);
        fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%.*f</text>\n", x,
                TOP + SIDE + 20.0, decimals, value);
        fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"end\">%.*f</text>\n", LEFT - 10.0,
                y + 4.5, decimals, value);
    }
    fputs("</g>\n", out);
    fprintf(out,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\" fill=\"none\" "
            "stroke=\"#b8c1ca\"/>\n",
            LEFT, TOP, SIDE, SIDE);
    fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\" font-size=\"15\">",
            LEFT + SIDE / 2.0, TOP + SIDE + 50.0);
    label(out, a->words, "Measured");
    fprintf(out,
            "</text>\n<text transform=\"translate(%.2f %.2f) rotate(-90)\" "
            "text-anchor=\"middle\" font-size=\"15\">",
            26.0, TOP + SIDE / 2.0);
    label(out, a->words, "Predicted");
    fputs("</text>\n", out);
}

static int inside(const axes *a, size_t i)
{
    return a->measured[i] >= a->p->lower[i] && a->measured[i] <= a->p->upper[i];
}

/* All points of one kind: those outside come last and lie on top. */
static void draw_points(const axes *a, int kind)
{
    const predictions *p = a->p;
    FILE *out = a->out;
    const char *colour = kind ? INSIDE : OUTSIDE;
    size_t i;
    fprintf(out, "<g stroke=\"%s\" stroke-width=\"1.1\" stroke-opacity=\"%s\">\n", colour,
            kind ? ".22" : ".5");
    for (i = 0; i < p->n; i++) {
        if (inside(a, i) == kind) {
            fprintf(out, "<path d=\"M%.2f %.2fV%.2f\"/>\n", across(a, a->measured[i]),
                    down(a, p->lower[i]), down(a, p->upper[i]));
        }
    }
    fprintf(out, "</g>\n<g fill=\"%s\" fill-opacity=\"%s\" stroke=\"#ffffff\" stroke-width=\".6\">\n",
            colour, kind ? ".8" : ".95");
    for (i = 0; i < p->n; i++) {
        if (inside(a, i) == kind) {
            fprintf(out, "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"2.7\"/>\n", across(a, a->measured[i]),
                    down(a, p->mean[i]));
        }
    }
    fputs("</g>\n", out);
}

static void legend_entry(FILE *out, double y, const char *colour, const char *text)
{
    double x = LEFT + 20.0;
    fprintf(out,
            "<path d=\"M%.2f %.2fv18\" stroke=\"%s\" stroke-opacity=\".6\" stroke-width=\"1.4\"/>"
            "<circle cx=\"%.2f\" cy=\"%.2f\" r=\"3.6\" fill=\"%s\"/>"
            "<text x=\"%.2f\" y=\"%.2f\">%s</text>\n",
            x, y - 9.0, colour, x, y, colour, x + 14.0, y + 4.5, text);
}

static void draw_legend(const axes *a)
{
    const predictions *p = a->p;
    FILE *out = a->out;
    char text[96];
    size_t hits = 0;
    size_t i;
    for (i = 0; i < p->n; i++) {
        hits += inside(a, i) != 0;
    }
    fprintf(out,
            "<rect x=\"%.2f\" y=\"%.2f\" width=\"262\" height=\"84\" rx=\"4\" fill=\"#ffffff\" "
            "fill-opacity=\".88\" stroke=\"" GRID "\"/>\n<g font-size=\"13\" fill=\"" INK "\">\n",
            LEFT + 8.0, TOP + 8.0);
    (void)snprintf(text, sizeof text, "inside its %g %% interval: %lu of %lu", 100.0 * p->level,
                   (unsigned long)hits, (unsigned long)p->n);
    legend_entry(out, TOP + 26.0, INSIDE, text);
    (void)snprintf(text, sizeof text, "outside: %lu of %lu", (unsigned long)(p->n - hits),
                   (unsigned long)p->n);
    legend_entry(out, TOP + 50.0, OUTSIDE, text);
    fprintf(out,
            "<path d=\"M%.2f %.2fh18\" stroke=\"" INK "\" stroke-width=\"1.4\" "
            "stroke-dasharray=\"5 4\"/><text x=\"%.2f\" y=\"%.2f\">predicted = measured</text>\n"
            "</g>\n",
            LEFT + 11.0, TOP + 74.0, LEFT + 34.0, TOP + 78.5);
}

void plot_begin(FILE *out, double width, double height, double left, const char *title,
                const char *subtitle)
{
    fprintf(out,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%.0f\" "
            "viewBox=\"0 0 %.0f %.0f\" font-family=\"'Helvetica Neue', Helvetica, Arial, "
            "'Liberation Sans', 'DejaVu Sans', sans-serif\" fill=\"" INK "\">\n"
            "<title>",
            width, height, width, height);
    plot_escaped(out, title);
    fputs("</title>\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n", out);
    fprintf(out, "<text x=\"%.2f\" y=\"44\" font-size=\"20\" font-weight=\"600\">", left);
    plot_escaped(out, title);
    fprintf(out, "</text>\n<text x=\"%.2f\" y=\"72\" font-size=\"15\" fill=\"" FAINT "\">", left);
    plot_escaped(out, subtitle);
    fputs("</text>\n", out);
}

void plot_write(FILE *out, const plot_words *words, const predictions *p, const double *measured)
{
    axes a;
    a.out = out;
    a.words = words;
    a.p = p;
    a.measured = measured;
    find_range(&a);
    plot_begin(out, SHEET, HEIGHT, LEFT, words->title, words->subtitle);
    fprintf(out,
            "<clipPath id=\"frame\"><rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" "
            "height=\"%.2f\"/></clipPath>\n",
            LEFT, TOP, SIDE, SIDE);
    draw_frame(&a);
    fputs("<g clip-path=\"url(#frame)\" fill=\"none\">\n", out);
    draw_points(&a, 1);
    fprintf(out,
            "<path d=\"M%.2f %.2fL%.2f %.2f\" stroke=\"" INK "\" stroke-width=\"1.4\" "
            "stroke-dasharray=\"5 4\"/>\n",
            LEFT, TOP + SIDE, LEFT + SIDE, TOP);
    draw_points(&a, 0);
    fputs("</g>\n", out);
    draw_legend(&a);
    fputs("</svg>\n", out);
}
