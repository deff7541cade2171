#include "window.h"

#include "configure.h"
#include "port/text.h"
#include "sizes.h"

/* Two models, of which one predicts while the other is refitted. */
static struct {
    const unsigned char *model;
    size_t length;
    unsigned char *memory, *store, *snapshot, *models[2], *scratch;
    unsigned spare;
    size_t held;
    lcc_window_f32 *window;
    lcc_network_f32 *network;
} own;

void window_begin(unsigned char *memory, const unsigned char *image, size_t length)
{
    own.model = image;
    own.length = length;
    own.memory = memory;
    own.store = own.memory + WINDOW_NETWORK;
    own.snapshot = own.store + WINDOW_STORE;
    own.scratch = own.snapshot + WINDOW_STORE;
    own.models[0] = own.scratch + WINDOW_SCRATCH;
    own.models[1] = own.models[0] + WINDOW_MODEL;
    own.network = NULL;
    own.spare = 0;
    own.held = 0;
    check(lcc_window_init_f32(own.store, WINDOW_STORE, WINDOW_ROWS, ROWS_INPUTS, &own.window), "window");
}

lcc_prediction_f32 window_predict(const float *row)
{
    const lcc_data_f32 one = {row, NULL, 1, ROWS_INPUTS, ROWS_INPUTS, 1};
    lcc_prediction_f32 p;
    check(lcc_model_predict_f32(own.model, own.length, &one, 0.9f, own.scratch, WINDOW_SCRATCH, &p, 1), "predict");
    return p;
}

/* From the draws of the last refit, on the rows as they are now: a window is moved by copying it. */
static void begin_refit(void)
{
    lcc_network_options_f32 options;
    lcc_data_f32 data;
    size_t k;
    for (k = 0; k < WINDOW_STORE; k++) {
        own.snapshot[k] = own.store[k];
    }
    check(lcc_window_data_f32((const lcc_window_f32 *)(const void *)own.snapshot, &data), "snapshot");
    check(configure_window(&options), "options");
    check(lcc_network_init_from_f32(own.memory, WINDOW_NETWORK, &options, &data, own.model, own.length, &own.network),
          "refit");
}

void window_learn(const float *row, float y)
{
    lcc_data_f32 data;
    check(lcc_window_push_f32(own.window, row, ROWS_INPUTS, y), "push");
    own.held++;
    if (own.network == NULL) {
        if (own.held >= WINDOW_FEWEST) {
            begin_refit();
        }
        return;
    }
    check(lcc_window_data_f32((const lcc_window_f32 *)(const void *)own.snapshot, &data), "snapshot");
    {
        const uint64_t transition = data.n * (WINDOW_LEAPFROGS + 3);
        const int32_t status = lcc_network_step_f32(own.network, &data, WINDOW_TRANSITIONS * transition);
        check(status, "step");
        if (status == LCC_DONE) {
            check(lcc_network_write_model_f32(own.network, own.models[own.spare], WINDOW_MODEL, &own.length), "model");
            own.model = own.models[own.spare];
            own.spare = 1 - own.spare;
            begin_refit();
        }
    }
}
