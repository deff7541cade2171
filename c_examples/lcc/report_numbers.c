#include "chart.h"
#include "linear.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Quantiles in twentieths, and the ends of wider intervals. */
enum { BINS = 20, WIDER = 4, LEVELS = BINS - 1 + WIDER };

/* The error of linear regression on the same rows, each told by a fit to all others; NaN where there is none. By one fit
 * (Allen 1974): with p parameters and the noise s^2 its variances s^2 (1 + h) sum to s^2 (n + p), its squared residuals
 * to s^2 (n - p), and a residual without its own row is that with it over 1 - h. */
static double linear_error(const dataset *rows)
{
    double n = (double)rows->n;
    double *mean = allocate(2 * rows->n, sizeof *mean);
    double *variance = mean == NULL ? NULL : mean + rows->n;
    double twice = 0.0;
    double squares = 0.0;
    size_t i;
    int known = mean != NULL && linear_predict(rows, rows, mean, variance);
    for (i = 0; known && i < rows->n; i++) {
        twice += variance[i] + (rows->y[i] - mean[i]) * (rows->y[i] - mean[i]);
    }
    for (i = 0; known && i < rows->n; i++) {
        double error = (rows->y[i] - mean[i]) / (2.0 - 2.0 * n * variance[i] / twice);
        squares += error * error;
    }
    free(mean);
    return known ? sqrt(squares / n) : (double)NAN;
}

static void write_scores(const report *r, FILE *out)
{
    const double *y = r->data.rows.y;
    const predictions *p = &r->p;
    const evaluation *e = &r->scores;
    double n = (double)p->n;
    double sd = dataset_target_sd(&r->data.rows);
    double linear = linear_error(&r->data.rows);
    double fourths = 0.0;
    number_text a;
    number_text b;
    size_t i;
    for (i = 0; i < p->n; i++) {
        double square = (y[i] - p->mean[i]) * (y[i] - p->mean[i]);
        fourths += (square - e->rmse * e->rmse) * (square - e->rmse * e->rmse);
    }
    page_table(out, NULL);
    page_fact(out, "Typical error (RMSE)", "%s \302\261 %s", page_number(a, e->rmse),
              page_number(b, e->rmse > 0.0 ? sqrt(fourths) / n / (2.0 * e->rmse) : 0.0));
    page_fact(out, "Typical error of their mean", "%s",
              page_number(a, sd));
    if (linear == linear) {
        page_fact(out, "Typical error of linear regression", "%s, each row told by the others",
                  page_number(a, linear));
    }
    if (sd > 0.0) {
        page_fact(out, "Share of the variance explained", "%.1f %%",
                  100.0 * (1.0 - e->rmse * e->rmse / (sd * sd)));
    }
    page_fact(out, "Mean log density", "%s", page_number(a, e->log_likelihood));
    page_fact(out, "Mean CRPS", "%s", page_number(a, e->crps));
    page_fact(out, "Inside their intervals", "%.1f %% of the rows, promised %g %%",
              100.0 * e->coverage, 100.0 * p->level);
    page_fact(out, "Mean width of the intervals", "%s", page_number(a, e->width));
    page_table_end(out);
}

/* Points of one kind: inside their interval, or not, which come last and lie on top. */
static void draw_points(const report *r, const chart *c, int residuals)
{
    const double *y = r->data.rows.y;
    const predictions *p = &r->p;
    double step = p->n > MOST_MARKS ? (double)p->n / MOST_MARKS : 1.0;
    int kind;
    for (kind = 0; kind < 2; kind++) {
        double next = 0.0;
        size_t i;
        fprintf(c->out, "<g class=\"%s\">\n", kind == 0 ? "p" : "p2");
        for (i = 0; i < p->n; i++) {
            int out = !(y[i] >= p->lower[i] && y[i] <= p->upper[i]);
            if ((double)i >= next) {
                next += step;
                if (out == kind) {
                    chart_point(c, residuals ? p->mean[i] : y[i],
                                residuals ? y[i] - p->mean[i] : p->mean[i]);
                }
            }
        }
        fputs("</g>\n", c->out);
    }
}

static void say_points(const report *r, FILE *out)
{
    if (r->p.n > MOST_MARKS) {
        page_say(out, " Every row is counted, %d spread over them are drawn.", MOST_MARKS);
    }
}

static void widen(double *low, double *high, const double *v, size_t n)
{
    size_t i;
    for (i = 0; i < n; i++) {
        *low = fmin(*low, v[i]);
        *high = fmax(*high, v[i]);
    }
}

