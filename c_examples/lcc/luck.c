#include "luck.h"

#include "cli.h"
#include "view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rows whose draws are in memory together. */
static const size_t together = 256;

#define IMPL "luck_impl.inc"
#include "both.inc"

/* Of whether row i is of its class. */
static double variance_of_class(const predictions *p, size_t i, double y)
{
    double own = p->probability[i * p->classes + (size_t)y];
    return fmax(own * (1.0 - own), 0.0);
}

int luck_tell(const void *image, size_t bytes, const dataset *rows, size_t keep,
              const predictions *p, luck_facts *told)
{
    lcc_model_info info;
    double *squares;
    double between = 0.0;
    double within = 0.0;
    size_t i;
    int code = checked("the model", lcc_model_check(image, bytes, &info));
    told->rms = (double)NAN;
    told->median = (double)NAN;
    if (code != 0 || p->n == 0 || keep == 0 || info.draws < 2 * keep) {
        return code;
    }
    squares = allocate(p->n, sizeof *squares);
    code = squares == NULL ? EXIT_FAILED
           : info.precision == 32
               ? luck_squares_f32(image, bytes, rows, (size_t)info.draws, keep, p->classes > 0,
                                  squares)
               : luck_squares_f64(image, bytes, rows, (size_t)info.draws, keep, p->classes > 0,
                                  squares);
    for (i = 0; code == 0 && i < p->n; i++) {
        double variance = p->classes > 0 ? variance_of_class(p, i, rows->y[i]) : p->sd[i] * p->sd[i];
        between += squares[i];
        within += variance;
        squares[i] = variance > 0.0 ? squares[i] / variance : 0.0;
    }
    if (code == 0) {
        qsort(squares, p->n, sizeof *squares, by_value);
        told->rms = sqrt(between / within);
        told->median = (sqrt(squares[(p->n - 1) / 2]) + sqrt(squares[p->n / 2])) / 2.0;
    }
    free(squares);
    return code;
}
