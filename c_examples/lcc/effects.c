#include "effects.h"

#include "cli.h"
#include "view.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_POINTS = 25, MOST_WORDS = 12, SIDE = 18 };

/* The class that a curve is of: of two the second. */
static size_t class_of(const subject *s, size_t curve)
{
    return s->curves == 1 ? 1 : curve;
}

/* What a function of the library tells of each row under each draw. */
static int told(const subject *s, const dataset *rows,
                int32_t (*tell)(const uint8_t *, size_t, const lcc_data_f64 *, uint8_t *, size_t, double *, size_t),
                double *out)
{
    static const char doing[] = "the draws";
    lcc_data_f64 view;
    room scratch;
    int code = room_make(&scratch, doing,
                         lcc_model_scratch_f64(s->image, s->bytes, &scratch.bytes));
    memset(&view, 0, sizeof view);
    THEN(code, view_f64(rows, &view));
    THEN(code, checked(doing, tell(s->image, s->bytes, &view, scratch.at, scratch.bytes, out,
                                   rows->n * s->info.draws)));
    view_free_f64(&view);
    room_free(&scratch);
    return code;
}

int subject_densities(const subject *s, const dataset *rows, double *out)
{
    return told(s, rows, lcc_model_log_likelihood_f64, out);
}

int subject_function(const subject *s, const dataset *rows, size_t curve, double *out)
{
    size_t count = rows->n * s->info.draws;
    dataset own = *rows;
    size_t i;
    int code = 0;
    if (!s->classes) {
        own.y = NULL;
        return told(s, &own, lcc_model_function_f64, out);
    }
    own.y = allocate(rows->n, sizeof *own.y);
    code = own.y == NULL ? EXIT_FAILED : 0;
    for (i = 0; code == 0 && i < rows->n; i++) {
        own.y[i] = (double)class_of(s, curve);
    }
    THEN(code, subject_densities(s, &own, out));
    for (i = 0; code == 0 && i < count; i++) {
        out[i] = exp(out[i]);
    }
    free(own.y);
    return code;
}

int subject_quantiles(const subject *s, const dataset *rows, const double *p, size_t levels,
                      double *out)
{
    static const char doing[] = "quantiles";
    lcc_data_f64 view;
    room scratch;
    int code = room_make(&scratch, doing,
                         lcc_model_scratch_f64(s->image, s->bytes, &scratch.bytes));
    memset(&view, 0, sizeof view);
    THEN(code, view_f64(rows, &view));
    THEN(code, checked(doing, lcc_model_quantile_f64(s->image, s->bytes, &view, p, levels,
                                                     scratch.at, scratch.bytes, out,
                                                     rows->n * levels)));
    view_free_f64(&view);
    room_free(&scratch);
    return code;
}

/* Where an input is looked at: levels, or numbers from the least to the greatest that trained. */
static double *grid(const schema_column *c, size_t most, size_t *count)
{
    double *at = allocate(most, sizeof *at);
    size_t i;
    *count = c->levels == 0 ? (c->least < c->greatest ? most : 0)
                            : (c->levels < MOST_WORDS ? c->levels : MOST_WORDS);
    *count = *count < most ? *count : most;
    for (i = 0; at != NULL && i < *count; i++) {
        double share = (double)i / (double)(most - 1);
        at[i] = c->levels > 0 ? (double)i : c->least * (1.0 - share) + c->greatest * share;
    }
    return at;
}

/* The draws' means over rows that have these inputs at these values. `moved` and `all` are work. */
static int at_values(const subject *s, const dataset *rows, const size_t *inputs,
                     const double *values, size_t count, size_t curve, dataset *moved, double *all,
                     double *means)
{
    size_t draws = s->info.draws;
    size_t i;
    size_t k;
    int code;
    memcpy(moved->x, rows->x, rows->n * rows->d * sizeof *rows->x);
    for (k = 0; k < count; k++) {
        size_t place = schema_place(s->columns, inputs[k]);
        for (i = 0; i < rows->n; i++) {
            schema_put(&s->columns->inputs[inputs[k]], values[k], moved->x + i * rows->d + place);
        }
    }
    code = subject_function(s, moved, curve, all);
    for (k = 0; k < draws; k++) {
        means[k] = 0.0;
        for (i = 0; code == 0 && i < rows->n; i++) {
            means[k] += all[i * draws + k] / (double)rows->n;
        }
    }
    return code;
}

/* What both need: a copy of the rows to move, and room for draws. */
typedef struct {
    dataset moved;
    double *all;
    double *means;
} bench;

