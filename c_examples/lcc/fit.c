#include "args.h"
#include "calibrate.h"
#include "cli.h"
#include "cmdstan.h"
#include "fit_flags.h"
#include "fit_report.h"
#include "model.h"
#include "platform.h"
#include "splits.h"
#include "target.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Everything that is read. */
typedef struct {
    row_file data; /* its rows that train */
    row_file test; /* its rows alone where they are of a split */
    row_file stream;
    split_rows split;
    schema columns;
} fit_rows;

/* The table of a file that has the columns of the data, unless `path` is NULL. */
static int table_read(row_file *file, const char *path, const fit_flags *flags, const row_file *like)
{
    int code = path == NULL ? 0 : csv_read(&file->table, path);
    if (code != 0 || path == NULL) {
        return code;
    }
    code = dataset_target(&file->table, flags->target, TARGET_NEEDED, &file->rows.target);
    THEN(code, like == NULL ? 0
                            : dataset_same_inputs(&like->table, like->rows.target, &file->table,
                                                  file->rows.target));
    return code;
}

static int rows_encode(const fit_flags *flags, const fit_outcome *o, const row_list *from,
                       dataset *rows)
{
    int code = schema_encode(o->columns, from, flags->target, TARGET_NEEDED, flags->unknown_mean,
                             rows);
    THEN(code, target_check(&o->target, rows));
    THEN(code, flags->network.single ? dataset_fits_single(rows) : 0);
    return code;
}

static int drop(const fit_flags *flags, row_list *list)
{
    size_t all = list->count;
    size_t dropped = flags->missing == MISSING_DROP ? row_list_complete(list) : 0;
    if (dropped > 0) {
        warn("%s: %lu of %lu rows miss cells and are left out", list->table->path,
             (unsigned long)dropped, (unsigned long)all);
    }
    return all > dropped ? 0 : fail("%s: no row is left", list->table->path);
}

/* All rows of a file of its own. */
static int file_encode(const fit_flags *flags, const fit_outcome *o, row_file *file)
{
    row_list list;
    int code = row_list_all(&list, &file->table);
    THEN(code, drop(flags, &list));
    THEN(code, rows_encode(flags, o, &list, &file->rows));
    row_list_free(&list);
    return code;
}

/* What y is, of the method that has more than real numbers for it. */
static int target_learn(const fit_flags *flags, const row_list *train, size_t column,
                        target_choice *target)
{
    int code = 0;
    if (flags->kind != METHOD_BNN) {
        memset(target, 0, sizeof *target);
        return 0;
    }
    code = target_choose(flags->output, flags->exposure, train, column, target);
    if (code == 0 && flags->components > 0 && target->output != LCC_OUTPUT_MIXTURE) {
        code = wrong_usage("fit: --components is of --output mixture");
    }
    if (code == 0 && flags->stream != NULL && target->kind != TARGET_REAL) {
        code = wrong_usage("fit: --stream is for a target of numbers (--output regression)");
    }
    return code;
}

static int rows_read(fit_flags *flags, fit_rows *in, fit_outcome *o)
{
    const csv_table *table = &in->data.table;
    row_list train = {NULL, NULL, 0};
    row_list test = {NULL, NULL, 0};
    schema_wish wish;
    int code = table_read(&in->data, flags->data, flags, NULL);
    THEN(code, table_read(&in->stream, flags->stream, flags, &in->data));
    THEN(code, table_read(&in->test, flags->test, flags, &in->data));
    if (code == 0 && flags->split != NULL) {
        code = splits_read(&in->split, flags->split_file, flags->split_index, table->rows,
                           flags->train_500);
        train.rows = in->split.train;
        train.count = in->split.trains;
        test.rows = in->split.test;
        test.count = in->split.tests;
        train.table = table;
        test.table = table;
        in->split.train = NULL;
        in->split.test = NULL;
        THEN(code, drop(flags, &test));
    } else {
        THEN(code, row_list_all(&train, table));
    }
    wish.categorical = flags->categorical;
    wish.exposure = flags->exposure;
    wish.missing_mean = flags->missing == MISSING_MEAN;
    THEN(code, drop(flags, &train));
    THEN(code, target_learn(flags, &train, in->data.rows.target, &o->target));
    wish.classes = code == 0 && o->target.kind == TARGET_CLASSES;
    THEN(code, schema_learn(&in->columns, &train, in->data.rows.target, &wish));
    o->columns = &in->columns;
    THEN(code, target_settle(&o->target, &in->columns));
    THEN(code, rows_encode(flags, o, &train, &in->data.rows));
    THEN(code, test.count > 0 ? rows_encode(flags, o, &test, &in->test.rows) : 0);
    THEN(code, flags->test != NULL ? file_encode(flags, o, &in->test) : 0);
    THEN(code, flags->stream != NULL ? file_encode(flags, o, &in->stream) : 0);
    flags->bnn.output = o->target.output;
    flags->bnn.exposure = in->columns.exposure ? 1 : 0;
    flags->bnn.categories = o->target.kind == TARGET_CLASSES
                                ? (uint32_t)in->columns.target.levels
                                : flags->components;
    o->train = &in->data.rows;
    o->test = &in->test.rows;
    o->stream_rows = flags->stream == NULL ? NULL : &in->stream.rows;
    row_list_free(&train);
    row_list_free(&test);
    return code;
}

static void rows_free(fit_rows *in)
{
    schema_free(&in->columns);
    splits_free(&in->split);
    row_file_free(&in->stream);
    row_file_free(&in->test);
    row_file_free(&in->data);
}

static int fit_method(fit_flags *flags, FILE **draws, fit_outcome *o)
{
    int code;
    if (flags->kind == METHOD_BNN) {
        code = bnn_run(&flags->network, &flags->bnn, o->train, &o->fit);
        if (o->target.kind == TARGET_CLASSES && !flags->no_calibration) {
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
static int warnings(const fit_flags *flags, const fit_outcome *o)
{
    int code = 0;
    if (flags->kind == METHOD_NETWORK && o->fit.rhat_max > 1.01) {
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
    THEN(code, flags->kind == METHOD_BNN ? bnn_settle(&flags->network, &flags->bnn, o->train) : 0);
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
    if (!schema_plain(o->columns)) {
        THEN(code, model_attach(&o->fit.model, &o->fit.model_bytes, o->columns));
        THEN(code, o->followed ? model_attach(&o->streamed.model, &o->streamed.model_bytes,
                                              o->columns)
                               : 0);
    }
    THEN(code, fit_report(flags, o, &to, files));
    THEN(code, warnings(flags, o));
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
        outputs_protect(&files, flags.bnn.file.path);
        code = rows_read(&flags, &in, &o);
    }
    THEN(code, run(&flags, &files, &o));
    outputs_discard(&files);
    rows_free(&in);
    fit_flags_free(&flags);
    return code;
}
