#include "prequential.h"

#include "cli.h"
#include "image.h"
#include "platform.h"
#include "stepping.h"
#include "view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define IMPL "prequential_impl.inc"
#include "both.inc"

int prequential_run(const greedy_settings *settings, int32_t averaging, double interval,
                    const dataset *train, network_fit *fit, prequential_losses *losses)
{
    int code;
    memset(fit, 0, sizeof *fit);
    memset(losses, 0, sizeof *losses);
    fit->rhat_max = NAN;
    fit->ess_bulk_min = NAN;
    code = predictions_reserve(&losses->ahead, train->n, 1);
    if (code == 0) {
        losses->ahead.level = interval;
        code = settings->single ? prequential_run_f32(settings, averaging, train, fit, losses)
                                : prequential_run_f64(settings, averaging, train, fit, losses);
    }
    if (code != 0) {
        network_free(fit);
        prequential_free(losses);
    }
    return code;
}

void prequential_free(prequential_losses *losses)
{
    predictions_free(&losses->ahead);
}

void prequential_write(json_writer *json, const prequential_losses *losses, const double *y)
{
    evaluation e = predictions_evaluate(&losses->ahead, y);
    json_object(json, "prequential");
    json_count(json, "n", e.n);
    evaluation_write(json, &e, 1);
    json_number(json, "squared_loss", losses->squared);
    json_number(json, "log_loss", losses->log);
    json_number(json, "best_squared_loss", losses->best_squared);
    json_number(json, "best_log_loss", losses->best_log);
    json_number(json, "squared_regret", losses->squared - losses->best_squared);
    json_number(json, "log_regret", losses->log - losses->best_log);
    json_object_end(json);
}

void prequential_print(const prequential_losses *losses, const double *y)
{
    evaluation e = predictions_evaluate(&losses->ahead, y);
    evaluation_print("one ahead   ", &e, losses->ahead.level);
    printf("losses      %.6g squared, %.2f nats; the best network in hindsight %.6g, %.2f: regret "
           "%.6g, %.2f\n",
           losses->squared, losses->log, losses->best_squared, losses->best_log,
           losses->squared - losses->best_squared, losses->log - losses->best_log);
}
