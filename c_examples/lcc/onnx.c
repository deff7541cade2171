/* The posterior mean as a graph of ONNX (opset 13), in the wire format of protocol buffers, which is written here by
 * hand: a message is its fields, each a varint of 8 times its number plus its type, then a varint (type 0), or a length
 * and so many bytes (type 2). The field numbers are those of onnx.proto.
 *
 * All draws are evaluated at once: the rows X (N x d) times W (K x d x M), for K draws, are K x N x M. */
#include "convert.h"

#include "cli.h"
#include "model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    unsigned char *at;
    size_t length;
    size_t capacity;
    int failed;
} message;

static void put(message *m, const void *bytes, size_t length)
{
    if (m->capacity - m->length < length && !m->failed) {
        size_t capacity = 2 * m->capacity + length;
        unsigned char *larger = realloc(m->at, capacity);
        if (larger == NULL) {
            m->failed = 1;
        } else {
            m->at = larger;
            m->capacity = capacity;
        }
    }
    if (!m->failed && length > 0) {
        memcpy(m->at + m->length, bytes, length);
        m->length += length;
    }
}

static void put_varint(message *m, uint64_t value)
{
    unsigned char byte;
    for (; value > 127; value >>= 7) {
        byte = (unsigned char)(value | 128);
        put(m, &byte, 1);
    }
    byte = (unsigned char)value;
    put(m, &byte, 1);
}

static void put_number(message *m, uint64_t field, uint64_t value)
{
    put_varint(m, field << 3);
    put_varint(m, value);
}

static void put_bytes(message *m, uint64_t field, const void *bytes, size_t length)
{
    put_varint(m, field << 3 | 2);
    put_varint(m, length);
    put(m, bytes, length);
}

static void put_text(message *m, uint64_t field, const char *text)
{
    put_bytes(m, field, text, strlen(text));
}

/* A message in another, which is given up. */
static void put_message(message *m, uint64_t field, message *inner)
{
    put_bytes(m, field, inner->at, inner->length);
    m->failed |= inner->failed;
    free(inner->at);
    memset(inner, 0, sizeof *inner);
}

enum { FLOAT = 1, INT64 = 7, DOUBLE = 11 };

/* The graph, and the value that its last node gave. */
typedef struct {
    message to;
    int type;
    unsigned count;
    char last[16];
} graph;

/* A constant of these dimensions, those of 0 left out. */
static void constant(graph *g, const char *name, size_t a, size_t b, size_t c, const double *values)
{
    const size_t dims[] = {a, b, c};
    size_t count = 1;
    size_t k;
    size_t byte;
    message own = {NULL, 0, 0, 0};
    message raw = {NULL, 0, 0, 0};
    for (k = 0; k < 3 && dims[k] > 0; k++) {
        put_number(&own, 1, dims[k]);
        count *= dims[k];
    }
    put_number(&own, 2, (uint64_t)g->type);
    put_text(&own, 8, name);
    for (k = 0; k < count; k++) {
        unsigned char bytes[8];
        uint64_t bits = 0;
        size_t width = g->type == FLOAT ? 4 : 8;
        float single = (float)values[k];
        if (g->type == FLOAT) {
            uint32_t narrow;
            memcpy(&narrow, &single, sizeof narrow);
            bits = narrow;
        } else if (g->type == DOUBLE) {
            memcpy(&bits, &values[k], sizeof bits);
        } else {
            bits = (uint64_t)values[k];
        }
        for (byte = 0; byte < width; byte++) {
            bytes[byte] = (unsigned char)(bits >> (8 * byte));
        }
        put(&raw, bytes, width);
    }
    put_message(&own, 9, &raw);
    put_message(&g->to, 5, &own);
}

/* An attribute: integers, or one where `list` is not set. */
static void attribute(message *node, const char *name, int list, uint64_t value)
{
    message own = {NULL, 0, 0, 0};
    put_text(&own, 1, name);
    put_number(&own, list ? 8 : 3, value);
    put_number(&own, 20, list ? 7 : 2);
    put_message(node, 5, &own);
}

