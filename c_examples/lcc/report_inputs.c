#include "chart.h"
#include "convert.h"
#include "report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BARS = 16, SHADES = 9 };

/* A figure of bars, an input each, the one that matters most on top. */
static void inputs_begin(const report *r, chart *c, FILE *out, const char *said, double most, const char *across)
{
    size_t count = r->columns.count < MOST_BARS ? r->columns.count : MOST_BARS;
    size_t k;
    page_figure(out);
    chart_begin(c, out, 18.0 * (double)count, said);
    chart_range(c, 0, 0.0, most > 0.0 ? 1.05 * most : 1.0, 0.0);
    chart_range(c, 1, 0.0, (double)count, 0.0);
    c->words[1] = 1;
    chart_room(c, 100.0);
    chart_axes(c, across, "");
    for (k = 0; k < count; k++) {
        chart_name(c, 1, (double)(count - k) - 0.5, r->columns.inputs[r->order[k]].name, 0.0);
    }
}

static void draw_relevance(const report *r, FILE *out)
{
    size_t count = r->columns.count < MOST_BARS ? r->columns.count : MOST_BARS;
    double most = 0.0;
    chart c;
    size_t k;
    for (k = 0; k < count; k++) {
        most = fmax(most, r->inputs.moves[k] + 2.0 * r->inputs.errors[k]);
        most = fmax(most, r->inputs.moves[r->order[k]] + 2.0 * r->inputs.errors[r->order[k]]);
    }
    inputs_begin(r, &c, out, "How far each input moves the predictions", most,
                 r->inputs.classes ? "Probability moved" : "Moved, in sds of the target");
    for (k = 0; k < count; k++) {
        size_t i = r->order[k];
        double move = r->inputs.moves[i];
        double error = r->inputs.errors[i];
        double y = (double)(count - k) - 0.5;
        chart_bar(&c, "b", 0.0, move, y - 0.32, y + 0.32);
        chart_segment(&c, "i", move - 2.0 * error, y, move + 2.0 * error, y);
    }
    chart_end(&c);
    page_caption(out, "Permutation importance: the root mean square by which predictions move when the values of an "
                      "input are dealt to other rows, and two standard errors.%s",
                 count < r->columns.count ? " The first sixteen." : "");
}

/* The root mean square of an input's weights into the first layer under each draw, in order. */
static void weigh(const parts *m, const schema *columns, size_t input, double *out)
{
    size_t first = schema_place(columns, input);
    size_t end = input + 1 < columns->count ? schema_place(columns, input + 1) : m->inputs;
    int direct = m->depth == 0;
    size_t units;
    size_t below;
    size_t begin = parts_layer(m, 0, &units, &below);
    size_t k;
    size_t u;
    size_t j;
    /* Without hidden layers the outputs' direct weights, behind their intercepts. */
    begin += direct ? m->outputs : 0;
    units = direct ? m->outputs : units;
    for (k = 0; k < m->info.draws; k++) {
        const double *w = m->values + k * m->info.values + begin;
        out[k] = 0.0;
        for (u = 0; u < units; u++) {
            for (j = first; j < end && j < m->inputs; j++) {
                out[k] += w[u * m->inputs + j] * w[u * m->inputs + j];
            }
        }
        out[k] = sqrt(out[k] / (double)(units > 0 ? units : 1));
    }
    qsort(out, m->info.draws, sizeof *out, by_value);
}

/* The relevance of each input to the network: the size of its weights, with the posterior's spread of it. */
static int draw_weights(const report *r, FILE *out)
{
    size_t count = r->columns.count < MOST_BARS ? r->columns.count : MOST_BARS;
    size_t draws = r->about.info.draws;
    double *all = allocate(count * draws, sizeof *all);
    double most = 0.0;
    double middle = 0.0;
    chart c;
    parts m;
    size_t k;
    int code;
    memset(&m, 0, sizeof m);
    code = all == NULL ? EXIT_FAILED : parts_take(&m, r->about.image, r->about.bytes, r->model_path);
    for (k = 0; code == 0 && k < count; k++) {
        weigh(&m, &r->columns, r->order[k], all + k * draws);
        most = fmax(most, all[k * draws + (size_t)(0.95 * (double)(draws - 1) + 0.5)]);
        middle = fmax(middle, all[k * draws + draws / 2]);
    }
    /* A unit that is a step may have any weight: what goes beyond is drawn at the edge. */
    most = fmin(most, 3.0 * middle);
    parts_free(&m);
    if (code == 0) {
        inputs_begin(r, &c, out, "The weights of each input into the first layer", most,
                     "Weights, root mean square");
        for (k = 0; k < count; k++) {
            const double *own = all + k * draws;
            double y = (double)(count - k) - 0.5;
            chart_bar(&c, "b", 0.0, own[draws / 2], y - 0.32, y + 0.32);
            chart_segment(&c, "i", own[(size_t)(0.05 * (double)(draws - 1) + 0.5)], y,
                          own[(size_t)(0.95 * (double)(draws - 1) + 0.5)], y);
        }
        chart_end(&c);
        page_caption(out, "Relevance in the network: the size of an input's weights, inputs in sds; the median of its "
                          "posterior and 90 %%, as far as they go here. Large weights that move little stand for what other inputs tell too.");
    }
    free(all);
    return code;
}

