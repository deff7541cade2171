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

int luck_tell(const void *image, size_t bytes, const dataset *rows, size_t keep,
              const predictions *p, luck_facts *told)
{
    lcc_model_info info;
    double *squares;
    double *sds;
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
    sds = allocate(p->n, sizeof *sds);
    code = squares == NULL || sds == NULL ? EXIT_FAILED
           : info.precision == 32
               ? luck_squares_f32(image, bytes, rows, (size_t)info.draws, keep, p->classes > 0,
                                  squares, sds)
               : luck_squares_f64(image, bytes, rows, (size_t)info.draws, keep, p->classes > 0,
                                  squares, sds);
    for (i = 0; code == 0 && i < p->n; i++) {
        double sd = p->classes > 0 ? sds[i] : p->sd[i];
        between += squares[i];
        within += sd * sd;
        squares[i] = sd > 0.0 ? squares[i] / (sd * sd) : 0.0;
    }
    if (code == 0) {
        qsort(squares, p->n, sizeof *squares, by_value);
        told->rms = sqrt(between / within);
        told->median = (sqrt(squares[(p->n - 1) / 2]) + sqrt(squares[p->n / 2])) / 2.0;
    }
    free(squares);
    free(sds);
    return code;
}
