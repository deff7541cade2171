#include "report.h"

#include "args.h"
#include "files.h"
#include "model.h"
#include "names.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* How much is looked at. */
enum { EFFECT_ROWS = 100, SURFACE_ROWS = 40, MOST_EFFECTS = 12, MOST_COLUMNS = 60 };

typedef struct {
    const char *model;
    const char *data;
    const char *target;
    const char *out;
    const char *unknown;
    const char *delimiter;
    double interval;
    int unknown_mean;
} report_flags;

static int parse(report_flags *flags, int argc, char **argv)
{
    const arg_option options[] = {
        {"--model", ARG_TEXT, &flags->model, 0, 0},
        {"--data", ARG_TEXT, &flags->data, 0, 0},
        {"--target", ARG_TEXT, &flags->target, 0, 0},
        {"-o", ARG_TEXT, &flags->out, 0, 0},
        {"--unknown", ARG_TEXT, &flags->unknown, 0, 0},
        {"--delimiter", ARG_TEXT, &flags->delimiter, 0, 0},
        {"--interval", ARG_REAL, &flags->interval, 0, 1},
        {NULL, ARG_SWITCH, NULL, 0, 0},
    };
    int code = args_parse("report", options, argc, argv);
    THEN(code, names_unknown(flags->unknown, &flags->unknown_mean));
    return code == 0 && flags->model == NULL ? wrong_usage("report: --model is missing") : code;
}

const char *report_class(const report *r, size_t c, number_text text)
{
    const schema_column *target = &r->columns.target;
    (void)snprintf(text, sizeof(number_text), "%lu", (unsigned long)c);
    return c < target->levels ? target->level[c] : text;
}

/* What no one has to say of the image and the rows. */
static int judge(report *r)
{
    const dataset *rows = &r->data.rows;
    network_fit fitted;
    int code;
    if (rows->n == 0) {
        return 0;
    }
    r->judged = rows->y != NULL;
    code = model_predict(r->about.image, r->about.bytes, rows, r->level, &r->p);
    if (code != 0 || !r->judged) {
        return code;
    }
    r->scores = predictions_evaluate(&r->p, rows->y);
    if (r->about.classes) {
        memset(&fitted, 0, sizeof fitted);
        /* The image is only read. */
        fitted.model = (unsigned char *)(uintptr_t)r->about.image;
        fitted.model_bytes = r->about.bytes;
        code = noise_judge(&r->noise, &fitted, rows, rows, &r->p, 1, &r->scores.noise);
    }
    THEN(code, relevance_tell(r->about.image, r->about.bytes, rows, &r->columns, 1, &r->inputs));
    return code;
}

/* The rows that effects are over: of the data, or all means. */
static int middle(report *r)
{
    dataset *one = &r->some;
    int code;
    if (r->data.rows.n > 0) {
        return dataset_spread(one, &r->data.rows, EFFECT_ROWS);
    }
    memset(one, 0, sizeof *one);
    one->n = 1;
    one->d = schema_width(&r->columns);
    code = dataset_reserve(one, 0);
    if (code == 0) {
        schema_middle(&r->columns, one->x);
    }
    return code;
}

/* By how far predictions move where rows tell it, else by how far their mean goes. */
static double weight(const report *r, size_t input)
{
    return r->inputs.moves != NULL ? r->inputs.moves[input] : r->effects[input].move;
}

static void put_in_order(report *r)
{
    size_t k;
    for (k = 0; k < r->columns.count; k++) {
        size_t at = k;
        for (; at > 0 && weight(r, r->order[at - 1]) < weight(r, k); at--) {
            r->order[at] = r->order[at - 1];
        }
        r->order[at] = k;
    }
}

static int look_at_inputs(report *r)
{
    size_t count = r->columns.count;
    dataset few;
    size_t k;
    int code = middle(r);
    r->order = allocate(count, sizeof *r->order);
    r->effects = allocate(count, sizeof *r->effects);
    THEN(code, r->order == NULL || r->effects == NULL ? EXIT_FAILED : 0);
    if (code != 0) {
        return code;
    }
    r->shown = count < MOST_EFFECTS ? count : MOST_EFFECTS;
    if (r->inputs.moves != NULL) {
        put_in_order(r);
    }
    for (k = 0; code == 0 && k < (r->inputs.moves != NULL ? r->shown : count); k++) {
        size_t input = r->inputs.moves != NULL ? r->order[k] : k;
        code = effect_tell(&r->about, &r->some, input, &r->effects[input]);
    }
    if (r->inputs.moves == NULL) {
        put_in_order(r);
    }
    memset(&few, 0, sizeof few);
    if (code == 0 && count > 1) {
        code = dataset_spread(&few, &r->some, SURFACE_ROWS);
        THEN(code, surface_tell(&r->about, &few, r->order[0], r->order[1], &r->both));
        dataset_free(&few);
    }
    return code;
}

