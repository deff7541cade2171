/* What densities of one's own need besides a sampler, from C: parameters with constraints against closed forms and
   known laws, gradients that are checked, leave-one-out; and what they refuse, writing nothing. */
#include "check.h"
#include <math.h>
#include <stdlib.h>

#define IMPL "own.inc"
#include "both.inc"

int main(void)
{
    run_f64();
    run_f32();
    return failures != 0;
}
