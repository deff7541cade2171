/* Prints what a gradient of one chain takes, of eight chains in 8 lanes and in 1: bits of a number, posterior, lanes,
 * ticks of the clock and gradients of a whole run. On the host with a number from 0 to 7 that one of them only, for
 * who counts from outside. */
#include "check.h"

/* Instructions in the emulator (c_examples/firmware/port.h). */
uint64_t port_clock(void);

enum { ROWS = 200, INPUTS = 10, UNITS = 20 };

#define IMPL "lanes.inc"
#include "both.inc"

static void run(int k) {
    const uint32_t lanes = k & 1 ? 1 : 8;
    if (k & 4) {
        run_f64(k & 2, lanes);
    } else {
        run_f32(k & 2, lanes);
    }
}

#ifdef LANES_ALL
int program(void) {
    int k;
    for (k = 0; k < 8; k++) run(k);
    return failures != 0;
}
#else
uint64_t port_clock(void) { return 0; }

int main(int argc, char **argv) {
    if (argc == 2) run(argv[1][0] - '0');
    return argc != 2 || failures != 0;
}
#endif
