#include "c_array.h"
#include "cli.h"
#include "cmdstan.h"
#include "cross.h"
#include "fit_method.h"
#include "fit_rows.h"
#include "model.h"
#include "note.h"
#include "platform.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int follow(const fit_flags *flags, fit_outcome *o)
{
    stream_settings following = flags->following;
    int code;
    following.seed = flags->network.seed;
    following.quiet = flags->network.quiet;
    code = stream_follow(&following, o->fit.model, o->fit.model_bytes, o->train, o->stream_rows,
                         flags->interval, &o->streamed);
    o->followed = code == 0 && o->streamed.before.n > 0;
    return code;
}

/* What a person should know of a fit that went well; EXIT_INTERRUPTED where it is not whole. */
static int warnings(const fit_flags *flags, const fit_outcome *o)
{
    int code = 0;
    if (flags->kind == METHOD_NETWORK) {
        (void)warn_of_rhat(o->fit.rhat_max, "the chains sit in different modes",
                           "the model averages over them: more --chains cover more modes, --method "
                           "bnn many");
    }
    if (o->fit.was_interrupted) {
        warn("stopped early: the model holds what was drawn until then");
        code = EXIT_INTERRUPTED;
    }
    if (code == 0 && o->streamed.was_interrupted) {
        warn("stopped early: the stream was followed for %lu rows",
             (unsigned long)o->streamed.before.n);
        code = EXIT_INTERRUPTED;
    }
    return code;
}

/* Fits all rows, and folds. By the clock the fit is first: it tells what chains the folds have time for too. */
static int fit_and_judge(fit_flags *flags, const fit_rows *in, FILE **draws, fit_outcome *o)
{
    /* In the time of one fit of all rows: each of K folds trains on (K - 1)/K of them. */
    double repeats = flags->repeats == 0 ? 1.0 : (double)flags->repeats;
    double fits = flags->folds == 0 ? 1.0 : (flags->folds - 1.0) * repeats + 1.0;
    progress_window whole = progress_whole();
    int stopped = 0;
    int code = 0;
    if (flags->time > 0.0) {
        const double report = 0.05;
        double now = seconds_now();
        double left = flags->began + (1.0 - report) * flags->time - now;
        flags->bnn.until = now + (left > 0.0 ? left : 0.0) / fits;
        flags->bnn.later = o->target.kind == TARGET_CLASSES && !flags->no_calibration ? 2.0 : 0.0;
        progress_part(&whole, 0.0, 1.0 / fits);
        code = fit_method(flags, draws, o);
        flags->bnn.until = 0.0;
        stopped = o->fit.was_interrupted;
    }
    if (flags->folds > 0 && !stopped) {
        double first = flags->time > 0.0 ? 1.0 / fits : 0.0;
        progress_part(&whole, first, first + (fits - 1.0) / fits);
        THEN(code, cross_run(flags, flags->network.seed, in, &o->target, &o->crossed, &stopped));
    }
    if (flags->curve != NULL && !stopped) {
        progress_reset();
        THEN(code, curve_run(flags, in, &o->target, &o->curve, &stopped));
    }
    if (stopped && (flags->folds > 0 || flags->curve != NULL)) {
        network_free(&o->fit);
    } else if (flags->time <= 0.0) {
        progress_part(&whole, (fits - 1.0) / fits, 1.0);
        THEN(code, fit_method(flags, draws, o));
    }
    progress_reset();
    return code;
}

/* Fits, follows the stream, and writes all results or none. */
static int run(fit_flags *flags, const fit_rows *in, outputs *files, fit_outcome *o)
{
    char note[NOTE_TEXT];
    schema columns;
    fit_files to;
    FILE **draws = NULL;
    int code = fit_files_open(flags, files, &to);
    if (code == 0) {
        interrupts_catch();
    }
    THEN(code, fit_settle(flags, o));
    THEN(code, fit_rows_remark(o));
    THEN(code, cmdstan_open(files, flags->draws_csv, flags->network.chains, &draws));
    THEN(code, fit_and_judge(flags, in, draws, o));
    free(draws);
    if (code != 0) {
        return code;
    }
    if (o->fit.model == NULL) {
        warn("stopped before there were draws to keep: nothing is written");
        return EXIT_INTERRUPTED;
    }
    if (o->stream_rows != NULL && !o->fit.was_interrupted) {
        code = follow(flags, o);
    }
    if (code == 0 && to.c_array != NULL) {
        /* Without its columns, as small as it may be: a device knows its rows. */
        c_array_write(to.c_array, flags->c_array, o->fit.model, o->fit.model_bytes);
    }
    note_write(flags, o, note);
    columns = *o->columns;
    columns.note = note;
    columns.kept = note_kept(flags, &o->fit);
    THEN(code, model_attach(&o->fit.model, &o->fit.model_bytes, &columns));
    THEN(code, o->followed ? model_attach(&o->streamed.model, &o->streamed.model_bytes, o->columns)
                           : 0);
    THEN(code, fit_report(flags, o, &to, files));
    THEN(code, warnings(flags, o));
    return code;
}

int fit_command(int argc, char **argv)
{
    fit_flags flags;
    fit_rows in;
    fit_outcome o;
    outputs files;
    size_t k;
    int code;
    memset(&in, 0, sizeof in);
    memset(&o, 0, sizeof o);
    memset(&files, 0, sizeof files);
    code = fit_flags_read(&flags, argc, argv);
    if (code == 0) {
        outputs_protect(&files, flags.data);
        outputs_protect(&files, flags.test);
        outputs_protect(&files, flags.stream);
        outputs_protect(&files, flags.split_file);
        outputs_protect(&files, flags.bnn.file.path);
        code = fit_rows_read(&flags, &in);
    }
    THEN(code, fit_rows_learn(&flags, &in, NULL, &o));
    THEN(code, run(&flags, &in, &files, &o));
    outputs_discard(&files);
    judgement_free(&o.crossed);
    for (k = 0; k + 1 < CURVE; k++) {
        judgement_free(&o.curve.at[k]);
    }
    fit_outcome_free(&o);
    fit_rows_free(&in);
    fit_flags_free(&flags);
    return code;
}