/* A node of one or two inputs, named `result` or by its number; ReduceMean is over `axis`, Softmax and others
 * of axes along it. */
static const char *node(graph *g, const char *type, const char *first, const char *second, const char *result,
                        uint64_t axis)
{
    message own = {NULL, 0, 0, 0};
    int softmax = strcmp(type, "Softmax") == 0;
    int mean = strcmp(type, "ReduceMean") == 0;
    put_text(&own, 1, first);
    if (second != NULL) {
        put_text(&own, 1, second);
    }
    if (result != NULL) {
        (void)snprintf(g->last, sizeof g->last, "%s", result);
    } else {
        (void)snprintf(g->last, sizeof g->last, "v%u", ++g->count);
    }
    put_text(&own, 2, g->last);
    put_text(&own, 4, type);
    if (softmax || strcmp(type, "Gather") == 0 || strcmp(type, "Concat") == 0) {
        attribute(&own, "axis", 0, axis);
    } else if (mean) {
        attribute(&own, "axes", 1, axis);
        attribute(&own, "keepdims", 0, 0);
    }
    put_message(&g->to, 1, &own);
    return g->last;
}

/* The same with a number. */
static void with(graph *g, const char *type, double value)
{
    char name[24];
    char before[16];
    (void)snprintf(name, sizeof name, "number%u", ++g->count);
    (void)snprintf(before, sizeof before, "%s", g->last);
    constant(g, name, 0, 0, 0, &value);
    (void)node(g, type, before, name, NULL, 0);
}

static void then(graph *g, const char *type)
{
    char before[16];
    (void)snprintf(before, sizeof before, "%s", g->last);
    (void)node(g, type, before, NULL, NULL, 0);
}

/* psi of the last value. */
static void activate(graph *g, int32_t activation)
{
    static const struct {
        int32_t activation;
        const char *type;
    } nodes[] = {
        {LCC_ACTIVATION_TANH, "Tanh"},
        {LCC_ACTIVATION_LOGISTIC, "Sigmoid"},
        {LCC_ACTIVATION_SOFTPLUS, "Softplus"},
        {LCC_ACTIVATION_ERF, "Erf"},
        {LCC_ACTIVATION_SINE, "Sin"},
        {LCC_ACTIVATION_ARCTAN, "Atan"},
        {LCC_ACTIVATION_RELU, "Relu"},
    };
    char z[16];
    size_t k;
    for (k = 0; k < sizeof nodes / sizeof *nodes; k++) {
        if (nodes[k].activation == activation) {
            then(g, nodes[k].type);
            return;
        }
    }
    (void)snprintf(z, sizeof z, "%s", g->last);
    switch (activation) {
    case LCC_ACTIVATION_SQUARED_RELU:
        then(g, "Relu");
        (void)node(g, "Mul", g->last, g->last, NULL, 0);
        with(g, "Mul", 0.5);
        break;
    case LCC_ACTIVATION_GAUSSIAN_BUMP:
        (void)node(g, "Mul", z, z, NULL, 0);
        with(g, "Mul", -0.5);
        then(g, "Exp");
        break;
    case LCC_ACTIVATION_GELU:
        with(g, "Mul", sqrt(0.5));
        then(g, "Erf");
        with(g, "Add", 1.0);
        with(g, "Mul", 0.5);
        (void)node(g, "Mul", z, g->last, NULL, 0);
        break;
    default:
        then(g, "Sigmoid");
        (void)node(g, "Mul", z, g->last, NULL, 0);
        break;
    }
}

/* The weights from `at` on of every draw, as K x below x units, transposed from units x below; or biases, K x 1 x units,
 * for `below` 0. 0 or EXIT_FAILED. */
static int weights(graph *g, const char *name, const parts *p, size_t at, size_t units, size_t below)
{
    size_t rows = below == 0 ? 1 : below;
    size_t draws = p->info.draws;
    double *values = allocate(draws * rows * units, sizeof *values);
    size_t k;
    size_t i;
    size_t j;
    for (k = 0; values != NULL && k < draws; k++) {
        const double *from = p->values + k * p->info.values + at;
        for (i = 0; i < rows; i++) {
            for (j = 0; j < units; j++) {
                values[(k * rows + i) * units + j] = from[j * rows + i];
            }
        }
    }
    if (values != NULL) {
        constant(g, name, draws, rows, units, values);
    }
    free(values);
    return values == NULL ? EXIT_FAILED : 0;
}

