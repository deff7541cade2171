/* The temperatures between the prior and the posterior, as --ladder says them. */
#ifndef LADDER_H
#define LADDER_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    int32_t kind; /* an LCC_LADDER_ code */
    uint32_t stages;
    double share;  /* adaptive, rows */
    double first;  /* geometric, cooling */
    double *given; /* `stages` temperatures, free with ladder_free; NULL unless given */
} ladder;

/* adaptive[:SHARE], even:K, geometric:K:FIRST, or temperatures separated by
 * commas. 0, or an exit code after a message. */
int ladder_parse(const char *text, ladder *out);
void ladder_free(ladder *l);

#endif
