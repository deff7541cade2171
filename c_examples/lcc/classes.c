#include "classes.h"

#include "cli.h"
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

void classes_write(FILE *out, const predictions *p, const schema_column *target, const double *y)
{
    size_t i;
    size_t c;
    fputs("class", out);
    for (c = 0; c < p->classes; c++) {
        fputc(',', out);
        write_level(out, "p_", target, c);
    }
    fputs(y == NULL ? ",entropy,mutual_information\n" : ",entropy,mutual_information,y\n", out);
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
        fputc('\n', out);
    }
}

/* SplitMix64 (Steele, Lea and Flood 2014). */
static double uniform(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
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
            double u = uniform(&seed);
            noise->x[i * range->d + k] = low[k] * (1.0 - u) + high[k] * u;
        }
    }
    free(low);
    return code;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
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

int noise_judge(const void *image, size_t bytes, const dataset *range, const predictions *p,
                uint64_t seed, noise_facts *facts)
{
    dataset noise;
    predictions said;
    size_t i;
    int code = noise_rows(&noise, range, p->n, seed);
    memset(&said, 0, sizeof said);
    THEN(code, model_predict(image, bytes, &noise, p->level, &said));
    if (code == 0) {
        facts->n = said.n;
        facts->auroc_entropy = noise_auroc(p->entropy, p->n, said.entropy, said.n);
        facts->auroc_mutual = noise_auroc(p->mutual, p->n, said.mutual, said.n);
        facts->top = 0.0;
        for (i = 0; i < said.n; i++) {
            facts->top += said.top[i] / (double)said.n;
        }
    }
    predictions_free(&said);
    dataset_free(&noise);
    return code;
}
