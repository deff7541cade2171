/* Chains of one network's posterior dealt to the processes of MPI, and put together again on the first: the same
 * bytes for any number of processes.
 *
 *     mpicc -std=c99 mpi_chains.c $(pkg-config --cflags --libs lcc) -o mpi_chains
 *     mpirun -n 4 ./mpi_chains [chains]
 *
 * Every process runs its own chains, from its first_chain on, and shares nothing with the others. Then two
 * things travel to process 0. The moments of each chain's predictions, which are added there in the order of the
 * chains: a few numbers, however long the chains. And each process's regressor, as a checkpoint, which knows for
 * itself whether it came whole: joined, they are the regressor that would have run all chains, with its R-hat
 * and its posterior image. */
#include <lcc.h>
#include <mpi.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 60, INPUTS = 2, DRAWS = 150, TRACED = 10, TAG = 1 };

static int rank, ranks;

static void stop(const char *doing, const char *why)
{
    fprintf(stderr, "process %d: %s: %s\n", rank, doing, why);
    MPI_Abort(MPI_COMM_WORLD, 1);
    exit(1);
}

static void check(int32_t status, const char *doing)
{
    if (status < 0) {
        stop(doing, lcc_status_message(status));
    }
}

/* Zeroed, and aligned to 16 as malloc's memory is on every host with MPI. */
static void *room(size_t count, size_t size)
{
    void *memory = calloc(count > 0 ? count : 1, size);
    if (memory == NULL) {
        stop("memory", "there is not enough");
    }
    return memory;
}

/* y = x0 (1 - x1) + noise, from a generator of integers: the same numbers on every machine. */
static void make_data(double *x, double *y)
{
    uint32_t state = 2026;
    double u[INPUTS + 1];
    size_t i, j;
    for (i = 0; i < ROWS; i++) {
        for (j = 0; j < INPUTS + 1; j++) {
            state = state * 1664525u + 1013904223u;
            u[j] = (double)(state >> 8) / 8388608.0 - 1.0;
        }
        x[i * INPUTS] = u[0];
        x[i * INPUTS + 1] = u[1];
        y[i] = u[0] * (1.0 - u[1]);
        y[i] = y[i] + 0.125 * u[2];
    }
}

/* The first chain of a process. */
static uint32_t first_of(uint32_t chains, int process)
{
    return (uint32_t)((uint64_t)chains * (uint64_t)process / (uint64_t)ranks);
}

static lcc_network_options_f64 options_of(uint32_t first, uint32_t chains)
{
    lcc_network_options_f64 o;
    check(lcc_network_options_default_f64(&o), "options");
    o.neurons = 4;
    o.chains = chains;
    o.first_chain = first;
    o.lanes = chains > 1 ? 8 : 1; /* changes no number */
    o.warmup = 150;
    o.draws = DRAWS;
    o.keep = 10;
    o.start_steps = 200;
    o.trace_rows = TRACED;
    return o;
}

static lcc_network_f64 *make(const lcc_network_options_f64 *o, const lcc_data_f64 *data)
{
    size_t bytes = 0;
    lcc_network_f64 *network = NULL;
    void *memory;
    check(lcc_network_size_f64(o, data->n, data->d, &bytes), "size");
    memory = room(bytes, 1);
    check(lcc_network_init_f64(memory, bytes, o, data, &network), "init");
    return network;
}

/* Sum and sum of squares of the predictions at each traced row, chain by chain. */
static void add_up(const lcc_network_f64 *network, uint32_t chains, double *sums)
{
    lcc_draws_f64 draws;
    size_t c, k, t;
    for (k = 0; k < TRACED; k++) {
        check(lcc_network_trace_f64(network, LCC_NETWORK_TRACE_PREDICTION, k, &draws), "trace");
        for (c = 0; c < chains; c++) {
            double *sum = sums + (c * TRACED + k) * 2;
            for (t = 0; t < draws.draws; t++) {
                double f = draws.data[c * draws.chain_stride + t * draws.draw_stride];
                double square = f * f;
                sum[0] += f;
                sum[1] += square;
            }
        }
    }
}