static void draw_scatter(const report *r, FILE *out)
{
    const char *target = r->columns.target.name;
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    char measured[200];
    char predicted[200];
    chart c;
    widen(&low, &high, r->data.rows.y, r->p.n);
    widen(&low, &high, r->p.mean, r->p.n);
    (void)snprintf(measured, sizeof measured, "Measured %s", target);
    (void)snprintf(predicted, sizeof predicted, "Predicted %s", target);
    page_figure(out);
    chart_begin(&c, out, 284.0, "Predicted against measured values");
    chart_range(&c, 0, low, high, 0.03);
    chart_range(&c, 1, low, high, 0.03);
    chart_axes(&c, measured, predicted);
    draw_points(r, &c, 0);
    chart_segment(&c, "d", c.low[0], c.low[1], c.high[0], c.high[1]);
    chart_end(&c);
    fputs("<figcaption><span class=\"key\"></span>", out);
    page_say(out, "measured inside its %g %% interval", 100.0 * r->level);
    fputs("<span class=\"key k2\"></span>outside; dashed where both are equal.", out);
    say_points(r, out);
    fputs("</figcaption></figure>\n", out);
}

static void draw_residuals(const report *r, FILE *out)
{
    const double *y = r->data.rows.y;
    double low[2] = {HUGE_VAL, 0.0};
    double high[2] = {-HUGE_VAL, 0.0};
    chart c;
    size_t i;
    widen(&low[0], &high[0], r->p.mean, r->p.n);
    for (i = 0; i < r->p.n; i++) {
        low[1] = fmin(low[1], y[i] - r->p.mean[i]);
        high[1] = fmax(high[1], y[i] - r->p.mean[i]);
    }
    page_figure(out);
    chart_begin(&c, out, 284.0, "What the predictions miss, against the predictions");
    chart_range(&c, 0, low[0], high[0], 0.03);
    chart_range(&c, 1, low[1], high[1], 0.05);
    chart_axes(&c, "Predicted", "Measured less predicted");
    draw_points(r, &c, 1);
    chart_segment(&c, "d", c.low[0], 0.0, c.high[0], 0.0);
    chart_end(&c);
    page_caption(out, "A cloud without a trend about 0 is what a good fit leaves. A bend is a shape that it has "
                      "missed; a fan, noise that grows.");
}

/* Shares of rows in each twentieth of their law. A count spreads its row over all that its probability spans
 * (Czado, Gneiting and Held 2009). */
static void count_bins(const double *q, const double *y, size_t n, double share[BINS])
{
    size_t i;
    size_t k;
    for (i = 0; i < n; i++) {
        const double *own = q + i * LEVELS + WIDER / 2;
        size_t first = 0;
        size_t last = 0;
        for (k = 0; k + 1 < BINS; k++) {
            first += own[k] < y[i];
            last += own[k] <= y[i];
        }
        for (k = first; k <= last; k++) {
            share[k] += 1.0 / (double)(last - first + 1) / (double)n;
        }
    }
}

static void draw_shares(FILE *out, const double share[BINS], size_t n)
{
    double apart = 1.96 * sqrt(0.05 * 0.95 / (double)n) * BINS;
    double most = 1.5;
    chart c;
    size_t k;
    for (k = 0; k < BINS; k++) {
        most = fmax(most, 1.05 * BINS * share[k]);
    }
    page_figure(out);
    chart_begin(&c, out, 190.0, "How often each twentieth of the predictive law came true");
    chart_range(&c, 0, 0.0, 1.0, 0.0);
    chart_range(&c, 1, 0.0, most, 0.0);
    chart_axes(&c, "Place of the measured value in its law (PIT)", "Rows, to those expected");
    chart_bar(&c, "n3", 0.0, 1.0, fmax(1.0 - apart, 0.0), 1.0 + apart);
    for (k = 0; k < BINS; k++) {
        chart_bar(&c, "b", (double)k / BINS + 0.004, (double)(k + 1) / BINS - 0.004, 0.0,
                  BINS * share[k]);
    }
    chart_segment(&c, "d", 0.0, 1.0, 1.0, 1.0);
    chart_end(&c);
    page_caption(out, "Even is calibrated: 19 of 20 bars then end in the grey band. High ends: too sure. A hill: too "
                      "cautious. A slope: too low or too high.");
}

