/* Densities of the user's own, by callback: a banana, a funnel and a correlated Gaussian in 50 dimensions
   against their exact moments, with and without gradients, in both precisions. */
#include "check.h"
#include <math.h>
#include <stdlib.h>

#define CHAINS 40
#define IMPL "density.inc"
#include "both.inc"

int main(void)
{
    run_f64();
    run_f32();
    return failures != 0;
}
