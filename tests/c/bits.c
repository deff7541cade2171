/* Prints hashes (FNV-1a) of whole runs, for the test that asks whether C and Rust draw the same bits. With
 * BITS_SHORT they are shorter runs, for CPUs that compute in double by software. */
#include "check.h"

#ifdef BITS_SHORT
#define OR(full, few) (few)
#else
#define OR(full, few) (full)
#endif

static uint64_t feed(uint64_t hash, const void *data, size_t bytes) {
    const unsigned char *p = (const unsigned char *)data;
    while (bytes--) hash = (hash ^ *p++) * 0x100000001b3u;
    return hash;
}

#define IMPL "bits.inc"
#include "both.inc"

int main(void) {
    run_f64();
    run_f32();
    return failures != 0;
}
