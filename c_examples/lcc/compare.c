#include "compare.h"

#include "cli.h"
#include "cross.h"
#include "fit_method.h"
#include "platform.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_METHODS = 24, MOST_LINES = MOST_METHODS + 2, COMPARED_DIGITS = 6 };

/* The command's own flags; the rest are those of lcc fit, once for each method. */
typedef struct {
    const char *methods;
    const char *plot;
    const char *json;
    const char *curves;
    int rest;
    char **arguments; /* of lcc fit: the rest, and room for four more */
} compare_flags;

/* One method, by the first seed and, for the luck, by a second. */
typedef struct {
    char *name;
    judgement first;
    judgement second;
    compare_curve curve; /* where they are drawn */
} contender;

static int parse(compare_flags *flags, int argc, char **argv)
{
    static const char *const own[] = {"--methods", "--plot", "--json", "--curves"};
    const char **values[4];
    int i = 0;
    values[0] = &flags->methods;
    values[1] = &flags->plot;
    values[2] = &flags->json;
    values[3] = &flags->curves;
    flags->methods = "bnn,map,ensemble";
    flags->arguments = allocate((size_t)argc + 4, sizeof *flags->arguments);
    if (flags->arguments == NULL) {
        return EXIT_FAILED;
    }
    while (i < argc) {
        size_t k = 0;
        size_t length = strcspn(argv[i], "=");
        while (k < 4 && (strlen(own[k]) != length || memcmp(own[k], argv[i], length) != 0)) {
            k++;
        }
        if (k == 4) {
            flags->arguments[flags->rest++] = argv[i++];
            continue;
        }
        if (argv[i][length] == '=') {
            *values[k] = argv[i++] + length + 1;
        } else if (i + 1 < argc) {
            *values[k] = argv[i + 1];
            i += 2;
        } else {
            return wrong_usage("compare: %s needs a value", own[k]);
        }
        if (**values[k] == '\0') {
            return wrong_usage("compare: %s needs a value", own[k]);
        }
    }
    return 0;
}

/* The flags of a fit by this method, which writes nothing. */
static int flags_of(const compare_flags *own, char *method, fit_flags *flags)
{
    static char option[] = "--method";
    static char share[] = "--test-share=.25";
    int count = own->rest;
    int judged = 0;
    int i;
    int code;
    for (i = 0; i < own->rest; i++) {
        judged |= strncmp(own->arguments[i], "--cv", 4) == 0 ||
                  strncmp(own->arguments[i], "--split", 7) == 0 ||
                  strncmp(own->arguments[i], "--test-share", 12) == 0;
    }
    own->arguments[count++] = option;
    own->arguments[count++] = method;
    if (!judged) {
        own->arguments[count++] = share;
    }
    code = fit_flags_read(flags, count, own->arguments);
    if (code == 0 && (flags->model != NULL || flags->c_array != NULL || flags->predictions != NULL ||
                      flags->draws_csv != NULL || flags->log_lik != NULL || flags->stream != NULL ||
                      flags->test != NULL || flags->bnn.file.path != NULL || flags->time > 0.0 ||
                      flags->curve != NULL)) {
        code = wrong_usage("compare: writes no models, predictions, draws or checkpoints, takes "
                           "its tests from --data, and no --time or --learning-curve");
    }
    return code;
}

/* Judges one method by two seeds on the rows of all. */
static int judge(fit_flags *flags, const fit_rows *in, contender *c, int draws, int *interrupted)
{
    uint64_t folds_seed = flags->network.seed;
    fit_rows whole;
    fit_outcome o;
    int code;
    memset(&whole, 0, sizeof whole);
    memset(&o, 0, sizeof o);
    whole.data.rows.target = in->data.rows.target;
    whole.trains = in->trains; /* lent */
    code = fit_rows_learn(flags, &whole, NULL, &o);
    THEN(code, fit_settle(flags, &o));
    if (code == 0 && draws) {
        fit_flags own = *flags;
        c->curve.name = c->name;
        code = compare_curve_fit(&own, &o, &c->curve, interrupted);
    }
    c->first.keeps = 1;
    c->second.keeps = 1;
    if (!*interrupted) {
        THEN(code, cross_run(flags, folds_seed, in, &o.target, &c->first, interrupted));
    }
    flags->network.seed++;
    flags->greedy.seed++;
    if (!*interrupted) {
        THEN(code, cross_run(flags, folds_seed, in, &o.target, &c->second, interrupted));
    }
    whole.trains.rows = NULL;
    fit_rows_free(&whole);
    fit_outcome_free(&o);
    return code;
}

/* What another seed moves: of numbers in predictive sds, of classes in probability; the root of the mean square. */
static double luck_of(const contender *c)
{
    const judgement *a = &c->first;
    double squares = 0.0;
    double count = 0.0;
    size_t row;
    size_t k;
    for (row = 0; row < a->rows; row++) {
        const double *x = a->said + row * a->width;
        const double *y = c->second.said + row * a->width;
        for (k = 0; a->times[row] > 0.0 && k < (a->classes ? a->width : 1); k++) {
            double moved = (x[k] - y[k]) / (a->classes ? 1.0 : x[1]);
            squares += 0.5 * moved * moved;
            count += 1.0;
        }
    }
    return sqrt(squares / count);
}

