/* Prints what runs of eight chains take in 8 lanes and in 1: the bits of a number, the posterior, the lanes, the ticks
 * of the clock and the gradients of all chains. `tests/lanes` makes a table of it. */
#include "check.h"

/* Instructions in the emulator (c_examples/firmware/port.h). */
uint64_t port_clock(void);

enum { ROWS = 200, INPUTS = 10, UNITS = 20 };

#define IMPL "lanes.inc"
#include "both.inc"

/* A function of its own: who counts from outside starts and stops there. */
__attribute__((noinline)) static void one_run(int k) {
    const int32_t lanes = k & 1 ? 1 : 8;
    if (k & 4) {
        run_f64(k & 2, lanes);
    } else {
        run_f32(k & 2, lanes);
    }
}

#ifdef LANES_MEMORY
/* What a library for Linux asks of the C library, eight bytes at a time where they are aligned. */
typedef uint64_t __attribute__((may_alias)) eight;
#define NO_CALLS __attribute__((optimize("no-tree-loop-distribute-patterns")))

NO_CALLS void *memcpy(void *to, const void *from, size_t n) {
    unsigned char *a = to;
    const unsigned char *b = from;
    if (((uintptr_t)a | (uintptr_t)b) % 8 == 0) {
        for (; n >= 8; n -= 8, a += 8, b += 8) *(eight *)a = *(const eight *)b;
    }
    while (n--) *a++ = *b++;
    return to;
}

NO_CALLS void *memset(void *to, int value, size_t n) {
    unsigned char *a = to;
    if ((uintptr_t)a % 8 == 0) {
        for (; n >= 8; n -= 8, a += 8) *(eight *)a = 0x0101010101010101u * (unsigned char)value;
    }
    while (n--) *a++ = (unsigned char)value;
    return to;
}

NO_CALLS void *memmove(void *to, const void *from, size_t n) {
    unsigned char *a = to;
    const unsigned char *b = from;
    if (a < b) return memcpy(to, from, n);
    while (n--) a[n] = b[n];
    return to;
}

NO_CALLS int memcmp(const void *left, const void *right, size_t n) {
    const unsigned char *a = left, *b = right;
    for (; n > 0; n--, a++, b++) {
        if (*a != *b) return *a - *b;
    }
    return 0;
}

NO_CALLS int bcmp(const void *left, const void *right, size_t n) { return memcmp(left, right, n); }

NO_CALLS size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n]) n++;
    return n;
}
#endif

int main(void) {
    int k;
    for (k = 0; k < 8; k++) one_run(k);
    return failures != 0;
}
