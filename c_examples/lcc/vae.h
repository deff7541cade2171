/* lcc vae: what fitting an auto-encoder and using one share. */
#ifndef VAE_H
#define VAE_H

#include "cli.h"
#include "dataset.h"
#include "files.h"
#include "vae_plot.h"

#include <lcc.h>

enum { VAE_DIGITS = 17 };

/* The flags of every kind of lcc vae. */
typedef struct {
    const char *data;
    const char *model;
    const char *out;
    const char *target;
    const char *layers;
    const char *output;
    const char *activation;
    const char *test;
    const char *split;
    const char *plot;
    const char *image;
    const char *json;
    uint32_t draws;
    uint32_t count;
    uint64_t seed;
    lcc_vae_options_f64 options;
    tile_size tile;
} vae_flags;

/* An auto-encoder in memory, and what it asks for besides. */
typedef struct {
    room memory;
    room scratch;
    lcc_vae_f64 *vae;
    lcc_vae_shape_f64 shape;
} vae_run;

/* n rows of d numbers, one after another. */
lcc_data_f64 vae_view(const double *x, size_t n, size_t d);

/* What it is, and the scratch it asks for. 0 or EXIT_FAILED after a message; free either way. */
int vae_run_shape(vae_run *run);
void vae_run_free(vae_run *run);

/* Rows of numbers, without the target where there is one. */
int vae_rows(row_file *file, const char *path, const char *target, const dataset *like);

/* lcc vae fit. */
int vae_fit(vae_flags *flags, int argc, char **argv, outputs *files);

#endif
