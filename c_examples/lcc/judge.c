#include "judge.h"

#include "cli.h"
#include "linear.h"

#include <lcc.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Logarithms differ in their last digit between machines, which the same bytes do not. */
enum { JUDGED_DIGITS = 6 };

static int begin(judgement *j, const predictions *p, const dataset *test,
                 const target_choice *target)
{
    static const char *const names[4][3] = {{"method", "mean", "linear"},
                                            {"method", "shares", NULL},
                                            {"method", "rate", NULL},
                                            {"method", "mean", NULL}};
    static const char *const said[4][3] = {
        {"", "the mean of the target", "linear regression"},
        {"", "the shares of the classes", NULL},
        {"", "the rate of all rows", NULL},
        {"", "zeros and a log-normal law", NULL}};
    size_t kind = target->kind == TARGET_CLASSES                      ? 1
                  : target->kind == TARGET_COUNTS                     ? 2
                  : target->output == LCC_OUTPUT_HURDLE_LOG_NORMAL    ? 3
                                                                      : 0;
    size_t k;
    if (j->times != NULL) {
        return 0;
    }
    j->classes = p->classes > 0;
    j->rows = test->table->rows;
    j->width = p->classes > 0 ? p->classes : 2;
    j->times = allocate(j->rows, sizeof *j->times);
    j->said = j->keeps ? allocate(j->rows * j->width, sizeof *j->said) : NULL;
    for (k = 0; k < 3 && names[kind][k] != NULL; k++) {
        j->sheets[k].name = names[kind][k];
        j->sheets[k].said = said[kind][k];
        j->sheets[k].sum = allocate(j->rows * SCORES, sizeof *j->sheets[k].sum);
        if (j->sheets[k].sum == NULL) {
            return EXIT_FAILED;
        }
        j->count++;
    }
    return j->times == NULL || (j->keeps && j->said == NULL) ? EXIT_FAILED : 0;
}

/* log N(y; mean, variance). */
static double gaussian(double y, double mean, double variance)
{
    const double two_pi = 6.283185307179586;
    return -0.5 * ((y - mean) * (y - mean) / variance + log(two_pi * variance));
}

/* log Poisson(y; mean). */
static double poisson(double y, double mean)
{
    return mean > 0.0 ? y * log(mean) - mean - lgamma(y + 1.0) : 0.0;
}

static void note(judgement *j, size_t sheet, size_t row, size_t score, double value)
{
    j->sheets[sheet].sum[row * SCORES + score] += value;
}

static void note_class(judgement *j, size_t sheet, size_t row, const double *probability,
                       size_t classes, size_t truth)
{
    double brier = 0.0;
    size_t top = 0;
    size_t c;
    for (c = 0; c < classes; c++) {
        double miss = probability[c] - (c == truth ? 1.0 : 0.0);
        top = probability[c] > probability[top] ? c : top;
        brier += miss * miss;
    }
    note(j, sheet, row, SCORE_RIGHT, top == truth ? 1.0 : 0.0);
    note(j, sheet, row, SCORE_LOG, log(fmax(probability[truth], 1e-300)));
    note(j, sheet, row, SCORE_BRIER, brier);
}

static int add_classes(judgement *j, const predictions *p, const dataset *train,
                       const dataset *test)
{
    double *shares = allocate(p->classes, sizeof *shares);
    size_t i;
    if (shares == NULL) {
        return EXIT_FAILED;
    }
    for (i = 0; i < train->n; i++) {
        shares[(size_t)train->y[i]] += 1.0 / (double)train->n;
    }
    for (i = 0; i < test->n; i++) {
        size_t row = test->origin[i];
        note_class(j, 0, row, p->probability + i * p->classes, p->classes, (size_t)test->y[i]);
        note_class(j, 1, row, shares, p->classes, (size_t)test->y[i]);
        if (j->said != NULL) {
            memcpy(j->said + row * j->width, p->probability + i * p->classes,
                   p->classes * sizeof *j->said);
        }
    }
    j->calibration += p->scored.calibration;
    j->coverage += p->scored.coverage;
    free(shares);
    return 0;
}

/* The law of a hurdle without inputs: the share of zeros, and a log-normal law of the rest. */
typedef struct {
    double zero;
    double mean;
    double variance;
} hurdle;