/* Columns of a model that knows none: the names that the rows have, or x1, x2, ...; their ranges, or two sds about the
 * means that standardised them. */
static int unnamed(report *r, const model_wish *wish)
{
    size_t d = r->about.info.inputs;
    double *units = allocate(2 * (d + 1), sizeof *units);
    schema *s = &r->columns;
    char name[24];
    size_t i;
    int code = units == NULL ? EXIT_FAILED : 0;
    THEN(code, wish->path != NULL ? model_rows(NULL, wish, &r->data) : 0);
    THEN(code, checked(r->model_path, lcc_model_units_f64(r->about.image, r->about.bytes, units,
                                                          units + d + 1, d + 1)));
    if (code == 0 && wish->path != NULL && r->data.rows.d != d) {
        code = fail("%s: has %lu inputs, the model was fitted to %lu", wish->path,
                    (unsigned long)r->data.rows.d, (unsigned long)d);
    }
    s->inputs = code == 0 ? allocate(d, sizeof *s->inputs) : NULL;
    s->exposure = r->about.info.exposure != 0;
    for (; code == 0 && s->inputs != NULL && s->count < d; s->count++) {
        size_t k = s->count;
        schema_column *c = &s->inputs[k];
        const char *own = name;
        (void)snprintf(name, sizeof name, "x%lu", (unsigned long)k + 1);
        if (r->data.rows.n > 0) {
            own = r->data.table.names[r->data.rows.source[k]];
        }
        c->name = copy_text(own, strlen(own));
        c->fill = allocate(1, sizeof *c->fill);
        if (c->name == NULL || c->fill == NULL) {
            code = EXIT_FAILED;
            continue;
        }
        *c->fill = units[k];
        c->least = units[k] - 2.0 * units[d + 1 + k];
        c->greatest = units[k] + 2.0 * units[d + 1 + k];
        for (i = 0; i < r->data.rows.n; i++) {
            double x = r->data.rows.x[i * d + k];
            c->least = i == 0 ? x : fmin(c->least, x);
            c->greatest = i == 0 ? x : fmax(c->greatest, x);
        }
    }
    s->target.name = copy_text(model_target(NULL, wish), strlen(model_target(NULL, wish)));
    free(units);
    return s->inputs == NULL || s->target.name == NULL ? EXIT_FAILED : code;
}

static int gather(report *r, const report_flags *flags)
{
    const model_wish wish = {flags->data, flags->target, flags->delimiter, TARGET_OPTIONAL,
                             flags->unknown_mean};
    int has = 0;
    int code = checked(flags->model,
                       lcc_model_check(r->about.image, r->about.bytes, &r->about.info));
    THEN(code, model_schema(r->about.image, r->about.bytes, flags->model, &r->columns, &has));
    THEN(code, has ? 0 : unnamed(r, &wish));
    r->about.columns = &r->columns;
    r->about.classes = model_of_classes(&r->about.info);
    r->about.curves = !r->about.classes || r->about.info.categories <= 2 ? 1
                      : r->about.info.categories < 4                     ? r->about.info.categories
                                                                         : 4;
    if (flags->data != NULL && has) {
        THEN(code, model_rows(&r->columns, &wish, &r->data));
    }
    THEN(code, judge(r));
    THEN(code, look_at_inputs(r));
    return code;
}

