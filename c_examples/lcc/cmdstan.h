/* Draws as CmdStan writes them, which ArviZ and posterior read. */
#ifndef CMDSTAN_H
#define CMDSTAN_H

#include "files.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What is said of a run in comments, as far as readers use them. */
typedef struct {
    const char *model;
    const char *algorithm;
    size_t chains;
    size_t draws;
    uint32_t warmup; /* not written, as by CmdStan unless save_warmup is 1 */
    uint64_t seed;
    int digits;
    uint32_t leapfrogs; /* of every trajectory; 0 where there are none */
    size_t masses;      /* coordinates that are scaled by the reference and then not again; or 0 */
} cmdstan_run;

/* The comments above the header row. */
void cmdstan_head(FILE *out, const cmdstan_run *run, size_t chain);

/* The header row of chains with a step size, parameters NAME.1, NAME.2, ..., and behind it what
 * CmdStan says once it has adapted. There is no treedepth__: no sampler here builds trees. */
void cmdstan_names(FILE *out, const cmdstan_run *run, const char *name, size_t count, double step);

/* The columns of a draw before its parameters. */
void cmdstan_draw(FILE *out, const cmdstan_run *run, double step, double lp, double accept,
                  int divergent, double energy);

/* Opens PREFIX_1.csv, PREFIX_2.csv, ...; *streams (free it) is NULL where the prefix is.
 * 0 or an exit code after a message. */
int cmdstan_open(outputs *files, const char *prefix, size_t chains, FILE ***streams);

#endif
