#include "team.h"

#include "cli.h"
#include "platform.h"

#include <stdlib.h>

team_cut team_cut_chains(uint32_t chains, uint32_t lanes, uint32_t threads)
{
    team_cut cut;
    cut.chains = chains;
    cut.lanes = lanes;
    cut.blocks = 0;
    cut.threads = 1;
    if (threads > 1 && !threads_here()) {
        warn("this build has no threads: --threads 1");
        return cut;
    }
    if (threads < 2) {
        return cut;
    }
    cut.blocks = (chains - 1) / cut.lanes + 1;
    cut.threads = threads;
    if (cut.blocks < threads) {
        cut.threads = cut.blocks;
        warn("%lu chains, %lu to a thread at least, are work for %lu of %lu threads",
             (unsigned long)chains, (unsigned long)cut.lanes, (unsigned long)cut.threads,
             (unsigned long)threads);
    }
    if (cut.blocks < 2) {
        cut.blocks = 0;
    }
    return cut;
}

uint32_t team_first(const team_cut *cut, size_t k)
{
    return (uint32_t)k * cut->lanes;
}

uint32_t team_count(const team_cut *cut, size_t k)
{
    uint32_t rest = cut->chains - team_first(cut, k);
    return rest < cut->lanes ? rest : cut->lanes;
}

/* One piece of work of all threads. A thread writes only the statuses of its own blocks. */
typedef struct {
    const team_cut *cut;
    const team_work *work;
    int32_t *status;
    uint64_t budget; /* of a step, or 0: units of work until `done` is `level` */
    uint64_t level;
} team_piece;

static int32_t to_level(const team_work *work, size_t k, uint64_t level)
{
    lcc_progress at;
    int32_t state = LCC_RUNNING;
    int32_t status = work->progress(work->context, k, &at);
    while (status >= 0 && state == LCC_RUNNING && at.done < level) {
        /* A budget of 1 is one unit: never past the end of an iteration. */
        state = work->step(work->context, k, 1);
        status = state < 0 ? state : work->progress(work->context, k, &at);
    }
    return status < 0 ? status : state;
}

/* Thread t has blocks t, t + threads, ... */
static void run_thread(void *context, size_t t)
{
    const team_piece *piece = context;
    size_t k;
    for (k = t; k < piece->cut->blocks; k += piece->cut->threads) {
        piece->status[k] = piece->budget > 0
                               ? piece->work->step(piece->work->context, k, piece->budget)
                               : to_level(piece->work, k, piece->level);
    }
}

static int32_t run_piece(const team_cut *cut, const team_work *work, uint64_t budget,
                         uint64_t level)
{
    team_piece piece;
    int32_t worst = LCC_DONE;
    size_t k;
    piece.cut = cut;
    piece.work = work;
    piece.budget = budget;
    piece.level = level;
    piece.status = allocate(cut->blocks, sizeof *piece.status);
    if (piece.status == NULL) {
        return LCC_ERROR_MEMORY_SIZE;
    }
    threads_run(cut->threads, run_thread, &piece);
    for (k = 0; k < cut->blocks && worst >= 0; k++) {
        if (piece.status[k] < 0 || piece.status[k] == LCC_RUNNING) {
            worst = piece.status[k];
        }
    }
    free(piece.status);
    return worst;
}

int32_t team_step(const team_cut *cut, const team_work *work, uint64_t budget)
{
    return run_piece(cut, work, budget, 0);
}

int32_t team_level(const team_cut *cut, const team_work *work)
{
    lcc_progress at;
    uint64_t most = 0;
    size_t k;
    int32_t status = LCC_OK;
    for (k = 0; k < cut->blocks && status >= 0; k++) {
        status = work->progress(work->context, k, &at);
        most = status >= 0 && at.done > most ? at.done : most;
    }
    /* The block that is furthest may stand inside an iteration: all go to the end of that one. */
    return status < 0 ? status : run_piece(cut, work, 0, most + 1);
}

int32_t team_progress(const team_cut *cut, const team_work *work, lcc_progress *progress)
{
    lcc_progress at;
    size_t k;
    int32_t status = work->progress(work->context, 0, progress);
    for (k = 1; k < cut->blocks && status >= 0; k++) {
        status = work->progress(work->context, k, &at);
        if (status >= 0 && at.done < progress->done) {
            *progress = at;
        }
    }
    return status;
}