/* ", "-separated names of the inputs that matter about as much as the first, at most three. */
static void say_inputs(const report *r, FILE *out)
{
    double first = weight(r, r->order[0]);
    size_t most = 1;
    size_t idle = 0;
    size_t k;
    for (k = 1; k < r->columns.count; k++) {
        most += most == k && k < 3 && weight(r, r->order[k]) > 0.4 * first;
        idle += weight(r, r->order[k]) < 0.05 * first;
    }
    for (k = 0; k < most; k++) {
        page_say(out, "%s%s", k == 0 ? "" : k + 1 < most ? ", " : " and ",
                 r->columns.inputs[r->order[k]].name);
    }
    page_say(out, " %s it most", most == 1 ? "moves" : "move");
    if (idle > 0) {
        page_say(out, "; %lu of its %lu inputs hardly matter%s", (unsigned long)idle,
                 (unsigned long)r->columns.count, idle == 1 ? "s" : "");
    }
    page_say(out, ".");
}

static void say_how_well(const report *r, FILE *out)
{
    number_text a;
    number_text b;
    if (!r->judged) {
        page_say(out, "It tells %s from %lu inputs; how well is not known here, as no rows with measured values were "
                      "given.",
                 r->columns.target.name, (unsigned long)r->columns.count);
    } else if (r->about.classes) {
        page_say(out, "It names the right %s in %.1f %% of %lu rows.", r->columns.target.name,
                 100.0 * r->scores.scored.accuracy, (unsigned long)r->p.n);
    } else {
        page_say(out, "It tells %s of %lu rows with a typical error of %s, where their mean alone would err by %s.",
                 r->columns.target.name, (unsigned long)r->p.n, page_number(a, r->scores.rmse),
                 page_number(b, dataset_target_sd(&r->data.rows)));
    }
}

static void say_how_sure(const report *r, FILE *out)
{
    const char *kind = r->about.classes ? "sets" : "intervals";
    int whole = r->about.info.output == LCC_OUTPUT_POISSON ||
                r->about.info.output == LCC_OUTPUT_NEGATIVE_BINOMIAL;
    double held = r->about.classes ? r->scores.scored.coverage : r->scores.coverage;
    double error = sqrt(r->level * (1.0 - r->level) / (double)(r->p.n > 0 ? r->p.n : 1));
    if (!r->judged) {
        if (r->about.info.draws == 1) {
            page_say(out, "It is one network, which does not tell how unsure it is of its function.");
        } else {
            page_say(out, "It is the average of %lu networks, whose spread is the width of the bands below.",
                     (unsigned long)r->about.info.draws);
        }
        return;
    }
    page_say(out, "Its %g %% %s hold %.1f %% of them, ", 100.0 * r->level, kind, 100.0 * held);
    if (held < r->level - 2.0 * error) {
        page_say(out, "fewer than promised: it is too sure of itself here.");
    } else if (held > r->level + 2.0 * error) {
        page_say(out, r->about.classes ? "more than promised, as sets of whole classes tend to."
                      : whole        ? "more than promised, as intervals of whole numbers tend to."
                                     : "more than promised: it is more cautious than these rows ask for.");
    } else {
        page_say(out, "as promised.");
    }
}

static void write_columns(const report *r, FILE *out)
{
    static const char *const headings[] = {"Input", "Kind", "Least in training", "Mean",
                                           "Greatest", NULL};
    size_t count = r->columns.count < MOST_COLUMNS ? r->columns.count : MOST_COLUMNS;
    number_text text;
    size_t k;
    size_t j;
    page_section(out, "Columns", NULL);
    page_table(out, headings);
    for (k = 0; k < count; k++) {
        const schema_column *c = &r->columns.inputs[k];
        int exposure = r->columns.exposure && k + 1 == r->columns.count;
        page_row(out, "%s", c->name);
        page_cell(out, "%s%s", exposure ? "exposure" : c->levels > 0 ? "words" : "number",
                  c->indicator ? ", may be missing" : "");
        if (c->levels > 0) {
            fputs("<td colspan=\"3\">", out);
            for (j = 0; j < c->levels && j < 8; j++) {
                page_say(out, "%s%.40s", j == 0 ? "" : ", ", c->level[j]);
            }
            fputs(c->levels > 8 ? ", ...</td>" : "</td>", out);
        } else {
            int known = c->least <= c->greatest;
            page_cell(out, "%s", known ? page_number(text, c->least) : "");
            page_cell(out, "%s", page_number(text, c->fill[0]));
            page_cell(out, "%s", known ? page_number(text, c->greatest) : "");
        }
        page_row_end(out);
    }
    page_table_end(out);
    if (count < r->columns.count) {
        fputs("<p class=\"note\">", out);
        page_say(out, "and %lu more.", (unsigned long)(r->columns.count - count));
        fputs("</p>\n", out);
    }
}

