#include "classes.h"

#include "cli.h"
#include "histogram.h"
#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A cell, in quotes where it needs them. */
static void write_cell(FILE *out, const char *before, const char *text)
{
    int quoted = text[strcspn(text, ",\"\r\n")] != '\0';
    fputs(quoted ? "\"" : "", out);
    fputs(before, out);
    for (; *text != '\0'; text++) {
        fputs(*text == '"' ? "\"" : "", out);
        fputc(*text, out);
    }
    fputs(quoted ? "\"" : "", out);
}

static void write_level(FILE *out, const char *before, const schema_column *target, size_t c)
{
    char number[24];
    (void)snprintf(number, sizeof number, "%lu", (unsigned long)c);
    write_cell(out, before, target == NULL || c >= target->levels ? number : target->level[c]);
}

static void write_header(FILE *out, const predictions *p, const schema_column *target,
                         const dataset *rows)
{
    size_t c;
    fputs("class", out);
    for (c = 0; c < p->classes; c++) {
        fputc(',', out);
        write_level(out, "p_", target, c);
    }
    fputs(rows->y == NULL ? ",entropy,mutual_information" : ",entropy,mutual_information,y", out);
    predictions_end_header(out, rows);
}

void classes_write(FILE *out, const predictions *p, const schema_column *target,
                   const dataset *rows)
{
    const double *y = rows->y;
    size_t i;
    size_t c;
    if (rows->table->before == 0) {
        write_header(out, p, target, rows);
    }
    for (i = 0; i < p->n; i++) {
        const double *row = p->probability + i * p->classes;
        size_t top = 0;
        for (c = 1; c < p->classes; c++) {
            top = row[c] > row[top] ? c : top;
        }
        write_level(out, "", target, top);
        for (c = 0; c < p->classes; c++) {
            fprintf(out, ",%.*g", p->digits, row[c]);
        }
        fprintf(out, ",%.*g,%.*g", p->digits, p->entropy[i], p->digits, p->mutual[i]);
        if (y != NULL) {
            fputc(',', out);
            write_level(out, "", target, (size_t)y[i]);
        }
        predictions_end_row(out, rows, i);
    }
}

int noise_rows(dataset *noise, const dataset *range, size_t count, uint64_t seed)
{
    double *low = allocate(2 * range->d, sizeof *low);
    double *high = low == NULL ? NULL : low + range->d;
    size_t i;
    size_t k;
    int code;
    memset(noise, 0, sizeof *noise);
    noise->n = count;
    noise->d = range->d;
    noise->table = range->table;
    noise->target = range->target;
    code = low == NULL ? EXIT_FAILED : dataset_reserve(noise, 0);
    for (i = 0; code == 0 && i < range->n; i++) {
        const double *x = range->x + i * range->d;
        for (k = 0; k < range->d; k++) {
            low[k] = i == 0 || x[k] < low[k] ? x[k] : low[k];
            high[k] = i == 0 || x[k] > high[k] ? x[k] : high[k];
        }
    }
    for (i = 0; code == 0 && i < count; i++) {
        for (k = 0; k < range->d; k++) {
            double u = random_uniform(&seed);
            noise->x[i * range->d + k] = low[k] * (1.0 - u) + high[k] * u;
        }
    }
    free(low);
    return code;
}

double noise_auroc(const double *rows, size_t n, const double *noise, size_t m)
{
    double *sorted = allocate(n, sizeof *sorted);
    double wins = 0.0;
    size_t i;
    if (sorted == NULL) {
        return NAN;
    }
    memcpy(sorted, rows, n * sizeof *sorted);
    qsort(sorted, n, sizeof *sorted, by_value);
    for (i = 0; i < m; i++) {
        size_t ends[2]; /* how many are below, and how many are not above */
        size_t side;
        for (side = 0; side < 2; side++) {
            size_t low = 0;
            size_t high = n;
            while (low < high) {
                size_t middle = low + (high - low) / 2;
                if (sorted[middle] < noise[i] || (side == 1 && sorted[middle] == noise[i])) {
                    low = middle + 1;
                } else {
                    high = middle;
                }
            }
            ends[side] = low;
        }
        wins += 0.5 * (double)(ends[0] + ends[1]);
    }
    free(sorted);
    return wins / ((double)n * (double)m);
}

static double mean_top(const predictions *p)
{
    double sum = 0.0;
    size_t i;
    for (i = 0; i < p->n; i++) {
        sum += p->top[i];
    }
    return sum / (double)p->n;
}

int noise_judge(noise_trial *t, const network_fit *model, const dataset *range,
                const dataset *rows, const predictions *p, uint64_t seed, noise_facts *facts)
{
    int code;
    memset(t, 0, sizeof *t);
    code = noise_rows(&t->noise, range, p->n, seed);
    THEN(code, model_predict(model->model, model->model_bytes, &t->noise, p->level, &t->said));
    if (code == 0 && model->point != NULL) {
        code = model_predict(model->point, model->point_bytes, rows, p->level, &t->point);
        THEN(code, model_predict(model->point, model->point_bytes, &t->noise, p->level,
                                 &t->point_said));
    }
    if (code == 0) {
        facts->n = t->said.n;
        facts->auroc_entropy = noise_auroc(p->entropy, p->n, t->said.entropy, t->said.n);
        facts->auroc_mutual = noise_auroc(p->mutual, p->n, t->said.mutual, t->said.n);
        facts->top = mean_top(&t->said);
        facts->point_top = model->point == NULL ? NAN : mean_top(&t->point_said);
    }
    return code;
}

void noise_free(noise_trial *t)
{
    predictions_free(&t->point_said);
    predictions_free(&t->point);
    predictions_free(&t->said);
    dataset_free(&t->noise);
}

void noise_plot(FILE *out, const char *target, const char *kind, const noise_trial *t,
                const predictions *p)
{
    histogram_panel panels[2];
    char title[160];
    char subtitle[160];
    size_t count = 0;
    if (t->point.n > 0) {
        panels[count].name = "Point fit";
        panels[count].rows = t->point.top;
        panels[count].noise = t->point_said.top;
        panels[count].n = p->n;
        count++;
    }
    panels[count].name = "Posterior";
    panels[count].rows = p->top;
    panels[count].noise = t->said.top;
    panels[count].n = p->n;
    (void)snprintf(title, sizeof title, "%s: how sure of its class", target);
    (void)snprintf(subtitle, sizeof subtitle,
                   "%lu %s rows: accuracy %.1f %%, calibration error %.3f", (unsigned long)p->n,
                   kind, 100.0 * p->scored.accuracy, p->scored.calibration);
    histogram_write(out, title, subtitle, kind, p->classes, panels, count + 1);
}
