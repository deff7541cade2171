/* What the harnesses share: an input that never ends, blocks of exactly so many bytes, patches, and checks that stop. */
#ifndef FUZZ_H
#define FUZZ_H

#include <lcc.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of one run, then zeros. */
typedef struct {
    const uint8_t *at;
    size_t left;
} input;

static uint64_t take(input *in, size_t bytes) {
    uint64_t value = 0;
    size_t k;
    for (k = 0; k < bytes && in->left > 0; k++, in->at++, in->left--) value |= (uint64_t)*in->at << (8 * k);
    return value;
}

static size_t below(input *in, size_t most) { return (size_t)take(in, most > 256 ? 2 : 1) % most; }

/* Any number, mostly one at which something changes. */
static double real(input *in) {
    static const double some[] = {0.0, -0.0, 1.0, -1.0, 0.5, 1e-3, 0.9, 2.0, 3.0, 1e9, -1e9, 1e-300, 5e-324, 1e300, -1e300,
                                  3.4e38, 1e-40, NAN, INFINITY, -INFINITY};
    size_t which = below(in, 32);
    uint64_t bits;
    double value;
    if (which < sizeof some / sizeof *some) return some[which];
    if (which < 26) return (double)(int8_t)take(in, 1) / 16.0;
    bits = take(in, 8);
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* A size: small, near a power of two, or any. */
static size_t amount(input *in) {
    uint8_t how = (uint8_t)take(in, 1);
    if (how < 160) return how % 9;
    if (how < 240) return ((size_t)1 << (how % 64)) + (size_t)(int8_t)take(in, 1);
    return (size_t)take(in, 8);
}

#define MUST(condition)                                                                   \
    do {                                                                                  \
        if (!(condition)) {                                                               \
            dprintf(2, "%s:%d: not so: %s\n", __FILE__, __LINE__, #condition);             \
            abort();                                                                      \
        }                                                                                 \
    } while (0)

/* Blocks of exactly so many bytes, so that the sanitizer sees the first one beyond; given up after the run. */
static void *blocks[1 << 14];
static size_t blocks_count;

static void *block(size_t bytes) {
    void *b = malloc(bytes);
    MUST(b != NULL && blocks_count < sizeof blocks / sizeof *blocks);
    memset(b, 0xA5, bytes);
    return blocks[blocks_count++] = b;
}

static void blocks_free(size_t from) {
    while (blocks_count > from) free(blocks[--blocks_count]);
}

static void *copy_of(const void *bytes, size_t length) { return memcpy(block(length), bytes, length); }

/* Overwrites some bytes as the input says, words of 4 and 8 where words lie. */
static void patch_one(input *in, uint8_t *bytes, size_t length, size_t width) {
    size_t how = below(in, 8);
    size_t at = (size_t)take(in, 2);
    size_t step = how < 2 ? 1 : how < 4 ? 4 : how == 4 ? width : 8;
    double value;
    float narrow;
    uint64_t word = 0;
    if (length < 8) return;
    at = at * step % (length - 7);
    at -= at % step;
    memcpy(&word, bytes + at, step);
    switch (how) {
        case 0: word ^= (uint64_t)1 << below(in, 8); break;
        case 1: word = take(in, 1); break;
        case 2: word = take(in, 1); break;
        case 3: word = take(in, 4); break;
        case 4:
            value = real(in), narrow = (float)value;
            if (width == 4) memcpy(&word, &narrow, 4);
            else memcpy(&word, &value, 8);
            break;
        case 5: word = take(in, 8); break;
        case 6: word += (uint64_t)(int64_t)(int8_t)take(in, 1); break;
        default: word = take(in, 1);
    }
    memcpy(bytes + at, &word, step);
}

/* CRC-32 (ISO-HDLC) of bytes, on from another. */
static uint32_t crc32(uint32_t crc, const uint8_t *bytes, size_t length) {
    static uint32_t table[256];
    size_t k;
    if (table[1] == 0)
        for (k = 0; k < 256; k++) {
            uint32_t c = (uint32_t)k;
            int bit;
            for (bit = 0; bit < 8; bit++) c = c & 1 ? c >> 1 ^ 0xEDB88320u : c >> 1;
            table[k] = c;
        }
    crc = ~crc;
    for (k = 0; k < length; k++) crc = crc >> 8 ^ table[(crc ^ bytes[k]) & 255];
    return ~crc;
}

/* Writes the checksum of bytes into the four at `at`, which count as they stand or not at all. */
static void seal(uint8_t *bytes, size_t length, size_t at, int counted) {
    uint32_t crc;
    size_t k;
    if (length < at + 4) return;
    if (counted) memset(bytes + at, 0, 4);
    crc = crc32(crc32(0, bytes, at), bytes + at + (counted ? 0 : 4), length - at - (counted ? 0 : 4));
    for (k = 0; k < 4; k++) bytes[at + k] = (uint8_t)(crc >> (8 * k));
}

#endif
