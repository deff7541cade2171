/* Densities of the user's own, by callback: a banana, a funnel and a correlated Gaussian in 50 dimensions
   against their exact moments, with and without gradients, in both precisions. */
#include "check.h"
#include <math.h>
#include <stdlib.h>

#define CHAINS 40
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#define REAL double
#define P(name) JOIN(name, _f64)
#include "density.inc"
#undef REAL
#undef P

#define REAL float
#define P(name) JOIN(name, _f32)
#include "density.inc"

int main(void)
{
    run_f64();
    run_f32();
    return failures != 0;
}
