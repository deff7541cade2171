/* Draws as CmdStan writes them, which ArviZ and posterior read. */
#ifndef CMDSTAN_H
#define CMDSTAN_H

#include "files.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* The comments above the header row, as far as readers use them. */
typedef struct {
    const char *model;
    const char *algorithm;
    size_t draws;
    uint32_t warmup;
    uint64_t seed;
} cmdstan_run;

void cmdstan_head(FILE *out, const cmdstan_run *run, size_t chain);

/* Opens PREFIX_1.csv, PREFIX_2.csv, ...; *streams (free it) is NULL where the prefix is.
 * 0 or an exit code after a message. */
int cmdstan_open(outputs *files, const char *prefix, size_t chains, FILE ***streams);

#endif
