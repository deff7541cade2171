#include "chart.h"
#include "histogram.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CLASSES = 12, BINS = 15 };

static size_t top_of(const predictions *p, size_t row)
{
    const double *own = p->probability + row * p->classes;
    size_t top = 0;
    size_t c;
    for (c = 1; c < p->classes; c++) {
        top = own[c] > own[top] ? c : top;
    }
    return top;
}

static void write_scores(const report *r, FILE *out)
{
    const class_scores *s = &r->scores.scored;
    const noise_facts *noise = &r->scores.noise;
    number_text a;
    double n = (double)r->p.n;
    page_table(out, NULL);
    page_fact(out, "Right", "%.2f \302\261 %.1f %%", 100.0 * s->accuracy,
              100.0 * sqrt(s->accuracy * (1.0 - s->accuracy) / n));
    page_fact(out, "Log loss", "%s", page_number(a, -s->log_likelihood));
    page_fact(out, "Brier score", "%s", page_number(a, s->brier));
    page_fact(out, "Calibration error", "%s", page_number(a, s->calibration));
    page_fact(out, "Classes inside their sets", "%.1f %%, promised %g %%", 100.0 * s->coverage,
              100.0 * r->level);
    page_fact(out, "Classes in a set", "%.2f on average", s->set_size);
    page_fact(out, "Noise told from these rows (AUROC)", "%.3f by entropy, %.3f by mutual information",
              noise->auroc_entropy, noise->auroc_mutual);
    page_table_end(out);
}

static void write_confusion(const report *r, FILE *out, const double *times)
{
    const char *headings[MOST_CLASSES + 2];
    number_text names[MOST_CLASSES];
    size_t classes = r->p.classes;
    size_t c;
    size_t t;
    headings[0] = "Is, and is taken for";
    for (c = 0; c < classes; c++) {
        headings[c + 1] = report_class(r, c, names[c]);
    }
    headings[classes + 1] = NULL;
    page_table(out, headings);
    for (t = 0; t < classes; t++) {
        page_row(out, "%s", report_class(r, t, names[t]));
        for (c = 0; c < classes; c++) {
            fputs(c == t ? "<td class=\"hit\">" : "<td>", out);
            page_say(out, times[t * classes + c] > 0.0 ? "%.0f" : "\302\267", times[t * classes + c]);
            fputs("</td>", out);
        }
        page_row_end(out);
    }
    page_table_end(out);
}

/* Of many classes the errors made most often; takes them out of `times`. */
static void write_mistakes(const report *r, FILE *out, double *times)
{
    static const char *const headings[] = {"Is", "Taken for", "Rows", NULL};
    size_t classes = r->p.classes;
    number_text a;
    number_text b;
    size_t k;
    page_table(out, headings);
    for (k = 0; k < MOST_CLASSES; k++) {
        size_t most = 0;
        size_t i;
        for (i = 1; i < classes * classes; i++) {
            int error = i / classes != i % classes;
            most = error && (most == 0 || times[i] > times[most]) ? i : most;
        }
        if (most == 0 || !(times[most] > 0.0)) {
            break;
        }
        page_row(out, "%s", report_class(r, most / classes, a));
        page_cell(out, "%s", report_class(r, most % classes, b));
        page_cell(out, "%.0f", times[most]);
        page_row_end(out);
        times[most] = 0.0;
    }
    page_table_end(out);
}

static void draw_reliability(const report *r, FILE *out)
{
    const predictions *p = &r->p;
    double rows[BINS] = {0.0};
    double said[BINS] = {0.0};
    double right[BINS] = {0.0};
    chart c;
    size_t i;
    size_t k;
    for (i = 0; i < p->n; i++) {
        double at = p->top[i] * BINS;
        k = at < BINS ? (size_t)at : BINS - 1;
        rows[k] += 1.0;
        said[k] += p->top[i];
        right[k] += top_of(p, i) == (size_t)r->data.rows.y[i];
    }
    page_figure(out);
    chart_begin(&c, out, 210.0, "Probability of the class that was named, against how often it was right");
    chart_range(&c, 0, 1.0 / (double)p->classes, 1.0, 0.0);
    chart_range(&c, 1, 0.0, 1.0, 0.0);
    chart_axes(&c, "Probability of the class named", "Share that was right");
    chart_segment(&c, "d", c.low[0], c.low[0], 1.0, 1.0);
    for (k = 0; k < BINS; k++) {
        if (rows[k] > 0.0) {
            double x = said[k] / rows[k];
            double apart = 1.96 * sqrt(x * (1.0 - x) / rows[k]);
            chart_segment(&c, "i", x, fmax(x - apart, 0.0), x, fmin(x + apart, 1.0));
            fputs("<g class=\"p2\">", out);
            chart_point(&c, x, right[k] / rows[k]);
            fputs("</g>\n", out);
        }
    }
    chart_end(&c);
    page_caption(out, "In bins of a fifteenth. Calibrated points lie on the diagonal; bars hold 19 of 20 by chance.");
}

