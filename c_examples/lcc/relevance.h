/* Which inputs matter: how far predictions move when the values of one are dealt to other rows. */
#ifndef RELEVANCE_H
#define RELEVANCE_H

#include "encode.h"
#include "json.h"

#include <stdint.h>

typedef struct {
    const schema *columns;
    double *moves; /* of each input: the root mean square over rows, in sds of the target; of classes in probability */
    double *errors; /* their standard errors over rows */
    int classes;
} relevance;

/* By some hundred of the rows, dealt by the seed. Where there are no two rows, or the target is constant, `moves` is
 * NULL. 0 or EXIT_FAILED after a message; free either way. */
int relevance_tell(const void *image, size_t bytes, const dataset *rows, const schema *columns,
                   uint64_t seed, relevance *told);
void relevance_free(relevance *told);

/* The number of the input in place k, the largest first. */
size_t relevance_largest(const relevance *told, size_t k);

/* A list "inputs", the largest first; the same in words. */
void relevance_write(json_writer *json, const relevance *told);
void relevance_print(const relevance *told);

#endif