/* How far a log score is behind another of the same rows, and the standard error over rows. */
static void hold_against(compared *line, const judgement *j, size_t sheet, const judgement *best,
                         size_t best_sheet)
{
    double n = 0.0;
    double sum = 0.0;
    double squares = 0.0;
    size_t row;
    int pass;
    for (pass = 0; pass < 2; pass++) {
        for (row = 0; row < j->rows; row++) {
            double apart;
            if (j->times[row] <= 0.0 || best->times[row] <= 0.0) {
                continue;
            }
            apart = best->sheets[best_sheet].sum[row * SCORES + SCORE_LOG] / best->times[row] -
                    j->sheets[sheet].sum[row * SCORES + SCORE_LOG] / j->times[row];
            if (pass == 0) {
                n += 1.0;
                sum += apart;
            } else {
                squares += (apart - sum / n) * (apart - sum / n);
            }
        }
    }
    line->behind = sum / n;
    line->behind_error = sqrt(squares / (n - 1.0) / n);
}

/* The lines of the table: methods, then the baselines, which are the same for all. */
static size_t tabulate(const contender *c, size_t count, compared *lines)
{
    const judgement *of[MOST_LINES];
    size_t sheets[MOST_LINES];
    size_t best = 0;
    size_t used = 0;
    size_t k;
    for (k = 0; k < count + (c->first.count - 1); k++) {
        const judgement *j = k < count ? &c[k].first : &c->first;
        compared *line = &lines[used];
        of[used] = j;
        sheets[used] = k < count ? 0 : k - count + 1;
        line->name = k < count ? c[k].name : j->sheets[sheets[used]].said;
        line->baseline = k >= count;
        line->scores = judgement_of(j, sheets[used]);
        line->spread = j->classes ? j->calibration / (double)j->parts
                                  : line->scores.mean[SCORE_COVERED];
        line->seconds = j->seconds;
        line->luck = k < count ? luck_of(&c[k]) : (double)NAN;
        best = line->scores.mean[SCORE_LOG] > lines[best].scores.mean[SCORE_LOG] ? used : best;
        used++;
    }
    for (k = 0; k < used; k++) {
        hold_against(&lines[k], of[k], sheets[k], of[best], sheets[best]);
    }
    return used;
}

/* The scores (1), the rest (2), or both in one. */
static void print_part(const compared *lines, size_t count, int classes, double level, int part)
{
    char spread[40];
    size_t k;
    (void)snprintf(spread, sizeof spread, classes ? "calibration" : "%g %% hold", 100.0 * level);
    printf("%-26s", "method");
    if ((part & 1) != 0) {
        printf(" %-20s %-20s", "log score", "behind");
    }
    if ((part & 2) != 0) {
        printf(" %-22s %-11s %8s %8s", classes ? "accuracy" : "RMSE", spread, "seconds", "luck");
    }
    putchar('\n');
    for (k = 0; k < count; k++) {
        const compared *l = &lines[k];
        const score_summary *s = &l->scores;
        printf("%-26s", l->name);
        if ((part & 1) != 0) {
            printf(" %8.4f +- %-8.2g %8.4f +- %-8.2g", s->mean[SCORE_LOG], s->error[SCORE_LOG],
                   l->behind, l->behind_error);
        }
        if ((part & 2) != 0) {
            printf(" %9.5g +- %-9.2g", classes ? s->mean[SCORE_RIGHT] : s->rmse,
                   classes ? s->error[SCORE_RIGHT] : s->rmse_error);
        }
        if ((part & 2) != 0 && !l->baseline) {
            printf(classes ? " %-11.3f" : " %-11.3g", classes ? l->spread : 100.0 * l->spread);
            printf(" %8.1f %6.2g %%", l->seconds, 100.0 * l->luck);
        }
        putchar('\n');
    }
}

static void print_table(const compared *lines, size_t count, int classes, double level)
{
    const int whole = 122;
    int width = terminal_width(stdout);
    if (width == 0 || width >= whole) {
        print_part(lines, count, classes, level, 3);
    } else {
        print_part(lines, count, classes, level, 1);
        print_part(lines, count, classes, level, 2);
    }
}

