#include "target.h"

#include "args.h"
#include "cli.h"
#include "names.h"

#include <lcc.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Classes that are numbers are no more than these. */
enum { MOST_GUESSED = 20 };

/* By the LCC_OUTPUT_ codes; behind them what stands for whichever suits. */
static const char *const outputs_by_name[] = {
    "student-t", "gaussian", "mean-variance", "mixture", "bernoulli", "softmax",
    "poisson", "negative-binomial", "ordinal", "log-normal", "hurdle-log-normal", "regression", "classes", "counts", NULL};
enum { NAMED_REGRESSION = LCC_OUTPUT_HURDLE_LOG_NORMAL + 1, NAMED_CLASSES, NAMED_COUNTS };

/* The values of a target. */
typedef struct {
    size_t numbers;
    size_t words;
    size_t distinct; /* up to one more than MOST_GUESSED */
    double value[MOST_GUESSED + 1];
    size_t count[MOST_GUESSED + 1];
    int whole; /* all are, and none is below 0 */
} facts;

static void note_value(facts *f, double value)
{
    size_t k = 0;
    f->numbers++;
    f->whole = f->whole && value >= 0.0 && floor(value) == value;
    while (k < f->distinct && f->value[k] != value) {
        k++;
    }
    if (k == f->distinct && k <= MOST_GUESSED) {
        f->value[k] = value;
        f->count[k] = 0;
        f->distinct++;
    }
    if (k <= MOST_GUESSED) {
        f->count[k]++;
    }
}

static void note_all(facts *f, const row_list *from, size_t column)
{
    size_t i;
    memset(f, 0, sizeof *f);
    f->whole = 1;
    for (i = 0; i < from->count; i++) {
        const char *cell = csv_cell(from->table, from->rows[i], column);
        double value;
        if (csv_missing(cell)) {
            continue;
        }
        if (args_real(cell, &value)) {
            note_value(f, value);
        } else if (!csv_numeric(cell)) {
            f->words++;
        }
    }
}

/* Whether whole numbers are surely names: 0 or 1 and on without a gap, each at least half as frequent as the
 * average, and five times. Counts have rare values at their end, measurements gaps. */
static int number_classes(const facts *f)
{
    double least = f->value[0];
    double most = f->value[0];
    size_t k;
    if (!f->whole || f->distinct > MOST_GUESSED) {
        return 0;
    }
    for (k = 0; k < f->distinct; k++) {
        least = fmin(least, f->value[k]);
        most = fmax(most, f->value[k]);
        if (f->count[k] < 5 || 2 * f->count[k] * f->distinct < f->numbers) {
            return 0;
        }
    }
    return least <= 1.0 && most - least == (double)(f->distinct - 1);
}

static target_kind guess(const facts *f, int exposed)
{
    if (exposed) {
        return TARGET_COUNTS;
    }
    /* Words among numbers are refused later, by name. */
    if (f->numbers == 0 || (f->words == 0 && (f->distinct == 2 || number_classes(f)))) {
        return f->numbers + f->words == 0 ? TARGET_REAL : TARGET_CLASSES;
    }
    return TARGET_REAL;
}

int target_choose(const char *given, const char *exposure, const row_list *from, size_t column,
                  target_choice *out)
{
    facts f;
    int32_t named;
    int code = 0;
    note_all(&f, from, column);
    out->guessed = given == NULL;
    out->open = 0;
    out->ahead = 0.0;
    out->error = 0.0;
    out->whole = f.whole && f.words == 0;
    if (given == NULL) {
        out->kind = guess(&f, exposure != NULL);
        named = out->kind == TARGET_REAL      ? NAMED_REGRESSION
                : out->kind == TARGET_CLASSES ? NAMED_CLASSES
                                              : NAMED_COUNTS;
    } else {
        code = names_choose("--output", given, outputs_by_name, &named);
    }
    if (code != 0) {
        return code;
    }
    switch (named) {
    case NAMED_CLASSES:
    case LCC_OUTPUT_BERNOULLI:
    case LCC_OUTPUT_SOFTMAX:
    case LCC_OUTPUT_ORDINAL:
        out->kind = TARGET_CLASSES;
        out->output = named == NAMED_CLASSES ? -1 : named;
        break;
    case NAMED_COUNTS:
    case LCC_OUTPUT_POISSON:
    case LCC_OUTPUT_NEGATIVE_BINOMIAL:
        out->kind = TARGET_COUNTS;
        out->output = named == NAMED_COUNTS ? LCC_OUTPUT_NEGATIVE_BINOMIAL : named;
        break;
    default:
        out->kind = TARGET_REAL;
        out->open = named == NAMED_REGRESSION;
        out->output = named == NAMED_REGRESSION ? LCC_OUTPUT_STUDENT_T : named;
    }
    return exposure != NULL && out->kind != TARGET_COUNTS
               ? wrong_usage("fit: --exposure is for counts, not for --output %s", given)
               : 0;
}

