/* The functions of the theory from C, against closed forms; what they refuse, and that they then write nothing. */
#include "check.h"
#include <math.h>

#define IMPL "theory.inc"
#include "both.inc"

int main(void)
{
    run_f64();
    run_f32();
    return failures != 0;
}