/* The chains' moments on process 0, added in the order of the chains. */
static void reduce_moments(const lcc_network_f64 *network, uint32_t own, uint32_t chains)
{
    const int each = TRACED * 2;
    double *sums = room((size_t)own * TRACED, 2 * sizeof *sums);
    double *all = room((size_t)chains * TRACED, 2 * sizeof *all);
    int *counts = room((size_t)ranks, sizeof *counts);
    int *starts = room((size_t)ranks, sizeof *starts);
    size_t c, k;
    int p;
    for (p = 0; p < ranks; p++) {
        starts[p] = (int)first_of(chains, p) * each;
        counts[p] = (int)first_of(chains, p + 1) * each - starts[p];
    }
    add_up(network, own, sums);
    MPI_Gatherv(sums, counts[rank], MPI_DOUBLE, all, counts, starts, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    for (k = 0; rank == 0 && k < TRACED; k++) {
        double total[2] = {0.0, 0.0};
        for (c = 0; c < chains; c++) {
            total[0] += all[(c * TRACED + k) * 2];
            total[1] += all[(c * TRACED + k) * 2 + 1];
        }
        total[0] /= (double)chains * DRAWS;
        total[1] /= (double)chains * DRAWS;
        printf("row %2lu  mean %.17g  second moment %.17g\n", (unsigned long)k, total[0], total[1]);
    }
    free(sums);
    free(all);
    free(counts);
    free(starts);
}

/* A checkpoint of this process's regressor. */
static unsigned char *seal(const lcc_network_f64 *network, int *length)
{
    size_t bytes = 0;
    unsigned char *sealed;
    check(lcc_checkpoint_size(network, &bytes), "checkpoint");
    if (bytes > INT32_MAX) {
        stop("checkpoint", "more than one message of MPI holds: more processes, or fewer chains");
    }
    sealed = room(bytes, 1);
    check(lcc_checkpoint(network, sealed, bytes), "checkpoint");
    *length = (int)bytes;
    return sealed;
}

/* The regressors of all processes, in the order of their chains. */
static lcc_network_f64 **receive(lcc_network_f64 *own)
{
    lcc_network_f64 **parts = room((size_t)ranks, sizeof *parts);
    int p;
    parts[0] = own;
    for (p = 1; p < ranks; p++) {
        MPI_Status message;
        unsigned char *sealed;
        void *memory;
        int length = 0;
        MPI_Probe(p, TAG, MPI_COMM_WORLD, &message);
        MPI_Get_count(&message, MPI_BYTE, &length);
        sealed = room((size_t)length, 1);
        memory = room((size_t)length, 1); /* a checkpoint is longer than what it seals */
        MPI_Recv(sealed, length, MPI_BYTE, p, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        check(lcc_restore(memory, (size_t)length, sealed, (size_t)length), "a checkpoint that arrived");
        parts[p] = memory;
        free(sealed);
    }
    return parts;
}

static uint64_t hash(const unsigned char *bytes, size_t length)
{
    uint64_t h = UINT64_C(14695981039346656037); /* FNV-1a */
    size_t i;
    for (i = 0; i < length; i++) {
        h = (h ^ bytes[i]) * UINT64_C(1099511628211);
    }
    return h;
}

/* R-hat and the posterior image of all chains. */
static void report(const lcc_network_f64 *network)
{
    lcc_network_diagnosis_f64 said;
    size_t bytes = 0, written = 0;
    unsigned char *model;
    void *scratch;
    check(lcc_network_diagnose_scratch_f64(network, &bytes), "diagnosis");
    scratch = room(bytes, 1);
    check(lcc_network_diagnose_f64(network, scratch, bytes, &said), "diagnosis");
    check(lcc_network_model_size_f64(network, &bytes), "model");
    model = room(bytes, 1);
    check(lcc_network_write_model_f64(network, model, bytes, &written), "model");
    printf("R-hat %.17g  ESS %.17g  chains used %" PRIu32 ", dropped %" PRIu32 "\n", said.rhat_max,
           said.ess_bulk_min, said.chains_used, said.chains_dropped);
    printf("model of %lu bytes, hash %016" PRIx64 "\n", (unsigned long)written,
           hash(model, written));
    free(scratch);
    free(model);
}

int main(int argc, char **argv)
{
    static double x[ROWS * INPUTS], y[ROWS];
    const lcc_data_f64 data = {x, y, ROWS, INPUTS, INPUTS, 1};
    uint32_t chains = 8, first, own;
    lcc_network_options_f64 options;
    lcc_network_f64 *network;
    int32_t status;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (argc > 1) {
        chains = (uint32_t)strtoul(argv[1], NULL, 10);
    }
    if (chains < (uint32_t)ranks || chains > 100000) {
        stop("chains", "as many as processes at least, and 100000 at most");
    }
    make_data(x, y);
    first = first_of(chains, rank);
    own = first_of(chains, rank + 1) - first;
    options = options_of(first, own);
    network = make(&options, &data);
    do {
        status = lcc_network_step_f64(network, &data, 1 << 24);
    } while (status == LCC_RUNNING);
    check(status, "chains");

    reduce_moments(network, own, chains);
    if (rank != 0) {
        int length = 0;
        unsigned char *sealed = seal(network, &length);
        MPI_Send(sealed, length, MPI_BYTE, 0, TAG, MPI_COMM_WORLD);
        free(sealed);
    } else {
        lcc_network_f64 **parts = receive(network);
        lcc_network_f64 *whole;
        int p;
        options = options_of(0, chains);
        whole = make(&options, &data);
        check(lcc_network_join_f64(whole, (const lcc_network_f64 *const *)parts, (size_t)ranks),
              "joining the chains");
        report(whole);
        for (p = 1; p < ranks; p++) {
            free(parts[p]);
        }
        free(parts);
        free(whole);
    }
    free(network);
    MPI_Finalize();
    return 0;
}
