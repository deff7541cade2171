#include "fit_method.h"

#include "cli.h"
#include "pilot.h"
#include "platform.h"

/* What noise the numbers have, by short fits, where nobody said. */
static int choose_output(fit_flags *flags, fit_outcome *o)
{
    const double share = 0.1;
    progress_window whole = progress_whole();
    network_settings s = flags->network;
    bnn_settings settings = flags->bnn;
    pilot_choice choice;
    int code;
    if (flags->kind != METHOD_BNN || flags->bnn.method != LCC_INFERENCE_CHAINS || !o->target.open ||
        flags->stream != NULL) {
        return 0;
    }
    progress_part(&whole, 0.0, share);
    code = bnn_settle(&s, &settings, o->train); /* flags that do not go together */
    THEN(code, pilot_choose(&flags->network, &flags->bnn, o->train, &choice));
    progress_part(&whole, share, 1.0);
    if (code == 0 && interrupted()) {
        warn("stopped before there were draws to keep: nothing is written");
        return EXIT_INTERRUPTED;
    }
    if (code == 0) {
        flags->bnn.output = o->target.output = choice.output;
        o->target.ahead = choice.ahead;
        o->target.error = choice.error;
    }
    return code;
}

int fit_settle(fit_flags *flags, fit_outcome *o)
{
    int code = choose_output(flags, o);
    THEN(code, flags->kind == METHOD_BNN ? bnn_settle(&flags->network, &flags->bnn, o->train) : 0);
    return code;
}

int fit_method(fit_flags *flags, FILE **draws, fit_outcome *o)
{
    int code;
    if (flags->kind == METHOD_BNN) {
        int calibrates = o->target.kind == TARGET_CLASSES && !flags->no_calibration;
        double share = calibrates ? pilot_share(&flags->network, &flags->bnn) : 1.0;
        progress_window whole = progress_whole();
        progress_part(&whole, 0.0, share);
        code = bnn_run(&flags->network, &flags->bnn, o->train, &o->fit);
        if (calibrates) {
            flags->bnn.until = 0.0;
            progress_part(&whole, share, 1.0);
            THEN(code, pilot_calibrate(&flags->network, &flags->bnn, o->train, &o->fit));
        }
        return code;
    }
    if (flags->kind == METHOD_NETWORK) {
        return network_run(&flags->network, o->train, draws, &o->fit);
    }
    if (flags->kind == METHOD_RELAXED) {
        return relaxed_run(&flags->greedy, o->train, &o->fit, &o->last);
    }
    greedy_of_rows(&flags->greedy, o->train->n);
    code = choose_run(&flags->choice, &flags->greedy, o->train);
    if (code != 0) {
        return code;
    }
    if (flags->kind == METHOD_GREEDY) {
        return greedy_run(&flags->greedy, o->train, &o->fit);
    }
    return prequential_run(&flags->greedy, flags->averages, flags->interval, o->train, &o->fit,
                           &o->losses);
}

void fit_outcome_free(fit_outcome *o)
{
    stream_free(&o->streamed);
    network_free(&o->fit);
    prequential_free(&o->losses);
}
