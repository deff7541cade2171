/* 8 threads, each with a handle of its own, over the same data: the draws of each are those that it has alone. */
#include <lcc.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 8, N = 40 };

static double x[N * 2], y[N];
static const lcc_data_f64 data = {x, y, N, 2, 2, 1};

typedef struct {
    uint64_t seed;
    unsigned char *memory;
    size_t bytes;
    int failed;
} one;

static void *draw(void *context) {
    one *own = context;
    lcc_problem_f64 problem;
    lcc_sampler_options_f64 options;
    lcc_sampler_f64 *sampler;
    int32_t status = lcc_problem_default_f64(&problem, N);
    if (status == LCC_OK) status = lcc_sampler_options_default_f64(&options);
    options.warmup = 50, options.draws = options.stored = 100, options.seed = own->seed;
    if (status == LCC_OK) status = lcc_sampler_size_f64(&options, &problem, &data, &own->bytes);
    own->memory = status == LCC_OK ? calloc(own->bytes, 1) : NULL;
    if (own->memory != NULL)
        status = lcc_sampler_init_f64(own->memory, own->bytes, &options, &problem, &data, &sampler);
    for (status = own->memory == NULL || status < 0 ? -1 : LCC_RUNNING; status == LCC_RUNNING;)
        status = lcc_sampler_step_f64(sampler, &problem, &data, 2000);
    own->failed = status != LCC_DONE;
    return NULL;
}

int main(void) {
    pthread_t threads[THREADS];
    one together[THREADS], alone;
    size_t k;
    for (k = 0; k < N; k++) x[2 * k] = (double)(k % 7) / 7, x[2 * k + 1] = (double)(k % 5) / 5, y[k] = x[2 * k] - 0.5;
    for (k = 0; k < THREADS; k++) {
        together[k].seed = 1 + k;
        if (pthread_create(&threads[k], NULL, draw, &together[k]) != 0) return 2;
    }
    for (k = 0; k < THREADS; k++)
        if (pthread_join(threads[k], NULL) != 0) return 2;
    for (k = 0; k < THREADS; k++) {
        alone.seed = 1 + k;
        (void)draw(&alone);
        if (alone.failed || together[k].failed || alone.bytes != together[k].bytes ||
            memcmp(alone.memory, together[k].memory, alone.bytes) != 0) {
            printf("thread %u: other draws than alone\n", (unsigned)k);
            return 1;
        }
        free(alone.memory);
        free(together[k].memory);
    }
    return 0;
}