/* The outputs of all draws at the standardised rows "inputs". */
static int network(graph *g, const parts *p)
{
    char name[24];
    char bias[24];
    char sum[16] = "";
    size_t units = 0;
    size_t below = 0;
    size_t at = 0;
    size_t l;
    int code = 0;
    (void)snprintf(g->last, sizeof g->last, "inputs");
    for (l = 0; l <= p->depth && code == 0; l++) {
        at = parts_layer(p, l, &units, &below);
        (void)snprintf(name, sizeof name, "weights%lu", (unsigned long)l + 1);
        (void)snprintf(bias, sizeof bias, "biases%lu", (unsigned long)l + 1);
        if (below > 0) {
            code = weights(g, name, p, at, units, below);
            (void)node(g, "MatMul", g->last, name, NULL, 0);
        }
        THEN(code, weights(g, bias, p, at + units * below, units, 0));
        at += units * (below + 1);
        if (below > 0) {
            (void)node(g, "Add", g->last, bias, NULL, 0);
        }
        if (l < p->depth) {
            activate(g, p->info.activation);
        }
    }
    if (p->direct > 0 && code == 0) {
        (void)snprintf(sum, sizeof sum, "%s", p->depth > 0 ? g->last : "");
        code = weights(g, "direct", p, at, units, p->inputs);
        (void)node(g, "MatMul", "inputs", "direct", NULL, 0);
        (void)node(g, "Add", g->last, p->depth > 0 ? sum : bias, NULL, 0);
    }
    return code;
}

/* The columns of a value along its last axis, from `first` on; their number kept even where it is one. */
static int columns(graph *g, const char *name, const char *from, uint64_t axis, size_t first, size_t count)
{
    double *indices = allocate(count, sizeof *indices);
    int type = g->type;
    size_t k;
    if (indices == NULL) {
        return EXIT_FAILED;
    }
    for (k = 0; k < count; k++) {
        indices[k] = (double)(first + k);
    }
    g->type = INT64;
    constant(g, name, count, 0, 0, indices);
    g->type = type;
    (void)node(g, "Gather", from, name, NULL, axis);
    free(indices);
    return 0;
}

/* The mean of y over draws, from the outputs: "mean", N x 1, or "probabilities", N x classes. */
static int mean(graph *g, const parts *p)
{
    const lcc_model_info *info = &p->info;
    char draws[16];
    double zero = 0.0;
    int classes = info->output == LCC_OUTPUT_SOFTMAX;
    int code = 0;
    if (info->output == LCC_OUTPUT_MEAN_VARIANCE) {
        code = columns(g, "first", g->last, 2, 0, 1);
    } else if (info->output == LCC_OUTPUT_BERNOULLI) {
        then(g, "Sigmoid");
    } else if (classes) {
        if (info->reference) {
            (void)snprintf(draws, sizeof draws, "%s", g->last);
            code = columns(g, "first", g->last, 2, 0, 1);
            constant(g, "zero", 0, 0, 0, &zero);
            (void)node(g, "Mul", g->last, "zero", NULL, 0);
            (void)node(g, "Concat", g->last, draws, NULL, 2);
        }
        (void)node(g, "Softmax", g->last, NULL, NULL, 2);
    } else if (info->output == LCC_OUTPUT_POISSON || info->output == LCC_OUTPUT_NEGATIVE_BINOMIAL) {
        then(g, "Exp");
    }
    (void)node(g, "ReduceMean", g->last, NULL, NULL, 0);
    if (model_of_classes(info) && !classes) {
        /* Of two classes both. */
        (void)snprintf(draws, sizeof draws, "%s", g->last);
        with(g, "Mul", -1.0);
        with(g, "Add", 1.0);
        (void)node(g, "Concat", g->last, draws, NULL, 1);
    }
    if (info->exposure) {
        (void)snprintf(draws, sizeof draws, "%s", g->last);
        THEN(code, columns(g, "exposure", "x", 1, p->inputs, 1));
        (void)node(g, "Mul", g->last, draws, NULL, 0);
    }
    if (!model_of_classes(info)) {
        with(g, "Mul", p->sd[info->inputs]);
        with(g, "Add", p->mean[info->inputs]);
        (void)node(g, "Identity", g->last, NULL, "mean", 0);
        return code;
    }
    /* P^(1/t), divided by its sum. */
    then(g, "Log");
    with(g, "Mul", 1.0 / p->sd[info->inputs]);
    (void)node(g, "Softmax", g->last, NULL, "probabilities", 1);
    return code;
}

