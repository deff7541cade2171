/* Which activation do these measurements speak for? Two networks, compared by their evidence: what
 * sequential Monte Carlo estimates beside drawing from the posterior, with its error. */
#include <lcc.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROWS = 13, PARTICLES = 2048, NEURONS = 2 };

/* Rows (1, x): the first input carries the bias. A bump at 0, with noise of sd .2. */
static const double x[ROWS][2] = {{1, -3.0}, {1, -2.5}, {1, -2.0}, {1, -1.5}, {1, -1.0},
                                  {1, -0.5}, {1, 0.0},  {1, 0.5},  {1, 1.0},  {1, 1.5},
                                  {1, 2.0},  {1, 2.5},  {1, 3.0}};
static const double y[ROWS] = {0.12, -0.16, 0.41, 0.62, 1.33, 1.71, 2.18,
                               1.60, 1.12, 0.83, 0.15, 0.21, -0.13};

static int check(int32_t status, const char *what)
{
    if (status < 0) {
        printf("%s: %s\n", what, lcc_status_message(status));
        exit(EXIT_FAILURE);
    }
    return status;
}

/* log of the integral of exp(-(beta/2) sum (y - f)^2) over the prior; the Gaussian's own constant is the
 * same for all activations and left out. */
static lcc_evidence_f64 evidence_of(int32_t activation)
{
    const lcc_data_f64 data = {&x[0][0], y, ROWS, 2, 2, 1};
    lcc_problem_f64 problem;
    lcc_smc_options_f64 options;
    lcc_smc_f64 *smc;
    lcc_climb_f64 climb;
    lcc_evidence_f64 evidence;
    size_t bytes;
    void *memory; /* malloc's alignment is enough where it is 16, as on 64-bit systems */

    check(lcc_problem_default_f64(&problem, ROWS), "problem");
    problem.posterior = LCC_POSTERIOR_JOINT;
    problem.activation = activation;
    problem.neurons = NEURONS;
    problem.signs = LCC_SIGNS_POSITIVE;
    problem.outer = 4.0;
    problem.beta = 1.0 / (0.2 * 0.2);
    problem.scale = 2.0;
    check(lcc_smc_options_default_f64(&options), "options");
    options.particles = PARTICLES;

    check(lcc_smc_size_f64(&options, &problem, &data, &bytes), "size");
    memory = malloc(bytes);
    if (memory == NULL) {
        exit(EXIT_FAILURE);
    }
    check(lcc_smc_init_f64(memory, bytes, &options, &problem, &data, &smc), "init");
    while (check(lcc_smc_step_f64(smc, &problem, &data, 1000000), "step") != LCC_DONE) {
    }
    check(lcc_smc_evidence_f64(smc, &evidence), "evidence");
    check(lcc_smc_climb_f64(smc, &climb), "progress");
    printf("%-14s log evidence %8.3f +- %.3f, %d temperatures, %d families of %d particles\n",
           lcc_activation_name(activation), evidence.log, evidence.standard_error,
           (int)climb.stages, (int)evidence.families, (int)PARTICLES);
    free(memory);
    return evidence;
}

int main(void)
{
    const lcc_evidence_f64 tanh_network = evidence_of(LCC_ACTIVATION_TANH);
    const lcc_evidence_f64 bumps = evidence_of(LCC_ACTIVATION_GAUSSIAN_BUMP);
    const double difference = bumps.log - tanh_network.log;
    const double error = sqrt(bumps.standard_error * bumps.standard_error +
                              tanh_network.standard_error * tanh_network.standard_error);
    printf("log Bayes factor of bumps over tanh: %.2f +- %.2f\n", difference, error);
    /* Beyond doubt if it is many times its error, and speaking if it is above 3 or so. */
    return difference > 5.0 * error ? EXIT_SUCCESS : EXIT_FAILURE;
}
