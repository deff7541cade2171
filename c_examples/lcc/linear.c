#include "linear.h"

#include "cli.h"

#include <math.h>
#include <stdlib.h>

typedef struct {
    size_t d;
    double *centre; /* d, then their reciprocal sds, 0 of a constant column */
    double *scale;
    double *factor; /* d x d: lower, of Z'Z + a ridge against columns that say the same */
    double *slope;
    double *z;
    double level;
} linear;

static void standardise(linear *l, const double *x)
{
    size_t k;
    for (k = 0; k < l->d; k++) {
        l->z[k] = (x[k] - l->centre[k]) * l->scale[k];
    }
}

/* Solves L v = v, in place. */
static void forward(const linear *l, double *v)
{
    size_t i;
    size_t k;
    for (i = 0; i < l->d; i++) {
        for (k = 0; k < i; k++) {
            v[i] -= l->factor[i * l->d + k] * v[k];
        }
        v[i] /= l->factor[i * l->d + i];
    }
}

static void backward(const linear *l, double *v)
{
    size_t i;
    size_t k;
    for (i = l->d; i-- > 0;) {
        for (k = i + 1; k < l->d; k++) {
            v[i] -= l->factor[k * l->d + i] * v[k];
        }
        v[i] /= l->factor[i * l->d + i];
    }
}

static int factorise(linear *l)
{
    size_t i;
    size_t j;
    size_t k;
    for (i = 0; i < l->d; i++) {
        for (j = 0; j <= i; j++) {
            double sum = l->factor[i * l->d + j];
            for (k = 0; k < j; k++) {
                sum -= l->factor[i * l->d + k] * l->factor[j * l->d + k];
            }
            if (i == j && !(sum > 0.0)) {
                return 0;
            }
            l->factor[i * l->d + j] = i == j ? sqrt(sum) : sum / l->factor[j * l->d + j];
        }
    }
    return 1;
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
    size_t i;
    size_t j;
    size_t k;
    learn_scales(l, train);
    for (i = 0; i < train->n; i++) {
        standardise(l, train->x + i * l->d);
        for (k = 0; k < l->d; k++) {
            l->slope[k] += l->z[k] * (train->y[i] - l->level);
            for (j = 0; j <= k; j++) {
                l->factor[k * l->d + j] += l->z[k] * l->z[j];
            }
        }
    }
    for (k = 0; k < l->d; k++) {
        l->factor[k * l->d + k] += ridge * (double)train->n;
    }
    if (!factorise(l)) {
        return 0;
    }
    forward(l, l->slope);
    backward(l, l->slope);
    return 1;
}

/* The mean at x, and how far out it is: z' (Z'Z)^-1 z. */
static double predict(linear *l, const double *x, double *out)
{
    double mean = l->level;
    size_t k;
    standardise(l, x);
    for (k = 0; k < l->d; k++) {
        mean += l->slope[k] * l->z[k];
    }
    forward(l, l->z);
    *out = 0.0;
    for (k = 0; k < l->d; k++) {
        *out += l->z[k] * l->z[k];
    }
    return mean;
}

int linear_predict(const dataset *train, const dataset *test, double *mean, double *variance)
{
    size_t d = train->d;
    double *memory = d < 4096 ? allocate(d * (d + 4), sizeof *memory) : NULL;
    double squares = 0.0;
    double freedom = (double)train->n - 1.0;
    double out;
    size_t i;
    int known = 0;
    linear l;
    if (memory == NULL) {
        return 0;
    }
    l.d = d;
    l.centre = memory;
    l.scale = memory + d;
    l.slope = memory + 2 * d;
    l.z = memory + 3 * d;
    l.factor = memory + 4 * d;
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
