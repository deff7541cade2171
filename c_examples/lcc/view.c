#include "view.h"

#include "cli.h"

#include <stdint.h>
#include <stdlib.h>

/* Both precisions from one text: REAL is the type, F its suffix. */
#define IMPL "view_impl.inc"
#include "both.inc"

void *memory_aligned(size_t bytes, void **base)
{
    const size_t align = 16;
    uintptr_t start;
    *base = NULL;
    if (bytes > SIZE_MAX - align) {
        (void)fail("the run is too large for this machine");
        return NULL;
    }
    *base = allocate(bytes + align, 1);
    if (*base == NULL) {
        return NULL;
    }
    start = (uintptr_t)*base;
    return (char *)*base + (align - start % align) % align;
}

int library_failed(const char *doing, int32_t status)
{
    return fail("%s: %s", doing, lcc_status_message(status));
}