/* The axis of an input: its numbers, or its words. */
static void input_range(chart *c, int axis, const schema_column *input, const double *at, size_t n)
{
    c->words[axis] = input->levels > 0;
    if (input->levels > 0) {
        chart_range(c, axis, -0.5, (double)n - 0.5, 0.0);
    } else {
        chart_range(c, axis, at[0], at[n - 1], 0.0);
    }
}

static void name_levels(const chart *c, int axis, const schema_column *input, size_t n)
{
    size_t k;
    for (k = 0; input->levels > 0 && k < n; k++) {
        chart_name(c, axis, (double)k, input->level[k], c->width / (double)n);
    }
}

static void draw_effect(const report *r, FILE *out, size_t input, const char *up, double low,
                        double high)
{
    static const char *const lines[] = {"l", "l2", "l3", "l4"};
    static const char *const bands[] = {"n", "n2", "n3", "n4"};
    const schema_column *column = &r->columns.inputs[input];
    const effect *e = &r->effects[input];
    char said[300];
    chart c;
    size_t k;
    size_t i;
    (void)snprintf(said, sizeof said, "What the model expects along %.200s", column->name);
    page_figure(out);
    chart_begin(&c, out, 150.0, said);
    input_range(&c, 0, column, e->at, e->count);
    chart_range(&c, 1, low, high, 0.04);
    chart_axes(&c, column->name, up);
    name_levels(&c, 0, column, e->count);
    for (k = 0; k < r->about.curves; k++) {
        const double *mean = e->mean + k * e->count;
        const double *least = e->low + k * e->count;
        const double *most = e->high + k * e->count;
        if (column->levels == 0) {
            chart_band(&c, bands[k], e->at, least, most, e->count);
            chart_line(&c, lines[k], e->at, mean, e->count);
        }
        for (i = 0; column->levels > 0 && i < e->count; i++) {
            double x = e->at[i] + 0.08 * ((double)k - 0.5 * (double)(r->about.curves - 1));
            chart_segment(&c, lines[k], x, least[i], x, most[i]);
            chart_segment(&c, lines[k], x - 0.04, mean[i], x + 0.04, mean[i]);
        }
    }
    for (i = 0; column->levels == 0 && r->data.rows.n > 0 && i < 9; i++) {
        chart_segment(&c, "r", e->decile[i], c.low[1], e->decile[i],
                      c.low[1] + 0.03 * (c.high[1] - c.low[1]));
    }
    chart_end(&c);
    fputs("</figure>\n", out);
}

static void say_key(const report *r, FILE *out)
{
    static const char *const keys[] = {"key", "key k2", "key k3", "key k4"};
    number_text text;
    size_t k;
    if (!r->about.classes) {
        return;
    }
    if (r->about.curves == 1) {
        page_say(out, " Shown is the probability of \"%s\".", report_class(r, 1, text));
        return;
    }
    page_say(out, " Shown are the probabilities of the classes");
    for (k = 0; k < r->about.curves; k++) {
        fprintf(out, "<span class=\"%s\"></span>", keys[k]);
        page_say(out, "%s", report_class(r, k, text));
    }
    fputs(".", out);
}

