#include "cross.h"

#include "cli.h"
#include "fit_method.h"
#include "folds.h"
#include "model.h"
#include "platform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int copy_list(const row_list *from, row_list *to)
{
    *to = *from;
    to->rows = allocate(from->count, sizeof *to->rows);
    if (to->rows == NULL) {
        return EXIT_FAILED;
    }
    memcpy(to->rows, from->rows, from->count * sizeof *to->rows);
    return 0;
}

/* Leaves a share of the rows that train: the first of each class, which the classes are known from, then those that
 * come first by the seed, so that smaller shares are parts of larger ones. In the order of the file. */
static int thin(row_list *trains, const target_choice *target, size_t column, double share, uint64_t seed)
{
    size_t *order = allocate(trains->count, sizeof *order);
    unsigned char *stays = allocate(trains->count, 1);
    size_t due = (size_t)ceil(share * (double)trains->count);
    size_t kept = 0;
    size_t i;
    size_t k;
    int code = order == NULL || stays == NULL ? EXIT_FAILED : 0;
    if (code == 0 && target->kind == TARGET_CLASSES) {
        for (i = 0; i < trains->count; i++) {
            const char *word = csv_cell(trains->table, trains->rows[i], column);
            for (k = 0; k < i && (!stays[k] || strcmp(word, csv_cell(trains->table, trains->rows[k], column)) != 0); k++) {
            }
            stays[i] = k == i;
            kept += k == i;
        }
    }
    if (code == 0) {
        random_order(seed, order, trains->count);
        for (i = 0; i < trains->count && kept < due; i++) {
            kept += !stays[order[i]];
            stays[order[i]] = 1;
        }
        for (i = 0, k = 0; i < trains->count; i++) {
            trains->rows[k] = trains->rows[i];
            k += stays[i];
        }
        trains->count = kept;
    }
    free(stays);
    free(order);
    return code;
}

/* One fit and what it tells of the rows that test. */
static int part_run(const fit_flags *flags, fit_rows *part, const target_choice *target,
                    judgement *j, int *interrupted)
{
    fit_flags own = *flags;
    fit_outcome o;
    predictions p;
    double began = seconds_now();
    int code;
    memset(&o, 0, sizeof o);
    memset(&p, 0, sizeof p);
    memset(&own.bnn.file, 0, sizeof own.bnn.file);
    own.test = NULL;
    own.stream = NULL;
    /* What only rows that test have is no reason to stop. */
    own.unknown_mean = 1;
    code = fit_rows_learn(&own, part, target, &o);
    j->trained = part->trains.count;
    THEN(code, fit_method(&own, NULL, &o));
    *interrupted = code == 0 && (o.fit.model == NULL || o.fit.was_interrupted);
    if (code == 0 && !*interrupted) {
        code = model_predict(o.fit.model, o.fit.model_bytes, o.test, flags->interval, &p);
        j->seconds += seconds_now() - began;
        THEN(code, judgement_add(j, &p, o.train, o.test, target, o.columns));
    }
    predictions_free(&p);
    fit_outcome_free(&o);
    return code;
}

int cross_run(const fit_flags *flags, uint64_t seed, const fit_rows *in,
              const target_choice *target, judgement *j, int *interrupted)
{
    progress_window whole = progress_whole();
    size_t repeats = flags->repeats == 0 ? 1 : flags->repeats;
    size_t folds = flags->folds == 0 ? 1 : flags->folds;
    const row_list *rows = &in->trains;
    int classes = target->kind == TARGET_CLASSES;
    size_t *order = allocate(rows->count, sizeof *order);
    size_t r;
    size_t k;
    int code = order == NULL ? EXIT_FAILED : 0;
    *interrupted = 0;
    if (code == 0 && flags->folds > rows->count) {
        code = fail("%s: %lu folds of %lu rows", in->data.table.path, (unsigned long)folds,
                    (unsigned long)rows->count);
    }
    for (r = 0; r < repeats && code == 0 && !*interrupted; r++) {
        code = folds_order(rows, classes, in->data.rows.target,
                           seed + UINT64_C(0x632be59bd9b4e019) * r, order);
        for (k = 0; k < folds && code == 0 && !*interrupted; k++) {
            fit_rows part;
            memset(&part, 0, sizeof part);
            part.data.rows.target = in->data.rows.target;
            if (flags->folds > 0) {
                code = folds_cut(rows, order, k, folds, &part.trains, &part.tests);
            } else {
                code = copy_list(rows, &part.trains);
                THEN(code, copy_list(&in->tests, &part.tests));
            }
            THEN(code, flags->trained_share < 1.0
                           ? thin(&part.trains, target, in->data.rows.target, flags->trained_share, seed)
                           : 0);
            progress_part(&whole, (double)(r * folds + k) / (double)(repeats * folds),
                          (double)(r * folds + k + 1) / (double)(repeats * folds));
            THEN(code, part_run(flags, &part, target, j, interrupted));
            fit_rows_free(&part);
        }
    }
    progress_reset();
    free(order);
    return code;
}

int curve_run(const fit_flags *flags, const fit_rows *in, const target_choice *target,
              learning_curve *curve, int *interrupted)
{
    const double fewest = 20.0;
    fit_flags own = *flags;
    double least = fmax(1.0 / 16.0, fmin(0.5, fewest / (double)in->trains.count));
    size_t k;
    int code = 0;
    for (k = 0; k + 1 < CURVE && code == 0 && !*interrupted; k++) {
        own.trained_share = pow(least, 1.0 - (double)k / (CURVE - 1));
        code = cross_run(&own, flags->network.seed, in, target, &curve->at[k], interrupted);
        if (code == 0 && !*interrupted) {
            curve->scores[k] = judgement_of(&curve->at[k], 0);
            curve->rows[k] = curve->at[k].trained;
        }
    }
    return code;
}
