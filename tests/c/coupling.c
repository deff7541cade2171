/* The coupling from C, in both precisions: exact values (coupling_d2_n3.h), the conditional law integrated here,
 * a joint posterior against the formulas, draws, and what is refused. */
#include "check.h"
#include "coupling_d2_n3.h"
#include <math.h>

/* A rule of Gauss and Legendre on [-1, 1]. */
#define NODES 60
static double nodes[NODES], node_weights[NODES];

static void make_rule(void)
{
    int i, k, round;
    for (i = 0; i < NODES; i++) {
        double x = cos(3.14159265358979324 * (i + 0.75) / (NODES + 0.5)), slope = 1;
        for (round = 0; round < 20; round++) {
            double last = 1, p = x;
            for (k = 2; k <= NODES; k++) {
                double next = ((2 * k - 1) * x * p - (k - 1) * last) / k;
                last = p, p = next;
            }
            slope = NODES * (last - x * p) / (1 - x * x);
            x -= p / slope;
        }
        nodes[i] = x, node_weights[i] = 2 / ((1 - x * x) * slope * slope);
    }
}

#define IMPL "coupling.inc"
#include "both.inc"

int main(void)
{
    make_rule();
    run_f64();
    run_f32();
    return failures != 0;
}