static hurdle hurdle_of(const dataset *train)
{
    hurdle h = {0.0, 0.0, 0.0};
    double n = 0.0;
    size_t i;
    for (i = 0; i < train->n; i++) {
        n += train->y[i] > 0.0;
        h.mean += train->y[i] > 0.0 ? log(train->y[i]) : 0.0;
    }
    h.mean /= n;
    for (i = 0; i < train->n; i++) {
        double away = train->y[i] > 0.0 ? log(train->y[i]) - h.mean : 0.0;
        h.variance += away * away / (n - 1.0) * (1.0 + 1.0 / n);
    }
    h.zero = 1.0 - n / (double)train->n;
    return h;
}

static double hurdle_score(const hurdle *h, double y)
{
    return y > 0.0 ? log1p(-h->zero) + gaussian(log(y), h->mean, h->variance) - log(y) : log(h->zero);
}

/* The mean, or the rate where there is an exposure, which is the last input. */
static void add_simple(judgement *j, const dataset *train, const dataset *test, const target_choice *target,
                       int exposure)
{
    int counts = target->kind == TARGET_COUNTS;
    int zeros = target->output == LCC_OUTPUT_HURDLE_LOG_NORMAL;
    hurdle law = {0.0, 0.0, 0.0};
    double sum = 0.0;
    double exposed = 0.0;
    double squares = 0.0;
    double mean;
    size_t i;
    if (zeros) {
        law = hurdle_of(train);
    }
    for (i = 0; i < train->n; i++) {
        sum += train->y[i];
        exposed += exposure ? train->x[(i + 1) * train->d - 1] : 1.0;
    }
    mean = sum / exposed;
    for (i = 0; i < train->n; i++) {
        squares += (train->y[i] - mean) * (train->y[i] - mean);
    }
    for (i = 0; i < test->n; i++) {
        size_t row = test->origin[i];
        double said = mean * (exposure ? test->x[(i + 1) * test->d - 1] : 1.0);
        double n = (double)train->n;
        double miss = test->y[i] - said;
        note(j, 1, row, SCORE_SQUARED, miss * miss);
        note(j, 1, row, SCORE_LOG,
             counts  ? poisson(test->y[i], said)
             : zeros ? hurdle_score(&law, test->y[i])
                     : gaussian(test->y[i], said, squares / (n - 1.0) * (1.0 + 1.0 / n)));
    }
}

static int add_linear(judgement *j, const dataset *train, const dataset *test)
{
    double *mean = allocate(2 * test->n, sizeof *mean);
    double *variance = mean == NULL ? NULL : mean + test->n;
    size_t i;
    int known = mean != NULL && linear_predict(train, test, mean, variance);
    for (i = 0; known && i < test->n; i++) {
        double miss = test->y[i] - mean[i];
        note(j, 2, test->origin[i], SCORE_SQUARED, miss * miss);
        note(j, 2, test->origin[i], SCORE_LOG, gaussian(test->y[i], mean[i], variance[i]));
    }
    free(mean);
    return known;
}

int judgement_add(judgement *j, const predictions *p, const dataset *train, const dataset *test,
                  const target_choice *target, const schema *columns)
{
    size_t i;
    int code = begin(j, p, test, target);
    for (i = 0; code == 0 && i < test->n; i++) {
        j->times[test->origin[i]] += 1.0;
    }
    j->parts++;
    if (code != 0 || p->classes > 0) {
        return code == 0 ? add_classes(j, p, train, test) : code;
    }
    for (i = 0; i < test->n; i++) {
        size_t row = test->origin[i];
        double miss = test->y[i] - p->mean[i];
        note(j, 0, row, SCORE_SQUARED, miss * miss);
        note(j, 0, row, SCORE_LOG, p->log_density[i]);
        note(j, 0, row, SCORE_CRPS, p->crps[i]);
        note(j, 0, row, SCORE_COVERED,
             test->y[i] >= p->lower[i] && test->y[i] <= p->upper[i] ? 1.0 : 0.0);
        note(j, 0, row, SCORE_WIDTH, p->upper[i] - p->lower[i]);
        if (j->said != NULL) {
            j->said[row * 2] = p->mean[i];
            j->said[row * 2 + 1] = p->sd[i];
        }
    }
    add_simple(j, train, test, target, columns->exposure);
    if (j->count > 2 && !add_linear(j, train, test)) {
        free(j->sheets[2].sum);
        j->sheets[2].sum = NULL;
        j->count = 2;
    }
    return 0;
}

