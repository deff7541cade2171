#include "fit_method.h"

#include "calibrate.h"
#include "cli.h"

int fit_method(fit_flags *flags, FILE **draws, fit_outcome *o)
{
    int code;
    if (flags->kind == METHOD_BNN) {
        int calibrates = o->target.kind == TARGET_CLASSES && !flags->no_calibration;
        double share = calibrates ? calibrate_share(&flags->network, &flags->bnn) : 1.0;
        progress_window whole = progress_whole();
        progress_part(&whole, 0.0, share);
        code = bnn_run(&flags->network, &flags->bnn, o->train, &o->fit);
        if (calibrates) {
            flags->bnn.until = 0.0;
            progress_part(&whole, share, 1.0);
            THEN(code, calibrate_run(&flags->network, &flags->bnn, o->train, &o->fit));
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
