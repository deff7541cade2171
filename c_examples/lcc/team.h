/* Chains on several threads: every block of lanes is a handle of its own, so that threads share nothing, and
 * all blocks make one piece of work before any makes the next. */
#ifndef TEAM_H
#define TEAM_H

#include <lcc.h>

#include <stddef.h>
#include <stdint.h>

/* How the chains are cut. */
typedef struct {
    uint32_t chains;
    uint32_t lanes;  /* of a block */
    uint32_t blocks;
    uint32_t threads; /* that have work */
} team_cut;

/* Blocks of so many lanes. Says where there are fewer blocks, or no
 * threads. One thread needs no team: `blocks` is 0. */
team_cut team_cut_chains(uint32_t chains, uint32_t lanes, uint32_t threads);

/* The first chain of block k, and how many it has. */
uint32_t team_first(const team_cut *cut, size_t k);
uint32_t team_count(const team_cut *cut, size_t k);

/* What a team does with block k; both return a status of the library. */
typedef struct {
    int32_t (*step)(void *context, size_t k, uint64_t budget);
    int32_t (*progress)(const void *context, size_t k, lcc_progress *progress);
    void *context;
} team_work;

/* One step of this budget of every block. LCC_RUNNING, LCC_DONE or the first error. */
int32_t team_step(const team_cut *cut, const team_work *work, uint64_t budget);

/* Brings all blocks to the end of one iteration (unit of work): what joining them asks for. */
int32_t team_level(const team_cut *cut, const team_work *work);

/* Where the block is that is least far. */
int32_t team_progress(const team_cut *cut, const team_work *work, lcc_progress *progress);

#endif
