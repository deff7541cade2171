/* One fit by the method of the flags. */
#ifndef FIT_METHOD_H
#define FIT_METHOD_H

#include "fit_report.h"

/* Settles what the method leaves to the library and to the rows that train: the noise of numbers, by short fits, where nobody
 * said. 0 or an exit code after a message. */
int fit_settle(fit_flags *flags, fit_outcome *o);

/* Fits o->train: o->fit, whose model is NULL where the run was stopped too early, and what else the method has to tell.
 * 0 or an exit code after a message; fit_outcome_free either way. */
int fit_method(fit_flags *flags, FILE **draws, fit_outcome *o);
void fit_outcome_free(fit_outcome *o);

#endif
