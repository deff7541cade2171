#include "vae_plot.h"

#include "plot.h"

#include <math.h>

/* Greys that are told apart: one path each. */
enum { GREYS = 17 };

/* The sheet, in its own units. */
#define EDGE 40.0
#define HEAD 100.0
#define SIDE 800.0

static int grey(const tile_size *tile, double value)
{
    double share = (value - tile->low) / (tile->high - tile->low);
    double level = floor(share * (GREYS - 1) + 0.5);
    return level < 0.0 ? 0 : (level > GREYS - 1 ? GREYS - 1 : (int)level);
}

void tiles_write(FILE *out, const char *title, const char *subtitle, const tile_size *tile, size_t across,
                 const double *values, size_t count)
{
    double pitch = SIDE / (double)across;
    double pixel = pitch * 0.92 / (double)tile->width;
    double step = pixel * (double)tile->height + pitch * 0.08;
    size_t down = (count + across - 1) / across;
    size_t pixels = tile->width * tile->height;
    int level;
    size_t k;
    size_t j;
    plot_begin(out, SIDE + 2.0 * EDGE, HEAD + step * (double)down + EDGE, EDGE, title, subtitle);
    fputs("<g stroke=\"#d5dbe1\" fill=\"none\">\n", out);
    for (k = 0; k < count; k++) {
        fprintf(out, "<rect x=\"%.2f\" y=\"%.2f\" width=\"%.2f\" height=\"%.2f\"/>\n",
                EDGE + pitch * (double)(k % across), HEAD + step * (double)(k / across),
                pixel * (double)tile->width, pixel * (double)tile->height);
    }
    fputs("</g>\n<g shape-rendering=\"crispEdges\">\n", out);
    for (level = 1; level < GREYS; level++) {
        int shade = 255 - 255 * level / (GREYS - 1);
        fprintf(out, "<path fill=\"#%02x%02x%02x\" d=\"", shade, shade, shade);
        for (k = 0; k < count; k++) {
            for (j = 0; j < pixels; j++) {
                if (grey(tile, values[k * pixels + j]) == level) {
                    fprintf(out, "M%.2f %.2fh%.2fv%.2fh-%.2fz",
                            EDGE + pitch * (double)(k % across) + pixel * (double)(j % tile->width),
                            HEAD + step * (double)(k / across) + pixel * (double)(j / tile->width), pixel,
                            pixel, pixel);
                }
            }
        }
        fputs("\"/>\n", out);
    }
    fputs("</g>\n</svg>\n", out);
}
