/* Rows shown as pictures, tile by tile. */
#ifndef VAE_PLOT_H
#define VAE_PLOT_H

#include <stddef.h>
#include <stdio.h>

typedef struct {
    size_t width; /* of one picture, in pixels */
    size_t height;
    double low;  /* shown white */
    double high; /* shown black */
} tile_size;

/* count rows of width times height values, `across` of them side by side. */
void tiles_write(FILE *out, const char *title, const char *subtitle, const tile_size *tile, size_t across,
                 const double *values, size_t count);

#endif
