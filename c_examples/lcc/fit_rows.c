#include "fit_rows.h"

#include "cli.h"
#include "folds.h"
#include "view.h"

#include <stdlib.h>
#include <string.h>

/* The table of a file, unless `path` is NULL; one beside the data may lack what is dropped. */
static int table_read(row_file *file, const char *path, const fit_flags *flags, int beside)
{
    csv_wish wish;
    int code;
    if (path == NULL) {
        return 0;
    }
    wish.delimiter = flags->delimiter;
    wish.drop = flags->drop;
    wish.only = flags->only;
    wish.beside[0] = flags->target;
    wish.beside[1] = flags->exposure;
    wish.absent = beside;
    code = csv_read(&file->table, path, &wish);
    THEN(code, dataset_target(&file->table, flags->target, TARGET_NEEDED, &file->rows.target));
    return code;
}

/* Leaves out the rows that miss cells, where that is wanted. */
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

static int split(const fit_flags *flags, fit_rows *in)
{
    split_rows rows;
    int code = splits_read(&rows, flags->split_file, flags->split_index, in->data.table.rows,
                           flags->train_500);
    in->trains.rows = rows.train;
    in->trains.count = rows.trains;
    in->tests.rows = rows.test;
    in->tests.count = rows.tests;
    in->tests.table = &in->data.table;
    THEN(code, drop(flags, &in->tests));
    return code;
}

/* A share of the rows tests, by the seed. */
static int share(const fit_flags *flags, fit_rows *in)
{
    target_choice target;
    row_list all = {NULL, NULL, 0};
    int code = row_list_all(&all, &in->data.table);
    if (code == 0) {
        /* Of what trains and tests: the target's kind follows from all. */
        in->trains = all;
        code = drop(flags, &in->trains);
        all = in->trains;
    }
    THEN(code, fit_rows_target(flags, in, &target));
    in->trains.rows = NULL;
    THEN(code, folds_share(&all, target.kind == TARGET_CLASSES, in->data.rows.target,
                           flags->test_share, flags->network.seed, &in->trains, &in->tests));
    row_list_free(&all);
    return code;
}

int fit_rows_read(const fit_flags *flags, fit_rows *in)
{
    int code = table_read(&in->data, flags->data, flags, 0);
    THEN(code, table_read(&in->stream, flags->stream, flags, 1));
    THEN(code, table_read(&in->test, flags->test, flags, 1));
    in->trains.table = &in->data.table;
    if (flags->test_share > 0.0) {
        THEN(code, share(flags, in));
        return code;
    }
    THEN(code, flags->split != NULL ? split(flags, in) : row_list_all(&in->trains, &in->data.table));
    THEN(code, drop(flags, &in->trains));
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

int fit_rows_target(const fit_flags *flags, const fit_rows *in, target_choice *target)
{
    int code = 0;
    if (flags->kind != METHOD_BNN) {
        memset(target, 0, sizeof *target);
        return 0;
    }
    code = target_choose(flags->output, flags->exposure, &in->trains, in->data.rows.target, target);
    if (code == 0 && flags->components > 0 && target->output != LCC_OUTPUT_MIXTURE) {
        code = wrong_usage("fit: --components is of --output mixture");
    }
    if (code == 0 && flags->stream != NULL && target->kind != TARGET_REAL) {
        code = wrong_usage("fit: --stream is for a target of numbers (--output regression)");
    }
    return code;
}

/* Double precision, where single would round away what the columns tell; a word about it either way. */
static void settle_precision(fit_flags *flags, const dataset *train)
{
    size_t column;
    if (!flags->network.single || !dataset_needs_double(train, &column)) {
        return;
    }
    warn("%s: column %lu (%s): single precision does not hold what its values differ by%s",
         train->table->path, (unsigned long)train->table->place[column],
         train->table->names[column],
         flags->precision_given ? "; leave --precision f32 out"
                                : ": the fit is in double (--precision f64)");
    if (!flags->precision_given) {
        fit_flags_double(flags);
    }
}

int fit_rows_remark(fit_outcome *o)
{
    const dataset *train = o->train;
    const size_t most = sizeof o->remarks / sizeof *o->remarks;
    lcc_data_f64 data;
    double *scratch = allocate(2 * train->n, sizeof *scratch);
    size_t k;
    int code = scratch == NULL ? EXIT_FAILED : view_f64(train, &data);
    if (code == 0) {
        uint32_t dense = o->target.kind == TARGET_REAL && o->target.output != LCC_OUTPUT_HURDLE_LOG_NORMAL;
        code = checked("the rows", lcc_data_remarks_f64(&data, dense, scratch, 2 * train->n, o->remarks, most,
                                                        &o->remarked));
        view_free_f64(&data);
    }
    o->remarked = o->remarked < most ? o->remarked : most;
    for (k = 0; code == 0 && k < o->remarked; k++) {
        const lcc_remark_f64 *r = &o->remarks[k];
        const char *said = lcc_remark_message(r->remark);
        if (r->remark == LCC_REMARK_WIDE) {
            warn("there are %s (%lu, %lu)", said, (unsigned long)train->d, (unsigned long)train->n);
        } else if (r->remark == LCC_REMARK_REPEATED) {
            warn("%s %s (%g in %lu of %lu)", train->table->names[train->target], said, r->value,
                 (unsigned long)r->rows, (unsigned long)train->n);
        } else if (r->remark == LCC_REMARK_COUNTS) {
            warn("column %s %s (--drop %s)", train->table->names[train->source[r->column]], said,
                 train->table->names[train->source[r->column]]);
        } else {
            warn("column %s %s (%lu of %lu rows, %g the farthest)", train->table->names[train->source[r->column]], said,
                 (unsigned long)r->rows, (unsigned long)train->n, r->value);
        }
    }
    free(scratch);
    return code;
}

int fit_rows_learn(fit_flags *flags, fit_rows *in, const target_choice *known, fit_outcome *o)
{
    schema_wish wish;
    int code = 0;
    if (known != NULL) {
        o->target = *known;
    } else {
        code = fit_rows_target(flags, in, &o->target);
    }
    wish.categorical = flags->categorical;
    wish.exposure = flags->exposure;
    wish.missing_mean = flags->missing == MISSING_MEAN;
    wish.classes = code == 0 && o->target.kind == TARGET_CLASSES;
    THEN(code, schema_learn(&in->columns, &in->trains, in->data.rows.target, &wish));
    o->columns = &in->columns;
    THEN(code, target_settle(&o->target, &in->columns));
    THEN(code, rows_encode(flags, o, &in->trains, &in->data.rows));
    if (code == 0 && known == NULL) {
        settle_precision(flags, &in->data.rows);
    }
    THEN(code, in->tests.count > 0 ? rows_encode(flags, o, &in->tests, &in->test.rows) : 0);
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
    return code;
}

void fit_rows_free(fit_rows *in)
{
    schema_free(&in->columns);
    row_list_free(&in->tests);
    row_list_free(&in->trains);
    row_file_free(&in->stream);
    row_file_free(&in->test);
    row_file_free(&in->data);
}
