#include "online.h"

#include "cli.h"
#include "greedy.h"

#include <lcc.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double TAU = 6.28318530717958648;

/* Cumulative losses. */
typedef struct {
    double log; /* joint: minus log density, in nats; greedy: minus the log of the mean tilt */
    double squared;
    double bound; /* V sqrt(log d/N) */
} online_losses;

int online_reserve(online_run *run, size_t rows)
{
    run->rows = rows;
    run->log_likelihood = allocate(rows, sizeof *run->log_likelihood);
    run->mean = allocate(rows, sizeof *run->mean);
    return run->log_likelihood == NULL || run->mean == NULL ? EXIT_FAILED : 0;
}

void online_free(online_run *run)
{
    free(run->log_likelihood);
    free(run->mean);
    memset(run, 0, sizeof *run);
}

/* What the likelihood of a row lacks to be a density. */
static double normaliser(const problem_settings *problem)
{
    return problem->posterior == LCC_POSTERIOR_JOINT ? 0.5 * log(problem->beta / TAU) : 0.0;
}

static online_losses add(const problem_settings *problem, const online_run *run,
                         const dataset *data)
{
    online_losses sum = {0.0, 0.0, 0.0};
    size_t i;
    for (i = 0; i < run->rows; i++) {
        double miss = data->y[i] - run->mean[i];
        sum.log -= run->log_likelihood[i] + normaliser(problem);
        sum.squared += miss * miss;
    }
    sum.bound = lcc_theory_regret_f64(problem->outer, data->d, run->rows);
    return sum;
}

int online_compare(const problem_settings *problem, const dataset *data, online_run *run)
{
    greedy_settings best;
    network_fit fit;
    relaxed_level last;
    int code;
    if (run->rows == 0 || problem->posterior != LCC_POSTERIOR_JOINT) {
        return 0;
    }
    greedy_defaults(&best);
    best.as_printed = 1;
    best.quiet = 1;
    best.activation = problem->activation;
    best.seed = problem->seed;
    best.levels = problem->neurons < 4096 ? problem->neurons : 4096;
    best.outer = problem->outer;
    best.scale = problem->prior == LCC_PRIOR_L1_BALL ? problem->scale : 0.0;
    code = relaxed_complete(&best);
    THEN(code, relaxed_run(&best, data, &fit, &last));
    if (code == 0) {
        run->best = last.error * (double)data->n;
        network_free(&fit);
    }
    return code;
}

void online_write(json_writer *json, const problem_settings *problem, const online_run *run,
                  const dataset *data)
{
    online_losses sum;
    double n = (double)run->rows;
    if (run->rows == 0) {
        return;
    }
    sum = add(problem, run, data);
    json_object(json, "online");
    json_number(json, "log_loss", sum.log);
    json_number(json, "mean_log_loss", sum.log / n);
    if (problem->posterior == LCC_POSTERIOR_JOINT) {
        json_number(json, "squared_loss", sum.squared);
        json_number(json, "mean_squared_loss", sum.squared / n);
        json_number(json, "best_squared_loss", run->best);
        json_number(json, "mean_squared_regret", (sum.squared - run->best) / n);
        json_number(json, "regret_order", sum.bound);
    }
    json_numbers(json, "log_likelihood", run->log_likelihood, run->rows);
    json_numbers(json, "mean", run->mean, run->rows);
    json_object_end(json);
}

void online_print(const problem_settings *problem, const online_run *run, const dataset *data)
{
    online_losses sum;
    double n = (double)run->rows;
    if (run->rows == 0) {
        return;
    }
    sum = add(problem, run, data);
    printf("online      %.4f nats a row, each predicted from those before it\n", sum.log / n);
    if (problem->posterior == LCC_POSTERIOR_JOINT) {
        printf("            mean squared loss %.6g, of the best network in hindsight %.6g: regret %.3g, of the "
               "order V sqrt(log d/N) = %.3g\n",
               sum.squared / n, run->best / n, (sum.squared - run->best) / n, sum.bound);
    }
}