static void draw_confidence(const report *r, FILE *out)
{
    double least = 1.0 / (double)r->p.classes;
    double shares[2][HISTOGRAM_BINS];
    double most = 0.0;
    chart c;
    size_t k;
    size_t side;
    histogram_bins(r->p.top, r->p.n, least, shares[0]);
    histogram_bins(r->noise.said.top, r->noise.said.n, least, shares[1]);
    for (k = 0; k < HISTOGRAM_BINS; k++) {
        most = fmax(most, fmax(shares[0][k], shares[1][k]));
    }
    page_figure(out);
    chart_begin(&c, out, 210.0, "How sure of its class, on rows and on noise");
    chart_range(&c, 0, least, 1.0, 0.0);
    chart_range(&c, 1, 0.0, 100.0 * most, 0.0);
    chart_axes(&c, "Probability of the class named", "Rows, percent");
    for (side = 0; side < 2; side++) {
        for (k = 0; k < HISTOGRAM_BINS; k++) {
            double bin = (1.0 - least) / HISTOGRAM_BINS;
            double x = least + bin * ((double)k + (side == 0 ? 0.08 : 0.5));
            if (shares[side][k] > 0.0) {
                chart_bar(&c, side == 0 ? "b" : "b2", x, x + 0.42 * bin, 0.0,
                          100.0 * shares[side][k]);
            }
        }
    }
    chart_end(&c);
    fputs("<figcaption><span class=\"key\"></span>these rows"
          "<span class=\"key k2\"></span>uniform noise in the range of each column, of which it should be less sure."
          "</figcaption></figure>\n",
          out);
}

int report_classes(const report *r, FILE *out)
{
    size_t classes = r->p.classes;
    double *times = allocate(classes * classes, sizeof *times);
    size_t i;
    if (times == NULL) {
        return EXIT_FAILED;
    }
    for (i = 0; i < r->p.n; i++) {
        times[(size_t)r->data.rows.y[i] * classes + top_of(&r->p, i)] += 1.0;
    }
    page_section(out, "How well it predicts", report_trained(r));
    write_scores(r, out);
    page_section(out, "Who is taken for whom", NULL);
    if (classes <= MOST_CLASSES) {
        write_confusion(r, out, times);
    } else {
        write_mistakes(r, out, times);
    }
    free(times);
    page_section(out, "Calibration",
                 "Whether the model knows how sure it may be, of rows like these and of what is like none.");
    page_figures(out);
    draw_reliability(r, out);
    draw_confidence(r, out);
    page_figures_end(out);
    return report_drift(r, out) == 0 ? report_outliers(r, out) : EXIT_FAILED;
}

/* How probable what was measured is: the log density of a number, the log probability of a class. */
static double density_of(const report *r, size_t row)
{
    return r->about.classes
               ? log(fmax(r->p.probability[row * r->p.classes + (size_t)r->data.rows.y[row]], 1e-300))
               : r->p.log_density[row];
}

static void write_outlier(const report *r, FILE *out, size_t i, double density)
{
    const predictions *p = &r->p;
    const dataset *rows = &r->data.rows;
    number_text a;
    number_text b;
    page_row(out, "%lu", (unsigned long)rows->origin[i] + 1);
    if (r->about.classes) {
        page_cell(out, "%s", report_class(r, (size_t)rows->y[i], a));
        page_cell(out, "%s", report_class(r, top_of(p, i), a));
        page_cell(out, "%s", page_number(a, exp(density)));
    } else {
        page_cell(out, "%s", page_number(a, rows->y[i]));
        page_cell(out, "%s", page_number(a, p->mean[i]));
        page_cell(out, "%s to %s", page_number(a, p->lower[i]), page_number(b, p->upper[i]));
        page_cell(out, "%+.1f", (rows->y[i] - p->mean[i]) / p->sd[i]);
        page_cell(out, "%s", page_number(a, density));
    }
    page_cell(out, "%u", rows->outside == NULL ? 0 : rows->outside[i]);
    page_row_end(out);
}

int report_outliers(const report *r, FILE *out)
{
    static const char *const headings[2][8] = {
        {"Row", "Measured", "Predicted", "Interval", "z", "Log density", "Inputs outside", NULL},
        {"Row", "Is", "Taken for", "Probability of what it is", "Inputs outside", NULL, NULL, NULL}};
    char *told = allocate(r->p.n, 1);
    size_t k;
    if (told == NULL) {
        return EXIT_FAILED;
    }
    page_section(out, "The rows it predicts worst",
                 "By the density that the model gave to what was measured; worth a look, for a mistake in the data or "
                 "for what the model has not seen.");
    page_table(out, headings[r->about.classes]);
    for (k = 0; k < MOST_OUTLIERS && k < r->p.n; k++) {
        size_t worst = r->p.n;
        size_t i;
        for (i = 0; i < r->p.n; i++) {
            if (!told[i] && (worst == r->p.n || density_of(r, i) < density_of(r, worst))) {
                worst = i;
            }
        }
        told[worst] = 1;
        write_outlier(r, out, worst, density_of(r, worst));
    }
    page_table_end(out);
    fputs("<p class=\"note\">", out);
    page_say(out, "Rows are numbered from 1, the header not counted%s",
             r->about.classes ? "" : "; z is what the prediction misses, in its sd");
    fputs("; inputs outside are those beyond the range of the training data.</p>\n", out);
    free(told);
    return 0;
}