static int write_provenance(const report *r, FILE *out)
{
    const lcc_model_info *info = &r->about.info;
    layers_text layers;
    size_t length = 0;
    page_section(out, "Where this comes from", NULL);
    page_table(out, NULL);
    page_fact(out, "Model", "%s, %lu bytes, FNV-1a %016" PRIx64, r->model_path,
              (unsigned long)r->about.bytes,
              checksum(CHECKSUM_EMPTY, r->about.image, r->about.bytes));
    page_fact(out, "Output", "%s", lcc_output_name(info->output));
    page_fact(out, "Units of hidden layers", "%s",
              model_layers(info, layers));
    page_fact(out, "Activation", "%s", lcc_activation_name(info->activation));
    page_fact(out, "Precision", "%" PRIu32 " bits", info->precision);
    if (info->linearised) {
        page_fact(out, "Draws", "%s", "of the network linearised at the mode");
    }
    if (r->about.classes) {
        page_fact(out, "Temperature of probabilities", "%.4g", (double)info->temperature);
    }
    page_fact(out, "Cost of a prediction", "some %.3g multiplications",
              (double)info->values * (double)info->draws);
    if (r->data_path != NULL && strcmp(r->data_path, "-") != 0) {
        unsigned char *bytes = file_read(r->data_path, &length);
        if (bytes == NULL) {
            return EXIT_FAILED;
        }
        page_fact(out, "Data", "%s, %lu bytes, FNV-1a %016" PRIx64, r->data_path,
                  (unsigned long)length, checksum(CHECKSUM_EMPTY, bytes, length));
        free(bytes);
    }
    report_note(r, out, 0);
    page_fact(out, "Written by", "lcc %s", lcc_version());
    page_table_end(out);
    return 0;
}

static int write_page(const report *r, FILE *out)
{
    char title[200];
    int code = 0;
    (void)snprintf(title, sizeof title, "What was learnt of %.160s", r->columns.target.name);
    page_begin(out, title);
    fputs("<p class=\"by\">", out);
    page_say(out, "Model %s", r->model_path);
    if (r->data_path != NULL) {
        page_say(out, ", judged by %lu rows of %s", (unsigned long)r->data.rows.n, r->data_path);
    }
    fputs("</p>\n<div class=\"lead\">\n<p>", out);
    say_how_well(r, out);
    fputs("</p>\n<p>", out);
    say_how_sure(r, out);
    fputs("</p>\n<p>", out);
    say_inputs(r, out);
    fputs("</p>\n</div>\n", out);
    if (r->judged) {
        code = r->about.classes ? report_classes(r, out) : report_numbers(r, out);
    }
    THEN(code, report_inputs(r, out));
    THEN(code, report_draws(r, out));
    if (code == 0) {
        write_columns(r, out);
    }
    THEN(code, write_provenance(r, out));
    page_end(out);
    return code;
}

int report_command(int argc, char **argv)
{
    report_flags flags = {NULL, NULL, NULL, "report.html", "refuse", NULL, 0.9, 0};
    outputs files;
    report r;
    unsigned char *image = NULL;
    FILE *out = NULL;
    size_t k;
    int code;
    memset(&files, 0, sizeof files);
    memset(&r, 0, sizeof r);
    code = parse(&flags, argc, argv);
    if (code == 0) {
        outputs_protect(&files, flags.data);
        outputs_protect(&files, flags.model);
        r.model_path = flags.model;
        r.data_path = flags.data;
        r.level = flags.interval;
        image = file_read(flags.model, &r.about.bytes);
        r.about.image = image;
        code = image == NULL ? EXIT_FAILED : 0;
    }
    THEN(code, gather(&r, &flags));
    THEN(code, outputs_add(&files, flags.out, &out));
    THEN(code, write_page(&r, out));
    THEN(code, outputs_publish(&files));
    outputs_discard(&files);
    surface_free(&r.both);
    for (k = 0; r.effects != NULL && k < r.columns.count; k++) {
        effect_free(&r.effects[k]);
    }
    free(r.effects);
    free(r.order);
    dataset_free(&r.some);
    relevance_free(&r.inputs);
    noise_free(&r.noise);
    predictions_free(&r.p);
    row_file_free(&r.data);
    schema_free(&r.columns);
    free(image);
    return code;
}