static int bench_make(bench *b, const subject *s, const dataset *rows)
{
    int code;
    memset(b, 0, sizeof *b);
    code = dataset_spread(&b->moved, rows, rows->n);
    b->all = allocate(rows->n * s->info.draws, sizeof *b->all);
    b->means = allocate(s->info.draws, sizeof *b->means);
    return code == 0 && b->all != NULL && b->means != NULL ? 0 : EXIT_FAILED;
}

static void bench_free(bench *b)
{
    dataset_free(&b->moved);
    free(b->all);
    free(b->means);
}

static double mean_of(const double *v, size_t n, double *sd)
{
    double mean = 0.0;
    double squares = 0.0;
    size_t i;
    for (i = 0; i < n; i++) {
        mean += v[i] / (double)n;
    }
    for (i = 0; i < n; i++) {
        squares += (v[i] - mean) * (v[i] - mean) / (double)n;
    }
    *sd = sqrt(squares);
    return mean;
}

static void find_deciles(const dataset *rows, size_t column, double *work, double decile[9])
{
    size_t i;
    for (i = 0; i < rows->n; i++) {
        work[i] = rows->x[i * rows->d + column];
    }
    qsort(work, rows->n, sizeof *work, by_value);
    for (i = 0; i < 9; i++) {
        decile[i] = work[(size_t)((double)(i + 1) / 10.0 * (double)(rows->n - 1) + 0.5)];
    }
}

int effect_tell(const subject *s, const dataset *rows, size_t input, effect *e)
{
    const size_t most = MOST_POINTS;
    size_t draws = s->info.draws;
    bench b;
    size_t curve;
    size_t i;
    double sd;
    int code;
    memset(e, 0, sizeof *e);
    e->at = grid(&s->columns->inputs[input], most, &e->count);
    e->mean = allocate(3 * s->curves * most, sizeof *e->mean);
    code = bench_make(&b, s, rows);
    THEN(code, e->at == NULL || e->mean == NULL ? EXIT_FAILED : 0);
    if (code == 0) {
        e->low = e->mean + s->curves * most;
        e->high = e->low + s->curves * most;
        find_deciles(rows, schema_place(s->columns, input), b.all, e->decile);
    }
    for (curve = 0; code == 0 && curve < s->curves; curve++) {
        double *mean = e->mean + curve * e->count;
        double least = HUGE_VAL;
        double greatest = -HUGE_VAL;
        for (i = 0; code == 0 && i < e->count; i++) {
            code = at_values(s, rows, &input, &e->at[i], 1, curve, &b.moved, b.all, b.means);
            mean[i] = mean_of(b.means, draws, &sd);
            least = fmin(least, mean[i]);
            greatest = fmax(greatest, mean[i]);
            qsort(b.means, draws, sizeof *b.means, by_value);
            e->low[curve * e->count + i] = b.means[(size_t)(0.05 * (double)(draws - 1) + 0.5)];
            e->high[curve * e->count + i] = b.means[(size_t)(0.95 * (double)(draws - 1) + 0.5)];
        }
        e->move = e->count > 0 ? fmax(e->move, greatest - least) : 0.0;
    }
    bench_free(&b);
    return code;
}

void effect_free(effect *e)
{
    free(e->at);
    free(e->mean);
    memset(e, 0, sizeof *e);
}

int surface_tell(const subject *s, const dataset *rows, size_t across, size_t up, surface *f)
{
    const size_t inputs[2] = {across, up};
    bench b;
    size_t i;
    size_t j;
    int code;
    memset(f, 0, sizeof *f);
    for (i = 0; i < 2; i++) {
        f->at[i] = grid(&s->columns->inputs[inputs[i]], SIDE, &f->count[i]);
    }
    f->mean = allocate(2 * SIDE * SIDE, sizeof *f->mean);
    code = bench_make(&b, s, rows);
    THEN(code, f->at[0] == NULL || f->at[1] == NULL || f->mean == NULL ? EXIT_FAILED : 0);
    f->sd = code == 0 ? f->mean + SIDE * SIDE : NULL;
    for (i = 0; code == 0 && i < f->count[1]; i++) {
        for (j = 0; code == 0 && j < f->count[0]; j++) {
            const double values[2] = {f->at[0][j], f->at[1][i]};
            size_t at = i * f->count[0] + j;
            code = at_values(s, rows, inputs, values, 2, 0, &b.moved, b.all, b.means);
            f->mean[at] = mean_of(b.means, s->info.draws, &f->sd[at]);
        }
    }
    bench_free(&b);
    return code;
}

void surface_free(surface *f)
{
    free(f->at[0]);
    free(f->at[1]);
    free(f->mean);
    memset(f, 0, sizeof *f);
}
