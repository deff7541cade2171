/* Probabilistic PCA in closed form (Tipping and Bishop 1999): what a linear auto-encoder comes to. */
#ifndef VAE_PCA_H
#define VAE_PCA_H

#include "dataset.h"

typedef struct {
    double train; /* the mean log density of a training row, and of a row held out (NAN without) */
    double test;
    double noise; /* the sd of the noise */
} pca_fit;

/* With k coordinates, fewer than columns. `test` may be NULL. 0 or EXIT_FAILED after a message. */
int pca_run(const dataset *train, const dataset *test, size_t k, pca_fit *fit);

#endif
