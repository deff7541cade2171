#include "cli.h"
#include "cmdstan.h"
#include "names.h"
#include "platform.h"
#include "problem.h"
#include "sample.h"
#include "stepping.h"
#include "team.h"
#include "view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int sample_result_reserve(sample_result *result, size_t dim, size_t queries)
{
    result->dim = dim;
    result->queries = queries;
    result->expectation = allocate(queries, sizeof *result->expectation);
    result->mcse = allocate(queries, sizeof *result->mcse);
    result->mean = allocate(dim, sizeof *result->mean);
    result->variance = allocate(dim, sizeof *result->variance);
    return result->expectation == NULL || result->mcse == NULL || result->mean == NULL ||
                   result->variance == NULL
               ? EXIT_FAILED
               : 0;
}

void sample_result_free(sample_result *result)
{
    free(result->expectation);
    free(result->mcse);
    free(result->mean);
    free(result->variance);
    free(result->temperatures);
    online_free(&result->online);
    memset(result, 0, sizeof *result);
}

/* Keeps the worst of each diagnostic; a quantity that does not move has none. */
static void worst(sample_result *result, double rhat, double bulk, double tail)
{
    if (isfinite(rhat) && !(rhat <= result->rhat_max)) {
        result->rhat_max = rhat;
    }
    if (isfinite(bulk) && !(bulk >= result->ess_bulk_min)) {
        result->ess_bulk_min = bulk;
    }
    if (isfinite(tail) && !(tail >= result->ess_tail_min)) {
        result->ess_tail_min = tail;
    }
}

/* Lanes that divide the particles: they change no number. */
static uint32_t lanes_of(uint32_t particles)
{
    return particles % 8 == 0 ? 8 : 1;
}

#define IMPL "sample_impl.inc"
#include "both.inc"