/* Values in shades from faint to full, equal neighbours in one piece. */
static void draw_surface(const report *r, FILE *out, const double *value, const char *what)
{
    const surface *f = &r->both;
    size_t across = f->count[0];
    size_t up = f->count[1];
    double low = value[0];
    double high = value[0];
    number_text a;
    number_text b;
    number_text name;
    chart c;
    size_t shade;
    size_t i;
    size_t j;
    for (i = 0; i < across * up; i++) {
        low = fmin(low, value[i]);
        high = fmax(high, value[i]);
    }
    page_figure(out);
    chart_begin(&c, out, 230.0, what);
    for (i = 0; i < 2; i++) {
        const schema_column *column = &r->columns.inputs[r->order[i]];
        input_range(&c, (int)i, column, f->at[i], f->count[i]);
    }
    chart_room(&c, c.words[1] ? 50.0 : 0.0);
    chart_axes(&c, r->columns.inputs[r->order[0]].name, r->columns.inputs[r->order[1]].name);
    for (i = 0; i < 2; i++) {
        name_levels(&c, (int)i, &r->columns.inputs[r->order[i]], f->count[i]);
    }
    chart_range(&c, 0, -0.5, (double)across - 0.5, 0.0);
    chart_range(&c, 1, -0.5, (double)up - 0.5, 0.0);
    for (shade = 0; shade < SHADES; shade++) {
        fprintf(out, "<path class=\"b\" fill-opacity=\"%.2f\" d=\"",
                0.06 + 0.94 * (double)shade / (SHADES - 1));
        for (i = 0; i < up; i++) {
            for (j = 0; j < across; j++) {
                size_t first = j;
                while (j < across &&
                       (size_t)fmin((value[i * across + j] - low) / fmax(high - low, 1e-300) * SHADES,
                                    SHADES - 1) == shade) {
                    j++;
                }
                if (j > first) {
                    double x = chart_x(&c, (double)first - 0.5);
                    double y = chart_y(&c, (double)i + 0.5);
                    fprintf(out, "M%.1f %.1fH%.1fV%.1fH%.1fZ", x, y, chart_x(&c, (double)j - 0.5),
                            chart_y(&c, (double)i - 0.5), x);
                }
            }
        }
        fputs("\"/>\n", out);
    }
    chart_end(&c);
    page_caption(out, "%s: %s, from %s (faint) to %s (full).", what,
                 r->about.classes ? report_class(r, r->about.curves == 1, name)
                                  : r->columns.target.name,
                 page_number(a, low), page_number(b, high));
}

int report_inputs(const report *r, FILE *out)
{
    const char *up = r->about.classes ? "Probability" : r->columns.target.name;
    double low = HUGE_VAL;
    double high = -HUGE_VAL;
    size_t k;
    size_t i;
    int code;
    page_section(out, r->inputs.moves != NULL ? "Which inputs matter" : "What the inputs do", NULL);
    page_figures(out);
    if (r->inputs.moves != NULL) {
        draw_relevance(r, out);
    }
    code = draw_weights(r, out);
    page_figures_end(out);
    for (k = 0; k < r->shown; k++) {
        const effect *e = &r->effects[r->order[k]];
        for (i = 0; i < e->count * r->about.curves; i++) {
            low = fmin(low, e->low[i]);
            high = fmax(high, e->high[i]);
        }
    }
    if (!(low <= high)) {
        return code;
    }
    fputs("<p>", out);
    if (r->data.rows.n > 0) {
        page_say(out, "Partial dependence: what the model expects where one input is set to a value and the others "
                      "stay as they are in %lu rows, on average; ticks below are the deciles of the input there.",
                 (unsigned long)r->some.n);
    } else {
        page_say(out, "What the model expects along one input, over the range of the training data, the others at their means.");
    }
    page_say(out, " Bands hold 90 %% of the posterior's functions, without the noise of a single row.");
    say_key(r, out);
    if (r->shown < r->columns.count) {
        page_say(out, " The %lu inputs that move it most.", (unsigned long)r->shown);
    }
    fputs("</p>\n", out);
    page_figures(out);
    for (k = 0; k < r->shown; k++) {
        if (r->effects[r->order[k]].count > 0) {
            draw_effect(r, out, r->order[k], up, low, high);
        }
    }
    page_figures_end(out);
    if (r->both.mean != NULL && r->both.count[0] > 1 && r->both.count[1] > 1) {
        page_figures(out);
        draw_surface(r, out, r->both.mean, "The two that matter most, together");
        draw_surface(r, out, r->both.sd, "How unsure of that: the sd of the posterior's functions");
        page_figures_end(out);
    }
    return code;
}
