#include "cli.h"

#include <lcc.h>

#include <stdio.h>
#include <string.h>
#include <time.h>

/* What a short run of each method draws on every machine: tests/golden/bits.txt. */
static const struct {
    const char *method;
    uint64_t bits[2]; /* f64, f32 */
} golden[] = {
    {"split-hmc", {UINT64_C(0x4653e79aa8027b02), UINT64_C(0x55fb730d5bafc7d5)}},
    {"gibbs", {UINT64_C(0x82a8a975f741775b), UINT64_C(0x7e5d743c54d28f01)}},
    {"xi-langevin", {UINT64_C(0xda520ec0d7b4b406), UINT64_C(0x6d338f55a524ff6f)}},
    {"hmc", {UINT64_C(0xed01f184fda1a33c), UINT64_C(0x501916d1a6ed4f24)}},
    {"mala", {UINT64_C(0x91ca9e05cf69223d), UINT64_C(0x3906c86ab9a70cc6)}},
    {"langevin", {UINT64_C(0xda1ca87ed37a58ff), UINT64_C(0xdad0eef5c36a89cc)}},
    {"random-walk", {UINT64_C(0xfdd0878ef532f91b), UINT64_C(0x5d5f945a79166b48)}},
    {"independence", {UINT64_C(0xecf64329008be222), UINT64_C(0xa440a9685f9bc0b4)}},
    {"reverse-diffusion", {UINT64_C(0x8967b8e2f30c5019), UINT64_C(0x3aa599ae1208305c)}},
    {"hit-and-run", {UINT64_C(0x2245fd75fb68d33a), UINT64_C(0xb789e49b91d289bc)}},
    {"coordinate-hit-and-run", {UINT64_C(0x4947108b06668192), UINT64_C(0xc51805f8ae54f8b6)}},
    {"ball-walk", {UINT64_C(0x35a12cf2c2f3ca2a), UINT64_C(0x12e6513c1479c037)}},
    {"dikin", {UINT64_C(0x26f4c88607136809), UINT64_C(0x12609fe31103b50b)}},
    {"mirror-langevin", {UINT64_C(0x8be0a70d015f3eba), UINT64_C(0xef7811b692f44dfd)}},
    {"reflection", {UINT64_C(0x0eac791c88192b7a), UINT64_C(0x7dd3f841ec29bb54)}},
    {"diffusion-from-noise", {UINT64_C(0x7df49900abeb3dd9), UINT64_C(0x4a447ab215beaea3)}},
    {"xi-mala", {UINT64_C(0x1f86d716540affd2), UINT64_C(0xe63700dd1438b1a6)}},
    {"riemannian", {UINT64_C(0x287fd0dbb3e5e54e), UINT64_C(0xa0c5e962960c2c1e)}},
};

enum { ROWS = 30, CHAINS = 5, DRAWS = 30 };

/* The bytes of a number in one order, whatever the machine's. */
static uint64_t feed(uint64_t hash, const void *number, size_t bytes)
{
    const uint16_t one = 1;
    unsigned char turned[8];
    size_t i;
    for (i = 0; i < bytes; i++) {
        int little = *(const unsigned char *)&one;
        turned[i] = ((const unsigned char *)number)[little ? i : bytes - 1 - i];
    }
    return checksum(hash, turned, bytes);
}

#define IMPL "doctor_impl.inc"
#include "both.inc"

int doctor_command(int argc, char **argv)
{
    uint64_t have = lcc_capabilities();
    clock_t start = clock();
    unsigned wrong = 0;
    unsigned runs = 0;
    if (argc > 0) {
        return wrong_usage("doctor: unexpected \"%s\"", argv[0]);
    }
    printf("lcc         %s; library %s, ABI %lu\n", LCC_VERSION, lcc_version(),
           (unsigned long)lcc_abi_version());
    printf("machine     %lu-bit\n", (unsigned long)(8 * sizeof(void *)));
    printf("lanes       %s%s, blocks of %d chains\n",
           (have & LCC_CAPABILITY_AVX2) != 0 ? "avx2" : "portable",
           (have & LCC_CAPABILITY_AVX512) != 0 ? " avx512" : "",
           (have & LCC_CAPABILITY_LANES) != 0 ? 8 : 1);
    printf("precisions %s%s\n", (have & LCC_CAPABILITY_F32) != 0 ? " f32" : "",
           (have & LCC_CAPABILITY_F64) != 0 ? " f64" : "");
    if (test_f64(0, &runs, &wrong) != 0 || test_f32(1, &runs, &wrong) != 0) {
        return EXIT_FAILED;
    }
    printf("self-test   %u of %u runs draw the golden bits (%.1f s)\n", runs - wrong, runs,
           (double)(clock() - start) / CLOCKS_PER_SEC);
    return wrong == 0 ? EXIT_DONE
                      : fail("this machine or this build computes other numbers than every other: its "
                             "results cannot be compared with theirs");
}
