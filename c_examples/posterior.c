/* Samples the greedy posterior of one neuron and asks for an expectation, with its Monte Carlo
 * error and R-hat. */
#include <lcc.h>

#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 5, CHAINS = 4, DRAWS = 1000 };

/* Rows (1, x): the first input carries the bias. */
static const double x[ROWS][2] = {{1, -1.0}, {1, -0.5}, {1, 0.0}, {1, 0.5}, {1, 1.0}};
static const double residual[ROWS] = {-0.9, -0.6, 0.1, 0.5, 1.0};
static double outputs[CHAINS * DRAWS];

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
    const lcc_data_f64 data = {&x[0][0], residual, ROWS, 2, 2, 1};
    lcc_problem_f64 problem;
    lcc_sampler_options_f64 options;
    lcc_sampler_f64 *sampler;
    lcc_draws_f64 draws;
    lcc_summary_f64 summary;
    size_t bytes;
    size_t scratch_bytes;
    void *memory; /* malloc's alignment is enough where it is 16, as on 64-bit systems */
    void *scratch;

    check(lcc_problem_default_f64(&problem, ROWS), "problem");
    problem.activation = LCC_ACTIVATION_LOGISTIC;
    problem.alpha = 2.0;
    check(lcc_sampler_options_default_f64(&options), "options");
    options.chains = CHAINS;
    options.draws = DRAWS;
    options.stored = DRAWS;

    check(lcc_sampler_size_f64(&options, &problem, &data, &bytes), "size");
    check(lcc_draws_scratch_f64(CHAINS, DRAWS, &scratch_bytes), "scratch");
    memory = malloc(bytes);
    scratch = malloc(scratch_bytes);
    if (memory == NULL || scratch == NULL) {
        free(scratch);
        free(memory);
        return EXIT_FAILURE;
    }
    check(lcc_sampler_init_f64(memory, bytes, &options, &problem, &data, &sampler), "init");
    while (check(lcc_sampler_step_f64(sampler, &problem, &data, 1000000), "step") != LCC_DONE) {
    }

    /* psi(x.w) at the last row. */
    check(lcc_read_output_f64(sampler, &problem, &data, ROWS - 1, outputs, CHAINS * DRAWS,
                                 &draws),
          "output");
    check(lcc_draws_summarise_f64(&draws, scratch, scratch_bytes, &summary), "summary");
    printf("E psi(x.w) = %.4f +- %.4f, R-hat %.3f, ESS %.0f of %d draws\n", summary.mean,
           summary.mcse_mean, summary.rhat, summary.ess_bulk, CHAINS * DRAWS);
    free(scratch);
    free(memory);
    return EXIT_SUCCESS;
}
