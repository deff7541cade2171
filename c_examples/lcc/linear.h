/* Linear regression in closed form, by least squares. */
#ifndef LINEAR_H
#define LINEAR_H

#include "dataset.h"

/* Of each row that tests the mean and variance of the predictive Gaussian, the variance of the noise being the
 * residuals', at their degrees of freedom. 1, or 0 where there are none, or no memory. Time n d^2 + d^3. */
int linear_predict(const dataset *train, const dataset *test, double *mean, double *variance);

#endif
