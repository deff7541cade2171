#include "fit.h"

#include "args.h"
#include "cli.h"
#include "cmdstan.h"
#include "fit_flags.h"
#include "fit_report.h"
#include "platform.h"
#include "splits.h"
#include "usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Rows of a file of their own. */
typedef struct {
    csv_table table;
    dataset rows;
} row_file;

static void row_file_free(row_file *file)
{
    dataset_free(&file->rows);
    csv_free(&file->table);
}

/* Reads rows, which have the inputs of `like` unless that is NULL. 0 or EXIT_FAILED; free either way. */
static int row_file_read(row_file *file, const fit_flags *flags, const char *path,
                         const dataset *like)
{
    int code;
    memset(file, 0, sizeof *file);
    code = csv_read(&file->table, path);
    if (code == 0) {
        code = dataset_take(&file->rows, &file->table, flags->target, TARGET_NEEDED);
    }
    if (code == 0 && like != NULL) {
        code = dataset_same_inputs(like, &file->rows);
    }
    if (code == 0 && flags->network.single) {
        code = dataset_fits_single(&file->rows);
    }
    return code;
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
static int run(fit_flags *flags, outputs *files, const dataset *train, const dataset *test,
               const dataset *stream_rows)
{
    fit_files to;
    fit_outcome o;
    FILE **draws = NULL;
    int code;
    memset(&to, 0, sizeof to);
    memset(&o, 0, sizeof o);
    o.train = train;
    o.test = test;
    o.stream_rows = stream_rows;
    code = fit_files_open(flags, files, &to);
    if (code == 0) {
        code = cmdstan_open(files, flags->draws_csv, flags->network.chains, &draws);
    }
    if (code == 0) {
        interrupts_catch();
        code = fit_method(flags, draws, &o);
    }
    free(draws);
    if (code != 0) {
        return code;
    }
    if (o.fit.model == NULL) {
        warn("stopped before there were draws to keep: nothing is written");
        return EXIT_INTERRUPTED;
    }
    if (stream_rows != NULL && !o.fit.was_interrupted) {
        code = follow(flags, &o);
    }
    if (code == 0) {
        code = fit_report(flags, &o, &to, files);
    }
    if (code == 0) {
        code = warnings(&o);
    }
    stream_free(&o.streamed);
    network_free(&o.fit);
    prequential_free(&o.losses);
    return code;
}

static int with_test_file(fit_flags *flags, outputs *files, const dataset *data,
                          const dataset *stream_rows)
{
    row_file test;
    int code = row_file_read(&test, flags, flags->test, data);
    if (code == 0) {
        code = run(flags, files, data, &test.rows, stream_rows);
    }
    row_file_free(&test);
    return code;
}

static int with_split(fit_flags *flags, outputs *files, const dataset *data,
                      const dataset *stream_rows)
{
    split_rows split;
    dataset train;
    dataset test;
    int code;
    memset(&train, 0, sizeof train);
    memset(&test, 0, sizeof test);
    code = splits_read(&split, flags->split_file, flags->split_index, data->n, flags->train_500);
    if (code == 0) {
        code = dataset_rows(&train, data, split.train, split.trains);
    }
    if (code == 0) {
        code = dataset_rows(&test, data, split.test, split.tests);
    }
    if (code == 0) {
        code = run(flags, files, &train, &test, stream_rows);
    }
    dataset_free(&train);
    dataset_free(&test);
    splits_free(&split);
    return code;
}

static int with_test(fit_flags *flags, outputs *files, const dataset *data,
                     const dataset *stream_rows)
{
    dataset none;
    if (flags->test != NULL) {
        return with_test_file(flags, files, data, stream_rows);
    }
    if (flags->split != NULL) {
        return with_split(flags, files, data, stream_rows);
    }
    memset(&none, 0, sizeof none);
    return run(flags, files, data, &none, stream_rows);
}

/* Rows to follow after the fit, from a file of their own. */
static int with_stream(fit_flags *flags, outputs *files, const dataset *data)
{
    row_file stream;
    int code;
    if (flags->stream == NULL) {
        return with_test(flags, files, data, NULL);
    }
    code = row_file_read(&stream, flags, flags->stream, data);
    if (code == 0) {
        code = with_test(flags, files, data, &stream.rows);
    }
    row_file_free(&stream);
    return code;
}

int fit_command(int argc, char **argv)
{
    fit_flags flags;
    row_file data;
    outputs files;
    int code;
    if (args_want_help(argc, argv)) {
        fputs(usage_fit, stdout);
        return 0;
    }
    memset(&files, 0, sizeof files);
    code = fit_flags_read(&flags, argc, argv);
    if (code == 0) {
        outputs_protect(&files, flags.data);
        outputs_protect(&files, flags.test);
        outputs_protect(&files, flags.stream);
        outputs_protect(&files, flags.split_file);
        code = row_file_read(&data, &flags, flags.data, NULL);
        if (code == 0) {
            code = with_stream(&flags, &files, &data.rows);
        }
        row_file_free(&data);
    }
    outputs_discard(&files);
    fit_flags_free(&flags);
    return code;
}
