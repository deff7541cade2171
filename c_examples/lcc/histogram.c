#include "histogram.h"

#include "plot.h"

#include <string.h>

enum { BINS = HISTOGRAM_BINS };

/* The sheet, in pixels. */
#define SHEET 720.0
#define LEFT 84.0
#define RIGHT 28.0
#define TOP 104.0
#define EACH 240.0 /* of a panel, */
#define BETWEEN 70.0
#define WIDTH (SHEET - LEFT - RIGHT)

void histogram_bins(const double *top, size_t n, double least, double share[BINS])
{
    size_t i;
    memset(share, 0, BINS * sizeof *share);
    for (i = 0; i < n; i++) {
        double at = (top[i] - least) / (1.0 - least) * BINS;
        int bin = at >= BINS ? BINS - 1 : (at > 0.0 ? (int)at : 0);
        share[bin] += 1.0 / (double)n;
    }
}

/* Bars of half a bin, those of noise to the right of those of rows. */
static void draw_bars(FILE *out, double y, const double share[BINS], double most, int noise)
{
    double bin = WIDTH / BINS;
    int k;
    fprintf(out, "<g fill=\"%s\">\n", noise ? PLOT_OUTSIDE : PLOT_INSIDE);
    for (k = 0; k < BINS; k++) {
        double height = share[k] / most * EACH;
        if (height > 0.0) {
            fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n",
                    LEFT + bin * (k + (noise ? 0.5 : 0.08)), y + EACH - height, 0.42 * bin, height);
        }
    }
    fputs("</g>\n", out);
}

static void draw_panel(FILE *out, double y, const histogram_panel *p, double least)
{
    double rows[BINS];
    double noise[BINS];
    double most = 0.0;
    int k;
    histogram_bins(p->rows, p->n, least, rows);
    histogram_bins(p->noise, p->n, least, noise);
    for (k = 0; k < BINS; k++) {
        most = rows[k] > most ? rows[k] : most;
        most = noise[k] > most ? noise[k] : most;
    }
    fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" font-size=\"15\" font-weight=\"600\">", LEFT, y - 8.0);
    plot_escaped(out, p->name);
    fputs("</text>\n", out);
    draw_bars(out, y, rows, most, 0);
    draw_bars(out, y, noise, most, 1);
    fprintf(out, "<path d=\"M%.2f %.2fV%.2fH%.2f\" fill=\"none\" stroke=\"#b8c1ca\"/>\n", LEFT, y,
            y + EACH, LEFT + WIDTH);
    fprintf(out, "<g font-size=\"13\" fill=\"" PLOT_FAINT "\">\n");
    for (k = 0; k <= BINS; k += 4) {
        fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\">%.2f</text>\n",
                LEFT + WIDTH * k / BINS, y + EACH + 20.0, least + (1.0 - least) * k / BINS);
    }
    for (k = 0; k <= 1; k++) {
        fprintf(out, "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"end\">%.0f %%</text>\n", LEFT - 10.0,
                y + (k == 0 ? EACH : 0.0) + 4.5, 100.0 * k * most);
    }
    fputs("</g>\n", out);
}

void histogram_write(FILE *out, const char *title, const char *subtitle, const char *rows,
                     size_t classes, const histogram_panel *panels, size_t count)
{
    double height = TOP + 46.0 + (double)count * (EACH + BETWEEN);
    size_t k;
    plot_begin(out, SHEET, height, LEFT, title, subtitle);
    fprintf(out,
            "<g font-size=\"13\"><rect x=\"%.2f\" y=\"92\" width=\"12\" height=\"12\" fill=\"" PLOT_INSIDE
            "\"/><text x=\"%.2f\" y=\"102.5\">%s rows</text>\n"
            "<rect x=\"%.2f\" y=\"92\" width=\"12\" height=\"12\" fill=\"" PLOT_OUTSIDE
            "\"/><text x=\"%.2f\" y=\"102.5\">uniform noise in the range of each column</text></g>\n",
            LEFT, LEFT + 18.0, rows, LEFT + 130.0, LEFT + 148.0);
    for (k = 0; k < count; k++) {
        draw_panel(out, TOP + 46.0 + (double)k * (EACH + BETWEEN), &panels[k],
                   1.0 / (double)classes);
    }
    fprintf(out,
            "<text x=\"%.2f\" y=\"%.2f\" text-anchor=\"middle\" font-size=\"15\">Largest "
            "probability</text>\n</svg>\n",
            LEFT + WIDTH / 2.0, height - 22.0);
}
