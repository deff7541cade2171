/* What another seed would change of predictions. */
#ifndef LUCK_H
#define LUCK_H

#include "dataset.h"
#include "predictions.h"

/* In predictive sd. */
typedef struct {
    double rms;    /* over rows; NaN where it is not known */
    double median; /* of rows */
} luck_facts;

/* Of a model whose draws are some chains', `keep` of each side by side, at the rows that were predicted: by the
 * spread of the chains' means. Held-out rows are moved more than training rows. Of classes: of the
 * probability of each row's own, but for what the temperature of a calibration adds, which chains share. NaN of fewer
 * than two chains. 0 or EXIT_FAILED after a message. */
int luck_tell(const void *image, size_t bytes, const dataset *rows, size_t keep,
              const predictions *p, luck_facts *told);

#endif
