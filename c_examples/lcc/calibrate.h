/* Probabilities of classes that hold on rows that did not train. */
#ifndef CALIBRATE_H
#define CALIBRATE_H

#include "bnn.h"

/* The share of the time that a fit of these settings takes before it is calibrated. */
double calibrate_share(const network_settings *shared, const bnn_settings *own);

/* Fits short networks to all rows but every FOLDS-th, predicts those, and puts the temperature under which they are told
 * best into the model. Leaves the model as it is where the rows are too few or the run is interrupted. 0 or an exit
 * code after a message. */
int calibrate_run(const network_settings *shared, const bnn_settings *own, const dataset *train,
                  network_fit *fit);

#endif
