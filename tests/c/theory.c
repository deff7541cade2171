/* The functions of the theory from C, against closed forms; what they refuse, and that they then write nothing. */
#include "check.h"
#include <math.h>

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#define REAL double
#define P(name) JOIN(name, _f64)
#include "theory.inc"
#undef REAL
#undef P

#define REAL float
#define P(name) JOIN(name, _f32)
#include "theory.inc"

int main(void)
{
    run_f64();
    run_f32();
    return failures != 0;
}