int target_settle(target_choice *choice, const schema *columns)
{
    size_t classes = columns->target.levels;
    if (choice->kind != TARGET_CLASSES) {
        return 0;
    }
    if (choice->output < 0) {
        choice->output = classes == 2 ? LCC_OUTPUT_BERNOULLI : LCC_OUTPUT_SOFTMAX;
    }
    return choice->output == LCC_OUTPUT_BERNOULLI && classes != 2
               ? fail("the target \"%s\" has %lu classes, bernoulli takes two (--output classes)",
                      columns->target.name, (unsigned long)classes)
               : 0;
}

int target_check(const target_choice *choice, const dataset *rows)
{
    size_t i;
    for (i = 0; rows->y != NULL && i < rows->n; i++) {
        double y = rows->y[i];
        const char *not = choice->kind == TARGET_COUNTS && (y < 0.0 || floor(y) != y)
                              ? "is no count: counts are whole numbers from 0"
                          : choice->output == LCC_OUTPUT_LOG_NORMAL && !(y > 0.0)
                              ? "is not above 0, as log-normal numbers are (0 among them: --output hurdle-log-normal)"
                          : choice->output == LCC_OUTPUT_HURDLE_LOG_NORMAL && y < 0.0
                              ? "is below 0, which no log-normal number is"
                              : NULL;
        if (not != NULL) {
            return csv_refuse(rows->table, rows->origin[i], rows->target, not);
        }
    }
    return 0;
}

void target_say(const target_choice *choice, const schema *columns, char *text, size_t capacity)
{
    const schema_column *t = &columns->target;
    const char *output = outputs_by_name[choice->output];
    const char *other = "";
    if (choice->guessed) {
        other = choice->kind == TARGET_CLASSES ? " (--output regression: numbers)"
                : choice->kind == TARGET_COUNTS ? " (--output poisson: without overdispersion)"
                : choice->whole                 ? " (--output counts or classes, if they are such)"
                                                : "";
    }
    if (choice->kind == TARGET_CLASSES) {
        double value;
        other = args_real(t->level[0], &value) ? other : "";
        (void)snprintf(text, capacity, "%s: %lu classes, %.40s%s%.40s, by %s%s", t->name,
                       (unsigned long)t->levels, t->level[0], t->levels == 2 ? " and " : " to ",
                       t->level[t->levels - 1], output, other);
    } else if (choice->ahead > 0.0) {
        (void)snprintf(text, capacity,
                       "%s: numbers, by %s: %s, %.0f +- %.0f nats\n            ahead of student-t on held-out rows "
                       "(--output student-t: without)",
                       t->name, output,
                       choice->output == LCC_OUTPUT_MIXTURE      ? "they come from several laws"
                       : choice->output == LCC_OUTPUT_LOG_NORMAL ? "the noise grows with the number"
                                                                 : "the noise differs from row to row",
                       choice->ahead, choice->error);
    } else if (choice->open && choice->output == LCC_OUTPUT_HURDLE_LOG_NORMAL) {
        (void)snprintf(text, capacity,
                       "%s: numbers, many of them 0, by %s: whether it is 0, and how large it is else\n            "
                       "(--output student-t: without)",
                       t->name, output);
    } else {
        (void)snprintf(text, capacity, "%s: %s, by %s%s", t->name,
                       choice->kind == TARGET_COUNTS ? "counts" : "numbers", output, other);
    }
}