/* Rows of so many numbers. */
static void value(message *g, uint64_t field, const char *name, int type, size_t count)
{
    message rows = {NULL, 0, 0, 0};
    message cells = {NULL, 0, 0, 0};
    message shape = {NULL, 0, 0, 0};
    message tensor = {NULL, 0, 0, 0};
    message kind = {NULL, 0, 0, 0};
    message own = {NULL, 0, 0, 0};
    put_text(&rows, 2, "rows");
    put_number(&cells, 1, count);
    put_message(&shape, 1, &rows);
    put_message(&shape, 1, &cells);
    put_number(&tensor, 1, (uint64_t)type);
    put_message(&tensor, 2, &shape);
    put_message(&kind, 1, &tensor);
    put_text(&own, 1, name);
    put_message(&own, 2, &kind);
    put_message(g, field, &own);
}

/* What the columns of "x" are. */
static void describe(message *g, const parts *p)
{
    message text = {NULL, 0, 0, 0};
    column_text column;
    size_t k;
    put(&text, "The mean of the posterior predictive law. Columns of x: ", 56);
    for (k = 0; k < p->info.inputs; k++) {
        const char *name = parts_column(p, k, column);
        put(&text, "; ", k == 0 ? 0 : 2);
        put(&text, name, strlen(name));
    }
    put_message(g, 10, &text);
}

int onnx_write(FILE *out, const char *path, const parts *p)
{
    const lcc_model_info *info = &p->info;
    int classes = model_of_classes(info);
    graph g;
    message model = {NULL, 0, 0, 0};
    message opset = {NULL, 0, 0, 0};
    int code;
    if (info->output == LCC_OUTPUT_MIXTURE || info->output == LCC_OUTPUT_ORDINAL ||
        info->output == LCC_OUTPUT_LOG_NORMAL || info->output == LCC_OUTPUT_HURDLE_LOG_NORMAL) {
        return fail("%s: the mean of --output %s is not written as ONNX: --to json has all that it is made of",
                    path, lcc_output_name(info->output));
    }
    memset(&g, 0, sizeof g);
    g.type = info->precision == 32 ? FLOAT : DOUBLE;
    code = columns(&g, "columns", "x", 1, 0, p->inputs);
    constant(&g, "means", p->inputs, 0, 0, p->mean);
    constant(&g, "sds", p->inputs, 0, 0, p->sd);
    (void)node(&g, "Sub", g.last, "means", NULL, 0);
    (void)node(&g, "Div", g.last, "sds", "inputs", 0);
    THEN(code, network(&g, p));
    THEN(code, mean(&g, p));
    put_text(&g.to, 2, "lcc");
    describe(&g.to, p);
    value(&g.to, 11, "x", g.type, info->inputs);
    value(&g.to, 12, g.last, g.type, classes ? (info->output == LCC_OUTPUT_BERNOULLI ? 2 : info->categories) : 1);
    put_number(&model, 1, 7);
    put_text(&model, 2, "lcc");
    put_text(&model, 3, lcc_version());
    put_number(&opset, 2, 13);
    put_message(&model, 7, &g.to);
    put_message(&model, 8, &opset);
    if (code == 0 && model.failed) {
        code = fail("not enough memory");
    }
    if (code == 0) {
        (void)fwrite(model.at, 1, model.length, out);
    }
    free(model.at);
    return code;
}
