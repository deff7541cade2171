/* A sensor that drifts. The model of 2011-2013 lies in flash; the rows of 2014-2015 come one after another, each is
 * predicted and then learnt from. Three ways: the model as it was; the model whose draws each update the head of
 * their network with every row; and a window of the last rows on which networks are refitted a few steps at a time.
 * The last two take turns in the same memory. */
#include "configure.h"
#include "drift_model.table.h"
#include "judge.h"
#include "port.h"
#include "port/text.h"
#include "sizes.h"
#include "window.h"

static _Alignas(16) unsigned char memory[DRIFT_STREAM > WINDOW_BYTES ? DRIFT_STREAM : WINDOW_BYTES];
static _Alignas(16) unsigned char scratch[DRIFT_SCRATCH];

/* How a way of predicting fares. */
struct fate {
    float squares;
    unsigned inside;
    uint64_t cost;
    uint64_t longest;
    uint64_t hash;
};

static const struct fate unknown = {0.0f, 0, 0, 0, HASH_EMPTY};

static void meet(struct fate *fate, const lcc_prediction_f32 *p, float y, uint64_t cost)
{
    fate->squares += (y - p->mean) * (y - p->mean);
    fate->inside += p->lower <= y && y <= p->upper;
    fate->cost += cost;
    fate->longest = cost > fate->longest ? cost : fate->longest;
    fate->hash = hash_bytes(fate->hash, p, sizeof *p);
}

static void report_of(const char *what, const char *name, uint64_t value)
{
    text("# ");
    text(what);
    text(name);
    text(" ");
    text_unsigned(value);
    text("\n");
}

static void tell(const char *name, const struct fate *fate)
{
    const float error = root(fate->squares / ROWS_LATE);
    text(name);
    text(": error (RMSE) ");
    text_decimal(error, 2);
    text(", ");
    text_unsigned(fate->inside);
    text(" of ");
    text_unsigned(ROWS_LATE);
    text(" rows inside their interval of .9\n");
    report_of("rmse_thousandths_", name, (uint32_t)(1000.0f * error));
    report_of("covered_permille_", name, fate->inside * 1000 / ROWS_LATE);
    report_of("instructions_row_", name, fate->cost / ROWS_LATE);
    report_of("instructions_longest_row_", name, fate->longest);
}

/* The model as it was. */
static struct fate frozen(const unsigned char *model, size_t length)
{
    struct fate fate = unknown;
    int i;
    for (i = 0; i < ROWS_LATE; i++) {
        const lcc_data_f32 row = {&rows_late_x[i * ROWS_INPUTS], NULL, 1, ROWS_INPUTS, ROWS_INPUTS, 1};
        const uint64_t clock = port_clock();
        lcc_prediction_f32 p;
        check(lcc_model_predict_f32(model, length, &row, 0.9f, scratch, sizeof scratch, &p, 1), "predict");
        meet(&fate, &p, rows_late_y[i], port_clock() - clock);
    }
    return fate;
}

/* Recursive heads with forgetting. */
static struct fate stream(const unsigned char *model, size_t length)
{
    struct fate fate = unknown;
    lcc_stream_options_f32 options;
    lcc_stream_f32 *handle;
    size_t bytes = 0;
    int i;
    check(configure_stream(&options), "options");
    check(lcc_stream_size_f32(&options, model, length, &bytes), "size");
    if (bytes != DRIFT_STREAM) {
        text("the size is not what the host said\n");
        port_exit(1);
    }
    check(lcc_stream_init_f32(memory, sizeof memory, &options, model, length, &handle), "init");
    for (i = 0; i < ROWS_LATE; i++) {
        const float *row = &rows_late_x[i * ROWS_INPUTS];
        const uint64_t clock = port_clock();
        lcc_prediction_f32 p;
        check(lcc_stream_predict_f32(handle, row, ROWS_INPUTS, 0.9f, &p), "predict");
        check(lcc_stream_observe_f32(handle, row, ROWS_INPUTS, rows_late_y[i], NULL), "observe");
        meet(&fate, &p, rows_late_y[i], port_clock() - clock);
    }
    return fate;
}

/* A window that is refitted. */
static struct fate window(const unsigned char *model, size_t length)
{
    struct fate fate = unknown;
    int i;
    window_begin(memory, model, length);
    for (i = 0; i < ROWS_LATE; i++) {
        const float *row = &rows_late_x[i * ROWS_INPUTS];
        const uint64_t clock = port_clock();
        const lcc_prediction_f32 p = window_predict(row);
        window_learn(row, rows_late_y[i]);
        meet(&fate, &p, rows_late_y[i], port_clock() - clock);
    }
    return fate;
}

int program(void)
{
    size_t length;
    const unsigned char *model = drift_model_image(&length);
    const struct fate fates[3] = {frozen(model, length), stream(model, length), window(model, length)};
    static const char *const names[3] = {"frozen", "stream", "window"};
    uint64_t hash = HASH_EMPTY;
    int i;
    for (i = 0; i < 3; i++) {
        tell(names[i], &fates[i]);
        hash = hash_bytes(hash, &fates[i].hash, sizeof fates[i].hash);
    }
    report_hash("hash", hash);
    report("rows", ROWS_LATE);
    report("stack", port_stack());
    return 0;
}
