#include "chart.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>

enum { BLOCKS = 20, FEWEST = 40 };

/* What a prediction missed: of a number in its sds; of a class whether it was wrong, less how probable that was. */
static double missed(const report *r, size_t i)
{
    const predictions *p = &r->p;
    size_t named = 0;
    size_t c;
    if (!r->about.classes) {
        return (r->data.rows.y[i] - p->mean[i]) / p->sd[i];
    }
    for (c = 1; c < p->classes; c++) {
        named = p->probability[i * p->classes + c] > p->probability[i * p->classes + named] ? c : named;
    }
    return (named != (size_t)r->data.rows.y[i]) - (1.0 - p->top[i]);
}

/* How probable a larger distance of a Brownian bridge from 0 is. */
static double beyond(double distance)
{
    double sum = 0.0;
    int k;
    if (distance < 0.2) {
        return 1.0; /* to 1e-12; the series has not begun to converge */
    }
    for (k = 1; k < 50; k++) {
        sum += (k % 2 == 1 ? 2.0 : -2.0) * exp(-2.0 * k * k * distance * distance);
    }
    return fmin(fmax(sum, 0.0), 1.0);
}

typedef struct {
    double sd;
    double chance; /* that rows in an order without meaning drift as far */
    double before; /* the means up to the row where the two differ most, and after */
    double after;
    size_t turn; /* how many rows that are */
} drift;

/* The largest distance of the sums from a straight line, over sd sqrt(n): that of a Brownian bridge, where the order has
 * no meaning (Ploberger and Kraemer 1992). */
static drift find(const double *z, size_t n)
{
    drift d = {0.0, 1.0, 0.0, 0.0, 0};
    double mean = 0.0;
    double sum = 0.0;
    double most = 0.0;
    size_t i;
    for (i = 0; i < n; i++) {
        mean += z[i] / (double)n;
    }
    for (i = 0; i < n; i++) {
        d.sd += (z[i] - mean) * (z[i] - mean) / (double)n;
    }
    d.sd = sqrt(d.sd);
    for (i = 0; i + 1 < n; i++) {
        sum += z[i] - mean;
        if (fabs(sum) > fabs(most)) {
            most = sum;
            d.turn = i + 1;
        }
    }
    if (d.sd > 0.0 && d.turn > 0) {
        d.chance = beyond(fabs(most) / (d.sd * sqrt((double)n)));
        d.before = mean + most / (double)d.turn;
        d.after = mean - most / (double)(n - d.turn);
    }
    return d;
}

static void draw(const report *r, FILE *out, const double *z, size_t n, const drift *found)
{
    double at[BLOCKS];
    double mean[BLOCKS] = {0.0};
    double low[BLOCKS];
    double high[BLOCKS];
    double most = 0.0;
    chart c;
    size_t k;
    for (k = 0; k < BLOCKS; k++) {
        size_t first = n * k / BLOCKS;
        size_t end = n * (k + 1) / BLOCKS;
        size_t i;
        at[k] = 0.5 * (double)(first + end + 1);
        for (i = first; i < end; i++) {
            mean[k] += z[i] / (double)(end - first);
        }
        high[k] = 1.96 * found->sd / sqrt((double)(end - first));
        low[k] = -high[k];
        most = fmax(most, fmax(high[k], fabs(mean[k])));
    }
    page_figure(out);
    chart_begin(&c, out, 190.0, "What predictions miss, in the order of the rows");
    chart_range(&c, 0, 1.0, (double)n, 0.0);
    chart_range(&c, 1, -most, most, 0.08);
    chart_axes(&c, "Row, in the order of the file", r->about.classes ? "Errors beyond those promised" : "Mean of z");
    chart_band(&c, "n3", at, low, high, BLOCKS);
    chart_segment(&c, "d", c.low[0], 0.0, c.high[0], 0.0);
    chart_line(&c, "l", at, mean, BLOCKS);
    chart_end(&c);
    page_caption(out, "Means of %d blocks of rows, %s; the grey band holds 19 of 20 where nothing changes.", BLOCKS,
                 r->about.classes ? "of 1 for an error less its promised probability" : "of what is missed in its sd");
}

int report_drift(const report *r, FILE *out)
{
    const size_t n = r->p.n;
    double *z;
    drift found;
    number_text a;
    number_text b;
    size_t i;
    if (n < FEWEST) {
        return 0;
    }
    z = allocate(n, sizeof *z);
    if (z == NULL) {
        return EXIT_FAILED;
    }
    for (i = 0; i < n; i++) {
        z[i] = missed(r, i);
    }
    found = find(z, n);
    page_section(out, "In the order of the rows",
                 "Where rows follow time, a drift of the process or of a sensor shows here; where a file is sorted by a "
                 "column, it is that column's doing.");
    page_figures(out);
    draw(r, out, z, n, &found);
    page_figures_end(out);
    fputs("<p>", out);
    if (found.chance < 0.01) {
        page_say(out, "They drift: up to row %lu the mean is %s, after it %s; rows in an order without meaning differ as "
                      "much in %s of a hundred cases.",
                 (unsigned long)r->data.rows.origin[found.turn - 1] + 1, page_number(a, found.before),
                 page_number(b, found.after), found.chance < 1e-4 ? "less than .01" : "less than 1");
    } else {
        page_say(out, "%s: rows in an order without meaning differ as much in %.0f of a hundred cases.",
                 found.chance < 0.05 ? "A drift may be there" : "No drift is seen", 100.0 * found.chance);
    }
    fputs("</p>\n", out);
    free(z);
    return 0;
}
