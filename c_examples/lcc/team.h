/* Chains on several threads: every block of lanes is a handle of its own, so that threads share nothing, and
 * all blocks make one piece of work before any makes the next. */
#ifndef TEAM_H
#define TEAM_H

#include <lcc.h>

#include <stddef.h>
#include <stdint.h>

/* How the chains are cut, and the blocks. */
typedef struct {
    uint32_t chains;
    uint32_t lanes; /* of a block */
    uint32_t count; /* of blocks: 0 where one thread needs no team */
    uint32_t threads; /* that have work */
    void **blocks; /* handles, */
    void **bases;  /* each in memory of its own */
    int32_t (*step)(void *context, void *block, uint64_t budget);
    void *context;
} team;

/* Blocks of so many lanes, and how each makes a step. Says where there are fewer blocks, or no threads. 0 or an
 * exit code. End it with team_end, which may be called twice. */
int team_begin(team *t, uint32_t chains, uint32_t lanes, uint32_t threads);
void team_end(team *t);

/* Memory for block k: its handle, once it is built there. NULL after a message. */
void *team_block(team *t, size_t k, size_t bytes);

/* The first chain of block k, and how many it has. */
uint32_t team_first(const team *t, size_t k);
uint32_t team_count(const team *t, size_t k);

/* One step of this budget of every block. LCC_RUNNING, LCC_DONE or the first error. */
int32_t team_step(const team *t, uint64_t budget);

/* Brings all blocks to the end of one iteration (unit of work): what joining them asks for. */
int32_t team_level(const team *t);

/* Where the block is that is least far. */
int32_t team_progress(const team *t, lcc_progress *progress);

#endif
