/* Text out, for programs without a C library. */
#ifndef TEXT_H
#define TEXT_H

#include <stddef.h>
#include <stdint.h>

void text(const char *s);
void text_unsigned(uint64_t value);
void text_hex(uint64_t value);

/* With so many decimals, 0 to 6; |value| below 4e9. */
void text_decimal(float value, unsigned decimals);

/* A line `# name value`, which `run` reads. */
void report(const char *name, uint64_t value);
void report_hash(const char *name, uint64_t value);

/* Says which call failed, with the sentence for its status, and ends the program. */
void check(int32_t status, const char *call);

/* FNV-1a. */
#define HASH_EMPTY UINT64_C(0xcbf29ce484222325)
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length);

#endif