static void write_json(FILE *out, const compared *lines, size_t count, int classes)
{
    json_writer json;
    size_t k;
    json_begin(&json, out, COMPARED_DIGITS);
    json_count(&json, "n", lines->scores.n);
    json_list(&json, "methods");
    for (k = 0; k < count; k++) {
        const compared *l = &lines[k];
        const score_summary *s = &l->scores;
        json_item(&json);
        json_text(&json, "name", l->name);
        json_text(&json, "kind", l->baseline ? "baseline" : "method");
        json_number(&json, "log_likelihood", s->mean[SCORE_LOG]);
        json_number(&json, "log_likelihood_error", s->error[SCORE_LOG]);
        json_number(&json, "behind", l->behind);
        json_number(&json, "behind_error", l->behind_error);
        json_number(&json, classes ? "accuracy" : "rmse",
                    classes ? s->mean[SCORE_RIGHT] : s->rmse);
        json_number(&json, classes ? "accuracy_error" : "rmse_error",
                    classes ? s->error[SCORE_RIGHT] : s->rmse_error);
        if (!l->baseline) {
            json_number(&json, classes ? "calibration_error" : "coverage", l->spread);
            json_number(&json, "luck", l->luck);
            json_number(&json, "seconds", l->seconds);
        }
        json_object_end(&json);
    }
    json_list_end(&json);
    json_end(&json);
}

static int report(const fit_flags *flags, const contender *c, size_t count,
                  FILE *plot, FILE *curves, FILE *json, outputs *files)
{
    compare_curve drawn[MOST_METHODS];
    size_t k;
    compared lines[MOST_LINES];
    int classes = c->first.classes;
    size_t used;
    int code;
    memset(lines, 0, sizeof lines);
    used = tabulate(c, count, lines);
    if (plot != NULL) {
        compare_plot(plot, flags->target, "methods compared", classes, lines, used);
    }
    for (k = 0; k < count; k++) {
        drawn[k] = c[k].curve; /* lent */
    }
    if (curves != NULL) {
        compare_curves(curves, flags->target, drawn, count);
    }
    if (json != NULL) {
        write_json(json, lines, used, classes);
    }
    code = outputs_publish(files);
    if (code == 0 && !files->to_stdout) {
        print_table(lines, used, classes, flags->interval);
    }
    return code;
}

/* The names of the list, each a method. How many, or 0 after a message. */
static size_t names_of(const char *list, contender *c)
{
    size_t count = 0;
    while (list != NULL) {
        size_t length = strcspn(list, ",");
        if (count == MOST_METHODS) {
            (void)wrong_usage("compare: more than %d methods", (int)MOST_METHODS);
            return 0;
        }
        c[count].name = copy_text(list, length);
        if (c[count].name == NULL) {
            return 0;
        }
        count++;
        list = list[length] == '\0' ? NULL : list + length + 1;
    }
    return count;
}

static int run(const compare_flags *own, contender *c, size_t count, outputs *files)
{
    fit_flags flags;
    fit_rows in;
    FILE *plot = NULL;
    FILE *curves = NULL;
    FILE *json = NULL;
    size_t done = 0;
    size_t k;
    int interrupted = 0;
    int code = 0;
    memset(&in, 0, sizeof in);
    /* All before the first fit, so that what is wrong is found out at once. */
    for (k = 0; k < count && code == 0; k++) {
        code = flags_of(own, c[k].name, &flags);
        if (k + 1 < count || code != 0) {
            fit_flags_free(&flags);
        }
    }
    if (code != 0) {
        return code;
    }
    outputs_protect(files, flags.data);
    outputs_protect(files, flags.split_file);
    code = outputs_add(files, own->plot, &plot);
    THEN(code, outputs_add(files, own->curves, &curves));
    THEN(code, outputs_add(files, own->json, &json));
    THEN(code, fit_rows_read(&flags, &in));
    interrupts_catch();
    for (k = 0; k < count && code == 0 && !interrupted; k++) {
        fit_flags each;
        code = flags_of(own, c[k].name, &each);
        THEN(code, judge(&each, &in, &c[k], curves != NULL, &interrupted));
        done += code == 0 && !interrupted;
        fit_flags_free(&each);
    }
    if (code == 0 && interrupted) {
        warn("stopped early: %lu of %lu methods were judged", (unsigned long)done,
             (unsigned long)count);
    }
    THEN(code, done == 0 ? 0 : report(&flags, c, done, plot, curves, json, files));
    fit_rows_free(&in);
    fit_flags_free(&flags);
    return code == 0 && interrupted ? EXIT_INTERRUPTED : code;
}

int compare_command(int argc, char **argv)
{
    compare_flags flags;
    contender all[MOST_METHODS];
    outputs files;
    size_t count = 0;
    size_t k;
    int code;
    memset(&flags, 0, sizeof flags);
    memset(all, 0, sizeof all);
    memset(&files, 0, sizeof files);
    code = parse(&flags, argc, argv);
    if (code == 0) {
        count = names_of(flags.methods, all);
        code = count == 0 ? EXIT_USAGE : run(&flags, all, count, &files);
    }
    outputs_discard(&files);
    for (k = 0; k < MOST_METHODS; k++) {
        judgement_free(&all[k].first);
        judgement_free(&all[k].second);
        compare_curve_free(&all[k].curve);
        free(all[k].name);
    }
    free(flags.arguments);
    return code;
}
