#include "args.h"
#include "cli.h"
#include "cmdstan.h"
#include "fit_flags.h"
#include "fit_report.h"
#include "platform.h"
#include "splits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that is read. */
typedef struct {
    row_file data;
    row_file test; /* its rows alone where they are of a split */
    row_file stream;
    split_rows split;
    dataset train; /* of a split */
} fit_rows;

static int rows_read(const fit_flags *flags, fit_rows *in, fit_outcome *o)
{
    int single = flags->network.single;
    const dataset *all = &in->data.rows;
    int code =
        row_file_read(&in->data, flags->data, flags->target, TARGET_NEEDED, NULL, single);
    o->train = all;
    o->test = &in->test.rows;
    if (code == 0 && flags->stream != NULL) {
        o->stream_rows = &in->stream.rows;
        code = row_file_read(&in->stream, flags->stream, flags->target, TARGET_NEEDED, all, single);
    }
    if (code == 0 && flags->test != NULL) {
        code = row_file_read(&in->test, flags->test, flags->target, TARGET_NEEDED, all, single);
    }
    if (code == 0 && flags->split != NULL) {
        o->train = &in->train;
        code = splits_read(&in->split, flags->split_file, flags->split_index, all->n,
                           flags->train_500);
        THEN(code, dataset_rows(&in->train, all, in->split.train, in->split.trains));
        THEN(code, dataset_rows(&in->test.rows, all, in->split.test, in->split.tests));
    }
    return code;
}

static void rows_free(fit_rows *in)
{
    dataset_free(&in->train);
    splits_free(&in->split);
    row_file_free(&in->stream);
    row_file_free(&in->test);
    row_file_free(&in->data);
}

static int fit_method(fit_flags *flags, FILE **draws, fit_outcome *o)
{
    int code;
    if (flags->kind == METHOD_NETWORK) {
        return network_run(&flags->network, o->train, draws, &o->fit);
    }
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

static int follow(const fit_flags *flags, fit_outcome *o)
{
    stream_settings following = flags->following;
    int code;
    following.seed = flags->network.seed;
    following.quiet = flags->network.quiet;
    code = stream_follow(&following, o->fit.model, o->fit.model_bytes, o->stream_rows,
                         flags->interval, &o->streamed);
    o->followed = code == 0 && o->streamed.before.n > 0;
    return code;
}

/* What a person should know of a fit that went well; EXIT_INTERRUPTED where it is not whole. */
static int warnings(const fit_outcome *o)
{
    int code = 0;
    if (o->fit.rhat_max > 1.01) {
        warn("R-hat of the predictions is %.2f: the chains sit in different modes; the model "
             "averages over them",
             o->fit.rhat_max);
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

/* Fits, follows the stream, and writes all results or none. */
static int run(fit_flags *flags, outputs *files, fit_outcome *o)
{
    fit_files to;
    FILE **draws = NULL;
    int code = fit_files_open(flags, files, &to);
    THEN(code, cmdstan_open(files, flags->draws_csv, flags->network.chains, &draws));
    if (code == 0) {
        interrupts_catch();
        code = fit_method(flags, draws, o);
    }
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
    THEN(code, fit_report(flags, o, &to, files));
    THEN(code, warnings(o));
    stream_free(&o->streamed);
    network_free(&o->fit);
    prequential_free(&o->losses);
    return code;
}

int fit_command(int argc, char **argv)
{
    fit_flags flags;
    fit_rows in;
    fit_outcome o;
    outputs files;
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
        code = rows_read(&flags, &in, &o);
    }
    THEN(code, run(&flags, &files, &o));
    outputs_discard(&files);
    rows_free(&in);
    fit_flags_free(&flags);
    return code;
}
