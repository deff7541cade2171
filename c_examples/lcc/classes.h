/* Rows whose target is a class: their CSV, and how well they are told from noise. */
#ifndef CLASSES_H
#define CLASSES_H

#include "encode.h"
#include "network.h"
#include "predictions.h"

#include <stdint.h>

/* class, the probability of each, entropy, mutual_information and, where known, y: by the names in `target`, or by
 * their numbers where it is NULL; and what ends all predictions. */
void classes_write(FILE *out, const predictions *p, const schema_column *target,
                   const dataset *rows);

/* As many rows as `count`, uniform in the range that each column of `range` has. 0 or EXIT_FAILED; free either
 * way. */
int noise_rows(dataset *noise, const dataset *range, size_t count, uint64_t seed);

/* How well rows are told from noise: the probability that a row of noise has the larger value, of equals half. NaN
 * where there is no memory. */
double noise_auroc(const double *rows, size_t n, const double *noise, size_t m);

/* What a model says of rows and of as many of noise. */
typedef struct {
    dataset noise;
    predictions said; /* of the noise */
    predictions point; /* a point fit's, of the rows, and of the noise; none without one */
    predictions point_said;
} noise_trial;

/* Fills it and the facts in: this model on rows of noise of the range of `range`, against p, which it said of `rows`;
 * and the model of a point fit, unless that is NULL. 0 or EXIT_FAILED after a message; free either way. */
int noise_judge(noise_trial *t, const network_fit *model, const dataset *range,
                const dataset *rows, const predictions *p, uint64_t seed, noise_facts *facts);
void noise_free(noise_trial *t);

/* The figure: the point fit above, where there is one, and the posterior. `kind` of rows, as "test". */
void noise_plot(FILE *out, const char *target, const char *kind, const noise_trial *t,
                const predictions *p);

#endif
