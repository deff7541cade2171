#include "predictions.h"

#include "cli.h"
#include "judge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

int predictions_reserve(predictions *p, size_t n, int with_scores)
{
    memset(p, 0, sizeof *p);
    p->n = n;
    p->mean = allocate(n, sizeof *p->mean);
    p->sd = allocate(n, sizeof *p->sd);
    p->lower = allocate(n, sizeof *p->lower);
    p->upper = allocate(n, sizeof *p->upper);
    p->log_density = with_scores ? allocate(n, sizeof *p->log_density) : NULL;
    p->crps = with_scores ? allocate(n, sizeof *p->crps) : NULL;
    if (p->mean == NULL || p->sd == NULL || p->lower == NULL || p->upper == NULL ||
        (with_scores && (p->log_density == NULL || p->crps == NULL))) {
        predictions_free(p);
        return EXIT_FAILED;
    }
    return 0;
}

int predictions_reserve_classes(predictions *p, size_t n, size_t classes)
{
    memset(p, 0, sizeof *p);
    p->n = n;
    p->classes = classes;
    p->probability = allocate(n * classes, sizeof *p->probability);
    p->entropy = allocate(n, sizeof *p->entropy);
    p->mutual = allocate(n, sizeof *p->mutual);
    p->top = allocate(n, sizeof *p->top);
    if (p->probability == NULL || p->entropy == NULL || p->mutual == NULL || p->top == NULL) {
        predictions_free(p);
        return EXIT_FAILED;
    }
    return 0;
}

void predictions_free(predictions *p)
{
    free(p->mean);
    free(p->sd);
    free(p->lower);
    free(p->upper);
    free(p->log_density);
    free(p->crps);
    free(p->more);
    free(p->probability);
    free(p->entropy);
    free(p->mutual);
    free(p->top);
    memset(p, 0, sizeof *p);
}

void predictions_end_header(FILE *out, const dataset *rows)
{
    fputs(rows->outside == NULL ? ",row\n" : ",row,extrapolates\n", out);
}

void predictions_end_row(FILE *out, const dataset *rows, size_t i)
{
    fprintf(out, ",%lu", (unsigned long)(rows->table->before + rows->origin[i]) + 1);
    if (rows->outside != NULL) {
        fprintf(out, ",%u", rows->outside[i]);
    }
    fputc('\n', out);
}

void predictions_write(FILE *out, const predictions *p, const dataset *rows)
{
    const double *y = rows->y;
    size_t i;
    size_t k;
    if (rows->table->before == 0) {
        fputs(y == NULL ? "mean,sd,lower,upper" : "mean,sd,lower,upper,y", out);
        fputs(p->more == NULL ? "" : p->more_names, out);
        predictions_end_header(out, rows);
    }
    for (i = 0; i < p->n; i++) {
        fprintf(out, "%.*g,%.*g,%.*g,%.*g", p->digits, p->mean[i], p->digits, p->sd[i],
                p->digits, p->lower[i], p->digits, p->upper[i]);
        if (y != NULL) {
            fprintf(out, ",%.*g", p->digits, y[i]);
        }
        for (k = 0; p->more != NULL && k < p->more_columns; k++) {
            fprintf(out, ",%.*g", p->digits, p->more[i * p->more_columns + k]);
        }
        predictions_end_row(out, rows, i);
    }
}

evaluation predictions_evaluate(const predictions *p, const double *y)
{
    evaluation e;
    double squares = 0.0;
    double densities = 0.0;
    double widths = 0.0;
    double crps = 0.0;
    size_t hits = 0;
    size_t zeros = 0;
    size_t positive = 0;
    size_t covered = 0;
    int whole = 1;
    size_t i;
    memset(&e, 0, sizeof e);
    e.n = p->n;
    if (p->classes > 0) {
        e.classes = 1;
        e.scored = p->scored;
        e.log_likelihood = p->scored.log_likelihood;
        return e;
    }
    for (i = 0; i < p->n; i++) {
        double residual = y[i] - p->mean[i];
        squares += residual * residual;
        densities += p->log_density[i];
        crps += p->crps[i];
        widths += p->upper[i] - p->lower[i];
        size_t inside = y[i] >= p->lower[i] && y[i] <= p->upper[i];
        hits += inside;
        zeros += y[i] == 0.0;
        whole = whole && floor(y[i]) == y[i];
        positive += y[i] > 0.0;
        covered += y[i] > 0.0 && inside;
    }
    if (!whole && zeros + positive == p->n && 5 * zeros >= p->n && positive > 0) {
        e.positive = positive;
        e.covered = (double)covered / (double)positive;
    }
    e.rmse = sqrt(squares / (double)p->n);
    e.log_likelihood = densities / (double)p->n;
    e.coverage = (double)hits / (double)p->n;
    e.width = widths / (double)p->n;
    e.crps = crps / (double)p->n;
    return e;
}

