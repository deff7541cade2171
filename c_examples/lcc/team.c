#include "team.h"

#include "platform.h"

#include <stdlib.h>

uint32_t threads_wanted(uint32_t asked)
{
    return asked > 0 ? asked : threads_here() && is_terminal(stderr) ? processors_here() : 1;
}

uint32_t team_threads(uint32_t chains, uint32_t lanes, uint32_t asked)
{
    uint32_t blocks = (chains - 1) / lanes + 1;
    uint32_t threads = threads_wanted(asked);
    if (threads > 1 && !threads_here()) {
        warn("this build has no threads: --threads 1");
        return 1;
    }
    if (asked > blocks) {
        warn("%lu chains, %lu to a thread at least, are work for %lu of %lu threads",
             (unsigned long)chains, (unsigned long)lanes, (unsigned long)blocks, (unsigned long)threads);
    }
    return threads < blocks ? threads : blocks;
}

int team_begin(team *t, uint32_t chains, uint32_t lanes, uint32_t threads)
{
    t->chains = chains;
    t->lanes = lanes;
    t->threads = team_threads(chains, lanes, threads);
    if (t->threads < 2) {
        return 0;
    }
    t->count = (chains - 1) / lanes + 1;
    t->blocks = allocate(t->count, sizeof *t->blocks);
    t->rooms = allocate(t->count, sizeof *t->rooms);
    return t->blocks == NULL || t->rooms == NULL ? EXIT_FAILED : 0;
}

void team_end(team *t)
{
    size_t k;
    for (k = 0; t->rooms != NULL && k < t->count; k++) {
        room_free(&t->rooms[k]);
    }
    free(t->rooms);
    free(t->blocks);
    t->rooms = NULL;
    t->blocks = NULL;
    t->count = 0;
}

int team_block(team *t, size_t k, int32_t status)
{
    int code = room_make(&t->rooms[k], "a block of chains", status);
    t->blocks[k] = t->rooms[k].at;
    return code;
}

uint32_t team_first(const team *t, size_t k)
{
    return (uint32_t)k * t->lanes;
}

uint32_t team_count(const team *t, size_t k)
{
    uint32_t rest = t->chains - team_first(t, k);
    return rest < t->lanes ? rest : t->lanes;
}

/* One piece of work of all threads. A thread writes only the statuses of its own blocks. */
typedef struct {
    const team *t;
    int32_t *status;
    uint64_t budget; /* of a step, or 0: units of work until `done` is `level` */
    uint64_t level;
} team_piece;

static int32_t to_level(const team *t, size_t k, uint64_t level)
{
    lcc_progress at;
    int32_t state = LCC_RUNNING;
    int32_t status = lcc_read_progress(t->blocks[k], &at);
    while (status >= 0 && state == LCC_RUNNING && at.done < level) {
        /* A budget of 1 is one unit: never past the end of an iteration. */
        state = t->step(t->context, t->blocks[k], 1);
        status = state < 0 ? state : lcc_read_progress(t->blocks[k], &at);
    }
    return status < 0 ? status : state;
}

/* Thread t has blocks t, t + threads, ... */
static void run_thread(void *context, size_t thread)
{
    const team_piece *piece = context;
    const team *t = piece->t;
    size_t k;
    for (k = thread; k < t->count; k += t->threads) {
        piece->status[k] = piece->budget > 0 ? t->step(t->context, t->blocks[k], piece->budget)
                                             : to_level(t, k, piece->level);
    }
}

static int32_t run_piece(const team *t, uint64_t budget, uint64_t level)
{
    team_piece piece;
    int32_t worst = LCC_DONE;
    size_t k;
    piece.t = t;
    piece.budget = budget;
    piece.level = level;
    piece.status = allocate(t->count, sizeof *piece.status);
    if (piece.status == NULL) {
        return LCC_ERROR_MEMORY_SIZE;
    }
    threads_run(t->threads, run_thread, &piece);
    for (k = 0; k < t->count && worst >= 0; k++) {
        if (piece.status[k] < 0 || piece.status[k] == LCC_RUNNING) {
            worst = piece.status[k];
        }
    }
    free(piece.status);
    return worst;
}

int32_t team_step(const team *t, uint64_t budget)
{
    return t->count == 0 ? t->step(t->context, t->whole, budget) : run_piece(t, budget, 0);
}

int32_t team_level(const team *t)
{
    lcc_progress at;
    uint64_t most = 0;
    size_t k;
    int32_t status = LCC_OK;
    for (k = 0; k < t->count && status >= 0; k++) {
        status = lcc_read_progress(t->blocks[k], &at);
        most = status >= 0 && at.done > most ? at.done : most;
    }
    /* The block that is furthest may stand inside an iteration: all go to the end of that one. */
    return status < 0 ? status : run_piece(t, 0, most + 1);
}

double team_work(const team *t, uint64_t units)
{
    uint64_t rest = t->cycle == 0 ? units : units % t->cycle;
    uint64_t quick = t->cycle == 0 || rest < t->quick ? rest : t->quick;
    double whole = t->cycle == 0 ? 0.0 : (double)(units / t->cycle);
    return whole * ((double)t->quick + t->slow * (double)(t->cycle - t->quick)) + (double)quick +
           t->slow * (double)(rest - quick);
}

int32_t team_progress(const team *t, lcc_progress *progress)
{
    lcc_progress at;
    size_t k;
    int32_t status;
    if (t->count == 0 && t->progress != NULL) {
        return t->progress(t->context, progress);
    }
    status = lcc_read_progress(t->count == 0 ? t->whole : t->blocks[0], progress);
    for (k = 1; k < t->count && status >= 0; k++) {
        status = lcc_read_progress(t->blocks[k], &at);
        if (status >= 0 && at.done < progress->done) {
            *progress = at;
        }
    }
    return status;
}
