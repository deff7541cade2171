#include "relevance.h"

#include "cli.h"
#include "effects.h"
#include "model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROWS = 200, MOST_PRINTED = 8 };

/* Deals the columns that an input became to other rows, of those as they were. */
static void deal(dataset *dealt, const dataset *rows, const size_t *order, size_t column)
{
    size_t i;
    size_t k;
    memcpy(dealt->x, rows->x, rows->n * rows->d * sizeof *rows->x);
    for (k = 0; k < rows->d; k++) {
        for (i = 0; rows->source[k] == column && i < rows->n; i++) {
            dealt->x[i * rows->d + k] = rows->x[order[i] * rows->d + k];
        }
    }
}

/* The root mean square over rows, and its standard error by the derivative of the root. */
static double moved(const predictions *p, const predictions *q, double *error)
{
    size_t width = p->classes > 0 ? p->classes : 1;
    const double *a = p->classes > 0 ? p->probability : p->mean;
    const double *b = p->classes > 0 ? q->probability : q->mean;
    /* Of classes what one gains another loses. */
    double count = (double)p->n * (p->classes > 0 ? 2.0 : 1.0);
    double n = (double)p->n;
    double squares = 0.0;
    double fourths = 0.0;
    double root;
    size_t i;
    size_t k;
    for (i = 0; a != NULL && b != NULL && i < p->n; i++) {
        double square = 0.0;
        for (k = i * width; k < (i + 1) * width; k++) {
            square += (a[k] - b[k]) * (a[k] - b[k]);
        }
        squares += square;
        fourths += square * square;
    }
    root = sqrt(squares / count);
    /* Of the mean of count / n per row. */
    fourths = sqrt(fmax(fourths - squares * squares / n, 0.0) / (n * (n - 1.0))) * n / count;
    *error = root > 0.0 ? fourths / (2.0 * root) : 0.0;
    return root;
}

/* Probabilities, or means alone: intervals take a hundred times as long. */
static int predict(const void *image, size_t bytes, const dataset *rows, predictions *p)
{
    subject s;
    double *all;
    size_t i;
    size_t k;
    int code;
    memset(&s, 0, sizeof s);
    memset(p, 0, sizeof *p);
    code = checked("the model", lcc_model_check(image, bytes, &s.info));
    if (code != 0 || model_of_classes(&s.info)) {
        return code != 0 ? code : model_predict(image, bytes, rows, 0.9, p);
    }
    s.image = image;
    s.bytes = bytes;
    s.curves = 1;
    p->n = rows->n;
    p->mean = allocate(rows->n, sizeof *p->mean);
    all = allocate(rows->n * s.info.draws, sizeof *all);
    code = p->mean == NULL || all == NULL ? EXIT_FAILED : subject_function(&s, rows, 0, all);
    for (i = 0; code == 0 && i < rows->n; i++) {
        p->mean[i] = 0.0;
        for (k = 0; k < s.info.draws; k++) {
            p->mean[i] += all[i * s.info.draws + k] / (double)s.info.draws;
        }
    }
    free(all);
    return code;
}

static int tell(const void *image, size_t bytes, const dataset *some, uint64_t seed, double scale,
                relevance *told)
{
    size_t *order = allocate(some->n, sizeof *order);
    dataset dealt;
    predictions p;
    predictions q;
    size_t k;
    int code = order == NULL ? EXIT_FAILED : 0;
    memset(&p, 0, sizeof p);
    memset(&dealt, 0, sizeof dealt);
    if (code == 0) {
        random_order(seed, order, some->n);
    }
    THEN(code, dataset_rows(&dealt, some, order, some->n));
    THEN(code, predict(image, bytes, some, &p));
    for (k = 0; k < told->columns->count && code == 0; k++) {
        deal(&dealt, some, order, csv_column(some->table, told->columns->inputs[k].name));
        code = predict(image, bytes, &dealt, &q);
        if (code == 0) {
            double unit = p.classes > 0 ? 1.0 : scale;
            told->moves[k] = moved(&p, &q, &told->errors[k]) / unit;
            told->errors[k] /= unit;
            told->classes = p.classes > 0;
        }
        predictions_free(&q);
    }
    predictions_free(&p);
    dataset_free(&dealt);
    free(order);
    return code;
}

int relevance_tell(const void *image, size_t bytes, const dataset *rows, const schema *columns,
                   uint64_t seed, relevance *told)
{
    double scale = dataset_target_sd(rows);
    dataset some;
    int code;
    memset(told, 0, sizeof *told);
    memset(&some, 0, sizeof some);
    if (rows->n < 2 || !(scale > 0.0)) {
        return 0;
    }
    told->columns = columns;
    told->moves = allocate(2 * columns->count, sizeof *told->moves);
    told->errors = told->moves == NULL ? NULL : told->moves + columns->count;
    code = told->moves == NULL ? EXIT_FAILED : dataset_spread(&some, rows, MOST_ROWS);
    THEN(code, tell(image, bytes, &some, seed, scale, told));
    dataset_free(&some);
    return code;
}

void relevance_free(relevance *told)
{
    free(told->moves);
    told->moves = NULL;
}

size_t relevance_largest(const relevance *told, size_t k)
{
    size_t i;
    size_t j;
    for (i = 0; i < told->columns->count; i++) {
        size_t before = 0;
        for (j = 0; j < told->columns->count; j++) {
            before += told->moves[j] > told->moves[i] || (told->moves[j] == told->moves[i] && j < i);
        }
        if (before == k) {
            return i;
        }
    }
    return 0;
}

void relevance_write(json_writer *json, const relevance *told)
{
    size_t k;
    if (told->moves == NULL) {
        return;
    }
    json_list(json, "inputs");
    for (k = 0; k < told->columns->count; k++) {
        size_t i = relevance_largest(told, k);
        json_item(json);
        json_text(json, "name", told->columns->inputs[i].name);
        json_number(json, "moves", told->moves[i]);
        json_object_end(json);
    }
    json_list_end(json);
}

void relevance_print(const relevance *told)
{
    size_t count = told->moves == NULL ? 0 : told->columns->count;
    size_t k;
    if (count == 0) {
        return;
    }
    printf("inputs      dealt to other rows they move %s by:\n           ",
           told->classes ? "the probability of a class" : "predictions, in sds of the target,");
    for (k = 0; k < count && k < MOST_PRINTED; k++) {
        size_t i = relevance_largest(told, k);
        printf(" %s %.2f%s", told->columns->inputs[i].name, told->moves[i],
               k + 1 < count ? "," : "");
    }
    printf("%s\n", count > MOST_PRINTED ? " ..." : "");
}
