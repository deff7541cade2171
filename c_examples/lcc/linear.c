#include "linear.h"

#include "cli.h"

#include <lcc.h>

#include <math.h>
#include <stdlib.h>

/* The library's conjugate regression on standardised inputs, of noise 1: variances are those of the slopes alone,
 * and its prior no more than a ridge against columns that say the same. */
typedef struct {
    size_t d;
    double *centre; /* d, then their reciprocal sds, 0 of a constant column */
    double *scale;
    double *z;
    double *state;
    size_t length;
    double level;
} linear;

static void standardise(linear *l, const double *x)
{
    size_t k;
    for (k = 0; k < l->d; k++) {
        l->z[k] = (x[k] - l->centre[k]) * l->scale[k];
    }
}

static void learn_scales(linear *l, const dataset *train)
{
    double n = (double)train->n;
    size_t i;
    size_t k;
    for (k = 0; k < l->d; k++) {
        const double *x = train->x + k;
        double squares = 0.0;
        l->centre[k] = x[0];
        for (i = 0; i < train->n; i++) {
            l->centre[k] += (x[i * l->d] - x[0]) / n;
        }
        for (i = 0; i < train->n; i++) {
            squares += (x[i * l->d] - l->centre[k]) * (x[i * l->d] - l->centre[k]) / n;
        }
        l->scale[k] = squares > 0.0 ? 1.0 / sqrt(squares) : 0.0;
    }
    for (i = 0; i < train->n; i++) {
        l->level += train->y[i] / n;
    }
}

static int learn(linear *l, const dataset *train)
{
    const double ridge = 1e-9;
    double y;
    lcc_data_f64 row = {l->z, &y, 1, l->d, l->d, 1};
    size_t i;
    int32_t status = lcc_conjugate_start_f64(l->d, 1.0, 1.0 / sqrt(ridge * (double)train->n),
                                             l->state, l->length);
    learn_scales(l, train);
    for (i = 0; i < train->n && status == LCC_OK; i++) {
        standardise(l, train->x + i * l->d);
        y = train->y[i] - l->level;
        status = lcc_conjugate_add_f64(&row, 1.0, l->state, l->length);
    }
    return status == LCC_OK;
}

/* The mean at x, and how far out it is: z' (Z'Z)^-1 z. NaN where the library refuses. */
static double predict(linear *l, const double *x, double *out)
{
    double mean;
    *out = 0.0;
    standardise(l, x);
    return lcc_conjugate_predict_f64(l->d, l->state, l->length, l->z, &mean, out) == LCC_OK
               ? l->level + mean
               : (double)NAN;
}

int linear_predict(const dataset *train, const dataset *test, double *mean, double *variance)
{
    size_t d = train->d;
    double *memory;
    double squares = 0.0;
    double freedom = (double)train->n - 1.0;
    double out;
    size_t i;
    int known = 0;
    linear l;
    if (d >= 4096 || lcc_conjugate_values_f64(d, &l.length) != LCC_OK) {
        return 0;
    }
    memory = allocate(3 * d + l.length, sizeof *memory);
    if (memory == NULL) {
        return 0;
    }
    l.d = d;
    l.centre = memory;
    l.scale = memory + d;
    l.z = memory + 2 * d;
    l.state = memory + 3 * d;
    l.level = 0.0;
    if (learn(&l, train)) {
        for (i = 0; i < train->n; i++) {
            double miss = train->y[i] - predict(&l, train->x + i * d, &out);
            squares += miss * miss;
            freedom -= out;
        }
        known = freedom > 0.5 && squares > 0.0;
    }
    for (i = 0; known && i < test->n; i++) {
        mean[i] = predict(&l, test->x + i * d, &out);
        variance[i] = squares / freedom * (1.0 + 1.0 / (double)train->n + out);
    }
    free(memory);
    return known;
}
