/* Samples a density of your own: a banana, x0 ~ N(0, 1), x1 ~ N(x0^2 - 1, 1/4), by a callback. */
#include <lcc.h>

#include <stdio.h>
#include <stdlib.h>

enum { DIM = 2, CHAINS = 8, DRAWS = 2000 };

/* log p(x) up to a constant, and its gradient where it is asked for. Compile what has to give the same
 * bits everywhere with -ffp-contract=off. */
static int banana(size_t n, const double *x, double *grad, double *logp, void *ctx)
{
    const double width = *(const double *)ctx;
    const double bend = (x[1] - (x[0] * x[0] - 1.0)) / width;
    (void)n;
    *logp = -0.5 * (x[0] * x[0] + bend * bend);
    if (grad != NULL) {
        grad[0] = -x[0] + 2.0 * x[0] * bend / width;
        grad[1] = -bend / width;
    }
    return 0;
}

static int check(int32_t status, const char *what)
{
    if (status < 0) {
        printf("%s: %s\n", what, lcc_status_message(status));
        exit(EXIT_FAILURE);
    }
    return status;
}

int main(void)
{
    double width = 0.5;
    lcc_problem_f64 problem;
    lcc_sampler_options_f64 options;
    lcc_sampler_f64 *sampler;
    lcc_draws_f64 draws;
    lcc_summary_f64 summary;
    size_t bytes;
    size_t scratch_bytes;
    size_t j;
    void *memory; /* malloc's alignment is enough where it is 16, as on 64-bit systems */
    void *scratch;

    check(lcc_problem_default_f64(&problem, 1), "problem");
    problem.posterior = LCC_POSTERIOR_USER;
    problem.density = banana;
    problem.context = &width;
    problem.dim = DIM;
    check(lcc_sampler_options_default_f64(&options), "options");
    options.chains = CHAINS;
    options.draws = DRAWS;
    options.stored = DRAWS;
    options.leapfrogs = 8;

    check(lcc_sampler_size_f64(&options, &problem, NULL, &bytes), "size");
    check(lcc_draws_scratch_f64(CHAINS, DRAWS, &scratch_bytes), "scratch");
    memory = malloc(bytes);
    scratch = malloc(scratch_bytes);
    if (memory == NULL || scratch == NULL) {
        free(scratch);
        free(memory);
        return EXIT_FAILURE;
    }
    check(lcc_sampler_init_f64(memory, bytes, &options, &problem, NULL, &sampler), "init");
    while (check(lcc_sampler_step_f64(sampler, &problem, NULL, 100000), "step") != LCC_DONE) {
    }
    for (j = 0; j < DIM; j++) {
        check(lcc_read_draws_f64(sampler, j, &draws), "draws");
        check(lcc_draws_summarise_f64(&draws, scratch, scratch_bytes, &summary), "summary");
        printf("x%d: mean %.3f +- %.3f, sd %.3f, R-hat %.3f\n", (int)j, summary.mean,
               summary.mcse_mean, summary.sd, summary.rhat);
    }
    free(scratch);
    free(memory);
    return EXIT_SUCCESS;
}
