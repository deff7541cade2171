/* Short fits to all rows but those of a fold, by which the library decides what noise numbers have, and at which
 * temperature classes are told. */
#ifndef PILOT_H
#define PILOT_H

#include "bnn.h"

/* Which output the held-out rows speak for. */
typedef struct {
    int32_t output;    /* LCC_OUTPUT_ */
    double ahead;      /* nats by which it tells all of them better than student-t; 0 of that */
    double error;      /* of that */
    uint32_t rows;     /* 0: nothing was tried */
} pilot_choice;

/* Chooses the output of real numbers, by settings that are not settled yet; leaves it where rows are too few. 0 or an exit code after a message. */
int pilot_choose(const network_settings *shared, const bnn_settings *own, const dataset *train,
                 pilot_choice *out);

/* Predicts the rows of each fold, and puts the temperature under which they score best into the model. Leaves the model
 * as it is where rows are too few or the run is interrupted. 0 or an exit code after a message. */
int pilot_calibrate(const network_settings *shared, const bnn_settings *own, const dataset *train,
                    network_fit *fit);

/* The share of the time that a fit of settled settings takes before it is calibrated. */
double pilot_share(const network_settings *shared, const bnn_settings *own);

#endif
