#include "vae_pca.h"

#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SWEEPS = 40 };

/* Eigenvalues of the symmetric a, on its diagonal then, and the eigenvectors, columns of v: Jacobi's rotations. */
static void diagonalise(double *a, double *v, size_t d)
{
    size_t sweep;
    size_t p;
    size_t q;
    size_t k;
    for (k = 0; k < d * d; k++) {
        v[k] = k % (d + 1) == 0 ? 1.0 : 0.0;
    }
    for (sweep = 0; sweep < SWEEPS; sweep++) {
        double off = 0.0;
        double trace = 0.0;
        for (p = 0; p < d; p++) {
            trace += fabs(a[p * d + p]);
            for (q = 0; q < p; q++) {
                off += fabs(a[p * d + q]);
            }
        }
        if (off <= 1e-15 * trace) {
            return;
        }
        for (p = 0; p < d; p++) {
            for (q = p + 1; q < d; q++) {
                double apq = a[p * d + q];
                double ratio;
                double t;
                double c;
                double s;
                if (apq == 0.0) {
                    continue;
                }
                ratio = (a[q * d + q] - a[p * d + p]) / (2.0 * apq);
                t = (ratio < 0.0 ? -1.0 : 1.0) / (fabs(ratio) + hypot(ratio, 1.0));
                c = 1.0 / hypot(t, 1.0);
                s = t * c;
                for (k = 0; k < d; k++) {
                    double x = a[k * d + p];
                    double y = a[k * d + q];
                    double vx = v[k * d + p];
                    double vy = v[k * d + q];
                    a[k * d + p] = c * x - s * y;
                    a[k * d + q] = s * x + c * y;
                    v[k * d + p] = c * vx - s * vy;
                    v[k * d + q] = s * vx + c * vy;
                }
                for (k = 0; k < d; k++) {
                    double x = a[p * d + k];
                    double y = a[q * d + k];
                    a[p * d + k] = c * x - s * y;
                    a[q * d + k] = s * x + c * y;
                }
            }
        }
    }
}

/* The k largest of the diagonal come first in `order`. */
static void sort(const double *a, size_t d, size_t *order)
{
    size_t i;
    size_t j;
    for (i = 0; i < d; i++) {
        order[i] = i;
        for (j = i; j > 0 && a[order[j] * (d + 1)] > a[order[j - 1] * (d + 1)]; j--) {
            size_t swapped = order[j];
            order[j] = order[j - 1];
            order[j - 1] = swapped;
        }
    }
}

/* The mean log density of rows under N(mean, C): the k largest eigenvalues with their vectors, the noise beside. */
static double density(const dataset *rows, const double *mean, const double *a, const double *v,
                      const size_t *order, size_t k, double noise)
{
    const double two_pi = 6.283185307179586;
    size_t d = rows->d;
    double log_det = (double)(d - k) * log(noise);
    double sum = 0.0;
    size_t i;
    size_t j;
    size_t l;
    for (l = 0; l < k; l++) {
        log_det += log(a[order[l] * (d + 1)]);
    }
    for (i = 0; i < rows->n; i++) {
        const double *x = rows->x + i * d;
        double square = 0.0;
        for (j = 0; j < d; j++) {
            square += (x[j] - mean[j]) * (x[j] - mean[j]) / noise;
        }
        for (l = 0; l < k; l++) {
            double along = 0.0;
            for (j = 0; j < d; j++) {
                along += v[j * d + order[l]] * (x[j] - mean[j]);
            }
            square += along * along * (1.0 / a[order[l] * (d + 1)] - 1.0 / noise);
        }
        sum -= 0.5 * ((double)d * log(two_pi) + log_det + square);
    }
    return sum / (double)rows->n;
}

int pca_run(const dataset *train, const dataset *test, size_t k, pca_fit *fit)
{
    size_t d = train->d;
    double *mean = allocate(d, sizeof *mean);
    double *a = allocate(d * d, sizeof *a);
    double *v = allocate(d * d, sizeof *v);
    size_t *order = allocate(d, sizeof *order);
    int code = mean == NULL || a == NULL || v == NULL || order == NULL ? EXIT_FAILED : 0;
    size_t i;
    size_t j;
    size_t l;
    for (i = 0; code == 0 && i < train->n; i++) {
        for (j = 0; j < d; j++) {
            mean[j] += train->x[i * d + j] / (double)train->n;
        }
    }
    for (i = 0; code == 0 && i < train->n; i++) {
        const double *x = train->x + i * d;
        for (j = 0; j < d; j++) {
            for (l = 0; l < d; l++) {
                a[j * d + l] += (x[j] - mean[j]) * (x[l] - mean[l]) / (double)train->n;
            }
        }
    }
    if (code == 0) {
        double noise = 0.0;
        diagonalise(a, v, d);
        sort(a, d, order);
        for (j = k; j < d; j++) {
            noise += a[order[j] * (d + 1)] / (double)(d - k);
        }
        fit->noise = sqrt(noise);
        fit->train = density(train, mean, a, v, order, k, noise);
        fit->test = test == NULL ? NAN : density(test, mean, a, v, order, k, noise);
    }
    free(mean);
    free(a);
    free(v);
    free(order);
    return code;
}
