/* Stops a run in the middle, saves it, and goes on in other memory: the same draws, to the bit. */
#include <lcc.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 4, DRAWS = 200 };

static const double x[ROWS] = {-1.0, -0.3, 0.4, 1.0};
static const double residual[ROWS] = {-2.0, -0.5, 1.0, 1.5};

static int check(int32_t status, const char *what)
{
    if (status < 0) {
        printf("%s: %s\n", what, lcc_status_message(status));
        exit(EXIT_FAILURE);
    }
    return status;
}

static void *memory_of(size_t bytes)
{
    void *memory = malloc(bytes);
    if (memory == NULL) {
        exit(EXIT_FAILURE);
    }
    return memory;
}

int main(void)
{
    const lcc_data_f64 data = {x, residual, ROWS, 1, 1, 1};
    lcc_problem_f64 problem;
    lcc_sampler_options_f64 options;
    lcc_sampler_f64 *first;
    lcc_sampler_f64 *second;
    lcc_draws_f64 a;
    lcc_draws_f64 b;
    size_t bytes;
    size_t saved_bytes;
    size_t t;
    void *memory[2];
    void *saved;

    check(lcc_problem_default_f64(&problem, ROWS), "problem");
    check(lcc_sampler_options_default_f64(&options), "options");
    options.chains = 1;
    options.lanes = 1;
    options.warmup = 100;
    options.draws = DRAWS;
    options.stored = DRAWS;
    check(lcc_sampler_size_f64(&options, &problem, &data, &bytes), "size");
    memory[0] = memory_of(bytes);
    memory[1] = memory_of(bytes);

    /* A short budget: some of the run. */
    check(lcc_sampler_init_f64(memory[0], bytes, &options, &problem, &data, &first), "init");
    check(lcc_sampler_step_f64(first, &problem, &data, 3000), "step");
    check(lcc_checkpoint_size(first, &saved_bytes), "checkpoint");
    saved = memory_of(saved_bytes);
    check(lcc_checkpoint(first, saved, saved_bytes), "checkpoint");

    check(lcc_restore(memory[1], bytes, saved, saved_bytes), "restore");
    second = memory[1];
    while (check(lcc_sampler_step_f64(first, &problem, &data, 1000), "step") != LCC_DONE) {
    }
    while (check(lcc_sampler_step_f64(second, &problem, &data, 777), "step") != LCC_DONE) {
    }
    check(lcc_read_draws_f64(first, 0, &a), "draws");
    check(lcc_read_draws_f64(second, 0, &b), "draws");
    for (t = 0; t < DRAWS; t++) {
        if (memcmp(&a.data[t * a.draw_stride], &b.data[t * b.draw_stride], sizeof(double)) != 0) {
            printf("draw %lu differs\n", (unsigned long)t);
            return EXIT_FAILURE;
        }
    }
    printf("%d draws, the same to the bit; the checkpoint took %lu bytes\n", DRAWS,
           (unsigned long)saved_bytes);
    free(saved);
    free(memory[0]);
    free(memory[1]);
    return EXIT_SUCCESS;
}
