/* Chains on several threads: every block of lanes is a handle of its own, so that threads share nothing, and
 * all blocks make one piece of work before any makes the next. */
#ifndef TEAM_H
#define TEAM_H

#include "cli.h"

#include <lcc.h>

#include <stddef.h>
#include <stdint.h>

/* What is stepped, how its chains are cut, and the blocks. */
typedef struct {
    void *context; /* of the functions */
    void *whole;   /* the handle of all chains: what is stepped where there are no blocks */
    int32_t (*step)(void *context, void *handle, uint64_t budget);
    int32_t (*progress)(void *context, lcc_progress *progress); /* or NULL: lcc_read_progress */
    uint32_t chains;
    uint32_t lanes; /* of a block */
    uint32_t count; /* of blocks: 0 where one thread needs no team */
    uint32_t threads; /* that have work */
    /* Where units of work take different times: of each `cycle` of them the first `quick` take 1, the rest `slow`. */
    uint64_t cycle;
    uint64_t quick;
    double slow;
    void **blocks; /* handles, */
    room *rooms;   /* each in memory of its own */
} team;

/* What was asked for; 0: on a terminal, whose person waits, as many as run at once, elsewhere 1. */
uint32_t threads_wanted(uint32_t asked);

/* Of these as many as there is work for. Says where it is fewer than were asked for. */
uint32_t team_threads(uint32_t chains, uint32_t lanes, uint32_t asked);

/* Cuts the chains into blocks of so many lanes. Says where there are fewer blocks than threads, or no threads. 0 or
 * an exit code. End it with team_end, which may be called twice. */
int team_begin(team *t, uint32_t chains, uint32_t lanes, uint32_t threads);
void team_end(team *t);

/* Memory for block k, `status` being the size query's, which went to rooms[k].bytes: its handle, once it is
 * built there. 0 or an exit code after a message. */
int team_block(team *t, size_t k, int32_t status);

/* The first chain of block k, and how many it has. */
uint32_t team_first(const team *t, size_t k);
uint32_t team_count(const team *t, size_t k);

/* One step of this budget of every block, or of the whole. LCC_RUNNING, LCC_DONE or the first error. */
int32_t team_step(const team *t, uint64_t budget);

/* Brings all blocks to the end of one iteration (unit of work): what joining them asks for. */
int32_t team_level(const team *t);

/* What so many units take, as one of the quick ones takes 1. */
double team_work(const team *t, uint64_t units);

/* Where the block is that is least far. */
int32_t team_progress(const team *t, lcc_progress *progress);

#endif