score_summary judgement_of(const judgement *j, size_t sheet)
{
    const double *sum = j->sheets[sheet].sum;
    score_summary s;
    size_t row;
    size_t k;
    memset(&s, 0, sizeof s);
    for (k = 0; k < SCORES; k++) {
        double squares = 0.0;
        s.n = 0;
        for (row = 0; row < j->rows; row++) {
            s.n += j->times[row] > 0.0;
            s.mean[k] += j->times[row] > 0.0 ? sum[row * SCORES + k] / j->times[row] : 0.0;
        }
        s.mean[k] /= (double)s.n;
        for (row = 0; row < j->rows; row++) {
            double apart = j->times[row] > 0.0
                               ? sum[row * SCORES + k] / j->times[row] - s.mean[k]
                               : 0.0;
            squares += apart * apart;
        }
        s.error[k] = sqrt(squares / ((double)s.n - 1.0) / (double)s.n);
    }
    s.rmse = sqrt(s.mean[SCORE_SQUARED]);
    /* By the derivative of the root. */
    s.rmse_error = s.error[SCORE_SQUARED] / (2.0 * s.rmse);
    return s;
}

void judgement_free(judgement *j)
{
    size_t k;
    for (k = 0; k < 3; k++) {
        free(j->sheets[k].sum);
    }
    free(j->times);
    free(j->said);
    memset(j, 0, sizeof *j);
}

void judgement_write_errors(json_writer *json, const judgement *j)
{
    score_summary s = judgement_of(j, 0);
    int digits = json->digits;
    json->digits = JUDGED_DIGITS;
    json_number(json, j->classes ? "accuracy_error" : "rmse_error",
                j->classes ? s.error[SCORE_RIGHT] : s.rmse_error);
    json_number(json, "log_likelihood_error", s.error[SCORE_LOG]);
    json_number(json, j->classes ? "brier_error" : "crps_error", s.error[SCORE_CRPS]);
    if (!j->classes) {
        json_number(json, "coverage_error", s.error[SCORE_COVERED]);
        json_number(json, "width_error", s.error[SCORE_WIDTH]);
    }
    json->digits = digits;
}

/* What a method and a baseline both have. */
static void write_scores(json_writer *json, const judgement *j, const score_summary *s)
{
    json_count(json, "n", s->n);
    json_number(json, j->classes ? "accuracy" : "rmse",
                j->classes ? s->mean[SCORE_RIGHT] : s->rmse);
    json_number(json, j->classes ? "accuracy_error" : "rmse_error",
                j->classes ? s->error[SCORE_RIGHT] : s->rmse_error);
    json_number(json, "log_likelihood", s->mean[SCORE_LOG]);
    json_number(json, "log_likelihood_error", s->error[SCORE_LOG]);
}

void learning_curve_write(json_writer *json, const learning_curve *c, int classes)
{
    int digits = json->digits;
    size_t k;
    judgement kind;
    memset(&kind, 0, sizeof kind);
    kind.classes = classes;
    json->digits = JUDGED_DIGITS;
    json_list(json, "learning_curve");
    for (k = 0; k < CURVE; k++) {
        json_item(json);
        json_count(json, "rows", c->rows[k]);
        write_scores(json, &kind, &c->scores[k]);
        json_object_end(json);
    }
    json_list_end(json);
    json->digits = digits;
}

static void print_scores(const score_summary *s, int classes)
{
    if (classes) {
        printf("accuracy %.2f +- %.2g %%, log loss %.4f +- %.2g", 100.0 * s->mean[SCORE_RIGHT],
               100.0 * s->error[SCORE_RIGHT], -s->mean[SCORE_LOG], s->error[SCORE_LOG]);
    } else {
        printf("RMSE %.6g +- %.2g, mean log density %.4f +- %.2g", s->rmse, s->rmse_error,
               s->mean[SCORE_LOG], s->error[SCORE_LOG]);
    }
}

