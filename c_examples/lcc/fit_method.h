/* One fit by the method of the flags. */
#ifndef FIT_METHOD_H
#define FIT_METHOD_H

#include "fit_report.h"

/* Fits o->train: o->fit, whose model is NULL where the run was stopped too early, and what else the method has to tell.
 * 0 or an exit code after a message; fit_outcome_free either way. */
int fit_method(fit_flags *flags, FILE **draws, fit_outcome *o);
void fit_outcome_free(fit_outcome *o);

#endif
