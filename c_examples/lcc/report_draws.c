#include "chart.h"
#include "note.h"
#include "report.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is told of the chains, and not again where the model comes from. */
static const char *const of_chains[] = {"chains", "luck", "R-hat"};

void report_note(const report *r, FILE *out, int chains)
{
    const char *at = r->columns.note;
    note_line line;
    while (note_next(&at, &line)) {
        size_t k = 0;
        while (k < 3 && strcmp(line.what, of_chains[k]) != 0) {
            k++;
        }
        if ((k < 3) == chains) {
            line.what[0] = (char)toupper((unsigned char)line.what[0]);
            page_fact(out, line.what, "%s", line.value);
        }
    }
}

const char *report_trained(const report *r)
{
    char sum[24];
    note_line line;
    (void)snprintf(sum, sizeof sum, "%016" PRIx64, dataset_checksum(&r->data.rows));
    if (note_find(r->columns.note, "trained on", &line) && strstr(line.value, sum) != NULL) {
        return "These are the training rows of the model: it will tell others less well.";
    }
    return "If some of these rows trained the model, it will tell others less well.";
}

/* The log density of the rows under each draw. */
static int densities(const report *r, const dataset *rows, double *out)
{
    size_t draws = r->about.info.draws;
    double *all = allocate(rows->n * draws, sizeof *all);
    size_t i;
    size_t k;
    int code = all == NULL ? EXIT_FAILED : subject_densities(&r->about, rows, all);
    for (k = 0; code == 0 && k < draws; k++) {
        out[k] = 0.0;
        for (i = 0; i < rows->n; i++) {
            out[k] += all[i * draws + k];
        }
    }
    free(all);
    return code;
}

/* Each chain's draws by their ranks among all (Vehtari et al. 2021), a column a chain. */
static int draw_ranks(const report *r, FILE *out)
{
    enum { MOST_ROWS = 500, MOST_CHAINS = 128 };
    size_t draws = r->about.info.draws;
    size_t kept = r->columns.kept;
    size_t chains = kept > 0 ? draws / kept : 0;
    dataset some;
    double *value;
    chart c;
    size_t i;
    size_t k;
    int code;
    if (chains < 2 || chains > MOST_CHAINS || chains * kept != draws) {
        return 0;
    }
    code = dataset_spread(&some, &r->data.rows, MOST_ROWS);
    value = allocate(draws, sizeof *value);
    THEN(code, value == NULL ? EXIT_FAILED : densities(r, &some, value));
    if (code == 0) {
        page_figures(out);
        page_figure(out);
        chart_begin(&c, out, 150.0, "The draws of each chain by their ranks");
        chart_range(&c, 0, 0.0, (double)chains + 1.0, 0.0);
        chart_range(&c, 1, 0.0, 1.0, 0.0);
        chart_axes(&c, "Chain", "Rank of log density");
        fputs("<g class=\"p\">\n", out);
        for (k = 0; k < draws; k++) {
            size_t below = 0;
            for (i = 0; i < draws; i++) {
                below += value[i] < value[k] || (value[i] == value[k] && i < k);
            }
            chart_point(&c, (double)(k / kept) + 1.0, ((double)below + 0.5) / (double)draws);
        }
        fputs("</g>\n", out);
        chart_end(&c);
        page_caption(out, "The %lu draws kept of each chain, from the least likely of all to the likeliest, by %lu rows. "
                          "Chains that go everywhere fill the height; a chain whose draws stay together sits in a mode "
                          "of its own, and the model averages over such.",
                     (unsigned long)kept, (unsigned long)some.n);
        page_figures_end(out);
    }
    free(value);
    dataset_free(&some);
    return code;
}

/* How many draws, their spread, and how far the means of their halves are apart: the Monte Carlo error of the mean of
 * all is half of that. */
int report_draws(const report *r, FILE *out)
{
    size_t draws = r->about.info.draws;
    size_t half = draws / 2;
    double *f = allocate(r->some.n * draws, sizeof *f);
    double apart = 0.0;
    double spread = 0.0;
    number_text a;
    number_text b;
    size_t i;
    size_t k;
    int code = f == NULL ? EXIT_FAILED : subject_function(&r->about, &r->some, 0, f);
    for (i = 0; code == 0 && i < r->some.n && half > 0; i++) {
        double first = 0.0;
        double second = 0.0;
        double squares = 0.0;
        const double *own = f + i * draws;
        for (k = 0; k < half; k++) {
            first += own[k] / (double)half;
            second += own[draws - 1 - k] / (double)half;
        }
        for (k = 0; k < draws; k++) {
            double away = own[k] - 0.5 * (first + second);
            squares += away * away / (double)draws;
        }
        apart += 0.25 * (first - second) * (first - second) / (double)r->some.n;
        spread += squares / (double)r->some.n;
    }
    free(f);
    if (code != 0) {
        return code;
    }
    page_section(out, "What the draws say", NULL);
    page_table(out, NULL);
    page_fact(out, "Draws in the model", "%lu", (unsigned long)draws);
    if (half > 0) {
        page_fact(out, "Spread of the function over them", "%s, root mean square over %lu row%s",
                  page_number(a, sqrt(spread)), (unsigned long)r->some.n,
                  r->some.n == 1 ? "" : "s");
        page_fact(out, "Monte Carlo error of its mean", "some %s, by the draws' two halves",
                  page_number(b, sqrt(apart)));
    }
    report_note(r, out, 1);
    page_table_end(out);
    fputs("<p class=\"note\">", out);
    page_say(out, half > 0 ? "Halves that differ by much less than the spread come from chains that agree, or from as many "
                             "modes each."
                           : "One network, so that nothing here tells how sure it may be of its function.");
    fputs("</p>\n", out);
    return r->judged ? draw_ranks(r, out) : 0;
}