void learning_curve_print(const learning_curve *c, int classes)
{
    size_t k;
    for (k = 0; k < CURVE; k++) {
        printf("%s%6lu rows: ", k == 0 ? "curve       " : "            ", (unsigned long)c->rows[k]);
        print_scores(&c->scores[k], classes);
        putchar('\n');
    }
}

void judgement_write_baselines(json_writer *json, const judgement *j)
{
    int digits = json->digits;
    size_t k;
    json->digits = JUDGED_DIGITS;
    json_list(json, "baselines");
    for (k = 1; k < j->count; k++) {
        score_summary s = judgement_of(j, k);
        json_item(json);
        json_text(json, "name", j->sheets[k].name);
        write_scores(json, j, &s);
        json_object_end(json);
    }
    json_list_end(json);
    json->digits = digits;
}

void judgement_write_folds(json_writer *json, const judgement *j, size_t folds, size_t repeats)
{
    score_summary s = judgement_of(j, 0);
    int digits = json->digits;
    json->digits = JUDGED_DIGITS;
    json_object(json, "cv");
    json_count(json, "folds", folds);
    json_count(json, "repeats", repeats);
    write_scores(json, j, &s);
    if (j->classes) {
        json_number(json, "brier", s.mean[SCORE_BRIER]);
        json_number(json, "brier_error", s.error[SCORE_BRIER]);
        json_number(json, "calibration_error", j->calibration / (double)j->parts);
        json_number(json, "coverage", j->coverage / (double)j->parts);
    } else {
        json_number(json, "crps", s.mean[SCORE_CRPS]);
        json_number(json, "crps_error", s.error[SCORE_CRPS]);
        json_number(json, "coverage", s.mean[SCORE_COVERED]);
        json_number(json, "coverage_error", s.error[SCORE_COVERED]);
        json_number(json, "width", s.mean[SCORE_WIDTH]);
        json_number(json, "width_error", s.error[SCORE_WIDTH]);
    }
    json_number(json, "seconds", j->seconds);
    json_object_end(json);
    json->digits = digits;
}

static void print_baselines(const judgement *j)
{
    size_t k;
    for (k = 1; k < j->count; k++) {
        score_summary s = judgement_of(j, k);
        if (j->classes) {
            printf("%s%s: accuracy %.2f %%, log loss %.4f\n", k == 1 ? "baselines   " : "            ",
                   j->sheets[k].said, 100.0 * s.mean[SCORE_RIGHT], -s.mean[SCORE_LOG]);
        } else {
            printf("%s%s: RMSE %.6g, mean log density %.4f\n",
                   k == 1 ? "baselines   " : "            ", j->sheets[k].said, s.rmse,
                   s.mean[SCORE_LOG]);
        }
    }
}

void judgement_print(const judgement *j)
{
    score_summary s = judgement_of(j, 0);
    if (j->classes) {
        printf("            standard errors: accuracy %.2g %%, log loss %.2g, Brier score %.2g\n",
               100.0 * s.error[SCORE_RIGHT], s.error[SCORE_LOG], s.error[SCORE_BRIER]);
    } else {
        printf("            standard errors: RMSE %.2g, mean log density %.2g, coverage %.2g %%\n",
               s.rmse_error, s.error[SCORE_LOG], 100.0 * s.error[SCORE_COVERED]);
    }
    print_baselines(j);
}

void judgement_print_folds(const judgement *j, size_t folds, size_t repeats, double level)
{
    score_summary s = judgement_of(j, 0);
    printf("folds       %lu x %lu, %lu rows: ", (unsigned long)repeats, (unsigned long)folds,
           (unsigned long)s.n);
    print_scores(&s, j->classes);
    if (j->classes) {
        printf(",\n            Brier score %.4f +- %.2g, calibration error %.3f\n",
               s.mean[SCORE_BRIER], s.error[SCORE_BRIER], j->calibration / (double)j->parts);
    } else {
        printf("\n            %g %% intervals hold %.1f +- %.2g %% of them, mean width %.6g\n",
               100.0 * level, 100.0 * s.mean[SCORE_COVERED], 100.0 * s.error[SCORE_COVERED],
               s.mean[SCORE_WIDTH]);
    }
    print_baselines(j);
}