static void draw_reliability(FILE *out, const double share[BINS], size_t n)
{
    double p[BINS + 1];
    double got[BINS + 1] = {0.0};
    double low[BINS + 1];
    double high[BINS + 1];
    chart c;
    size_t k;
    for (k = 0; k <= BINS; k++) {
        double apart;
        p[k] = (double)k / BINS;
        apart = 1.96 * sqrt(p[k] * (1.0 - p[k]) / (double)n);
        low[k] = fmax(p[k] - apart, 0.0);
        high[k] = fmin(p[k] + apart, 1.0);
        got[k] = k == 0 ? 0.0 : got[k - 1] + share[k - 1];
    }
    page_figure(out);
    chart_begin(&c, out, 190.0, "Promised probability against the share of rows that kept it");
    chart_range(&c, 0, 0.0, 1.0, 0.0);
    chart_range(&c, 1, 0.0, 1.0, 0.0);
    chart_axes(&c, "Promised probability of being below", "Share of rows below");
    chart_band(&c, "n3", p, low, high, BINS + 1);
    chart_segment(&c, "d", 0.0, 0.0, 1.0, 1.0);
    chart_line(&c, "l", p, got, BINS + 1);
    chart_end(&c);
    page_caption(out, "On the diagonal is calibrated; the grey band holds 19 of 20 points by chance.");
}

static void write_coverage(FILE *out, const double *q, const double *y, size_t n)
{
    static const struct {
        double level;
        size_t low; /* places of its ends among the quantiles */
    } levels[] = {{0.5, 6}, {0.8, 3}, {0.9, 2}, {0.95, 1}, {0.99, 0}};
    static const char *const headings[] = {"Promised", "Held", "Standard error", "Mean width", NULL};
    number_text width;
    size_t k;
    size_t i;
    page_table(out, headings);
    for (k = 0; k < sizeof levels / sizeof *levels; k++) {
        double held = 0.0;
        double sum = 0.0;
        double level = levels[k].level;
        for (i = 0; i < n; i++) {
            double low = q[i * LEVELS + levels[k].low];
            double high = q[i * LEVELS + LEVELS - 1 - levels[k].low];
            held += y[i] >= low && y[i] <= high;
            sum += high - low;
        }
        page_row(out, "%g %%", 100.0 * level);
        page_cell(out, "%.1f %%", 100.0 * held / (double)n);
        page_cell(out, "%.1f %%", 100.0 * sqrt(level * (1.0 - level) / (double)n));
        page_cell(out, "%s", page_number(width, sum / (double)n));
        page_row_end(out);
    }
    page_table_end(out);
}

static int write_calibration(const report *r, FILE *out)
{
    enum { MOST_ROWS = 1000 };
    static const double ends[WIDER] = {0.005, 0.025, 0.975, 0.995};
    double p[LEVELS];
    double share[BINS] = {0.0};
    double *q = NULL;
    dataset some;
    size_t k;
    int code = dataset_spread(&some, &r->data.rows, MOST_ROWS);
    for (k = 0; k < LEVELS; k++) {
        p[k] = k < 2 ? ends[k] : k + 2 < LEVELS ? (double)(k - 1) / BINS : ends[k + WIDER - LEVELS];
    }
    q = code == 0 ? allocate(some.n * LEVELS, sizeof *q) : NULL;
    code = q == NULL ? EXIT_FAILED : subject_quantiles(&r->about, &some, p, LEVELS, q);
    if (code == 0) {
        count_bins(q, some.y, some.n, share);
        page_section(out, "Calibration",
                     "Whether the model knows how sure it may be: what it gives a probability of 90 % should come "
                     "true in nine of ten rows.");
        page_figures(out);
        draw_shares(out, share, some.n);
        draw_reliability(out, share, some.n);
        page_figures_end(out);
        write_coverage(out, q, some.y, some.n);
        if (some.n < r->p.n) {
            fputs("<p class=\"note\">", out);
            page_say(out, "By %lu rows spread over all %lu.", (unsigned long)some.n,
                     (unsigned long)r->p.n);
            fputs("</p>\n", out);
        }
    }
    free(q);
    dataset_free(&some);
    return code;
}

int report_numbers(const report *r, FILE *out)
{
    int code;
    page_section(out, "How well it predicts", report_trained(r));
    write_scores(r, out);
    page_figures(out);
    draw_scatter(r, out);
    draw_residuals(r, out);
    page_figures_end(out);
    code = write_calibration(r, out);
    THEN(code, report_drift(r, out));
    THEN(code, report_outliers(r, out));
    return code;
}
