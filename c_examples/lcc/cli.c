#include "cli.h"

#include <lcc.h>

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void warn(const char *format, ...)
{
    va_list arguments;
    (void)fflush(stdout);
    fputs("lcc: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

int warn_of_rhat(double rhat, const char *what, const char *remedy)
{
    const double limit = 1.05;
    if (!(rhat > limit)) {
        return 0;
    }
    warn("%s: R-hat %.3f, above %g; %s", what, rhat, limit, remedy);
    return 1;
}

int checked(const char *doing, int32_t status)
{
    return status < 0 ? fail("%s: %s", doing, lcc_status_message(status)) : 0;
}

void *allocate(size_t count, size_t size)
{
    void *memory = NULL;
    if (size == 0 || count == 0) {
        count = 1;
        size = 1;
    }
    if (count <= SIZE_MAX / size) {
        memory = calloc(count, size);
    }
    if (memory == NULL) {
        warn("not enough memory for %lu items of %lu bytes", (unsigned long)count,
             (unsigned long)size);
    }
    return memory;
}

int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

uint64_t checksum(uint64_t from, const void *bytes, size_t length)
{
    const unsigned char *at = bytes;
    size_t i;
    for (i = 0; i < length; i++) {
        from = (from ^ at[i]) * UINT64_C(0x100000001b3);
    }
    return from;
}

int room_make(room *r, const char *doing, int32_t status)
{
    const size_t align = 16;
    r->at = NULL;
    r->base = NULL;
    if (status < 0) {
        return checked(doing, status);
    }
    if (r->bytes > SIZE_MAX - align) {
        return fail("the run is too large for this machine");
    }
    r->base = allocate(r->bytes + align, 1);
    if (r->base == NULL) {
        return EXIT_FAILED;
    }
    r->at = (char *)r->base + (align - (uintptr_t)r->base % align) % align;
    return 0;
}

void room_free(room *r)
{
    free(r->base);
    r->at = NULL;
    r->base = NULL;
}

void *make_room_for_one(void *items, size_t count, size_t *capacity, size_t size)
{
    size_t more = *capacity == 0 ? 256 : *capacity * 2;
    void *larger;
    if (count < *capacity) {
        return items;
    }
    larger = more > SIZE_MAX / size ? NULL : realloc(items, more * size);
    if (larger == NULL) {
        warn("not enough memory");
        return NULL;
    }
    *capacity = more;
    return larger;
}

double random_uniform(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

void random_order(uint64_t seed, size_t *order, size_t count)
{
    size_t i;
    for (i = 0; i < count; i++) {
        order[i] = i;
    }
    for (i = count; i > 1; i--) {
        size_t other = (size_t)(random_uniform(&seed) * (double)i);
        size_t kept = order[i - 1];
        order[i - 1] = order[other];
        order[other] = kept;
    }
}

char *join_text(const char *a, const char *b)
{
    size_t first = strlen(a);
    size_t second = strlen(b);
    char *joined = allocate(first + second + 1, 1);
    if (joined != NULL) {
        memcpy(joined, a, first);
        memcpy(joined + first, b, second);
    }
    return joined;
}

char *copy_text(const char *text, size_t length)
{
    char *copy = allocate(length + 1, 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
    }
    return copy;
}