static void write_classes(json_writer *json, const evaluation *e)
{
    const class_scores *s = &e->scored;
    json_number(json, "accuracy", s->accuracy);
    json_number(json, "log_loss", -s->log_likelihood);
    json_number(json, "log_likelihood", s->log_likelihood);
    json_number(json, "brier", s->brier);
    json_number(json, "ranked", s->ranked);
    json_number(json, "calibration_error", s->calibration);
    json_number(json, "coverage", s->coverage);
    json_number(json, "set_size", s->set_size);
    json_number(json, "entropy", s->entropy);
    json_number(json, "mutual_information", s->mutual);
    if (e->noise.n == 0) {
        json_null(json, "noise");
        return;
    }
    json_object(json, "noise");
    json_count(json, "n", e->noise.n);
    json_number(json, "auroc_entropy", e->noise.auroc_entropy);
    json_number(json, "auroc_mutual_information", e->noise.auroc_mutual);
    json_number(json, "top", e->noise.top);
    json_number(json, "point_top", e->noise.point_top);
    json_object_end(json);
}

void evaluation_write(json_writer *json, const evaluation *e, int with_crps)
{
    if (e->classes) {
        write_classes(json, e);
        return;
    }
    json_number(json, "rmse", e->rmse);
    json_number(json, "log_likelihood", e->log_likelihood);
    json_number(json, "coverage", e->coverage);
    json_number(json, "width", e->width);
    if (e->positive > 0) {
        json_number(json, "coverage_above_zero", e->covered);
    }
    if (with_crps) {
        json_number(json, "crps", e->crps);
    }
}

void evaluation_write_test(json_writer *json, const evaluation *e, const struct judgement *judged)
{
    if (e == NULL) {
        json_null(json, "test");
        return;
    }
    json_object(json, "test");
    json_count(json, "n", e->n);
    evaluation_write(json, e, 1);
    if (judged != NULL) {
        judgement_write_errors(json, judged);
    }
    json_object_end(json);
}

void evaluation_print(const char *what, const evaluation *e, double level)
{
    if (e->classes) {
        const class_scores *s = &e->scored;
        printf("%s%lu rows: accuracy %.2f %%, log loss %.4f, Brier score %.4f, calibration error "
               "%.3f\n",
               what, (unsigned long)e->n, 100.0 * s->accuracy, -s->log_likelihood, s->brier,
               s->calibration);
        printf("            %g %% sets hold %.1f %% of the classes, %.2f classes a set\n",
               100.0 * level, 100.0 * s->coverage, s->set_size);
        if (e->noise.n > 0) {
            printf("noise       told from these rows (AUROC) %.3f by entropy, %.3f by mutual "
                   "information\n",
                   e->noise.auroc_entropy, e->noise.auroc_mutual);
            printf("            largest probability there %.3f", e->noise.top);
            if (e->noise.point_top == e->noise.point_top) {
                printf(", of the point fit %.3f", e->noise.point_top);
            }
            fputc('\n', stdout);
        }
        return;
    }
    printf("%s%lu rows: RMSE %.6g, mean log density %.4f\n", what, (unsigned long)e->n, e->rmse,
           e->log_likelihood);
    printf("            %g %% intervals hold %.1f %% of them, mean width %.6g\n", 100.0 * level,
           100.0 * e->coverage, e->width);
    if (e->positive > 0) {
        printf("            and %.1f %% of the %lu above 0\n", 100.0 * e->covered, (unsigned long)e->positive);
    }
}
