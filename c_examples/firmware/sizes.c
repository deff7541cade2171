/* Runs on the computer that builds, and prints how much memory the programs take on the board: the sizes are the
 * same everywhere, as no object holds a pointer or a size_t. The programs check that, when they start. */
#include "configure.h"
#include "drift_model.h"
#include "model.h"

#include <stdio.h>
#include <stdlib.h>

static void print(const char *name, size_t bytes)
{
    printf("#define %s %lu\n", name, (unsigned long)bytes);
}

static void need(int32_t status)
{
    if (status != LCC_OK) {
        fprintf(stderr, "sizes: %s\n", lcc_status_message(status));
        exit(EXIT_FAILURE);
    }
}

/* The memory of a regressor, of its model, and of a checkpoint. */
static void network(const char *prefix, const lcc_network_options_f32 *options, const lcc_data_f32 *data)
{
    char name[64];
    size_t bytes;
    size_t model;
    size_t checkpoint;
    lcc_network_f32 *handle;
    void *memory;
    need(lcc_network_size_f32(options, data->n, data->d, &bytes));
    memory = malloc(bytes);
    if (memory == NULL) {
        exit(EXIT_FAILURE);
    }
    need(lcc_network_init_f32(memory, bytes, options, data, &handle));
    need(lcc_network_model_size_f32(handle, &model));
    need(lcc_checkpoint_size(handle, &checkpoint));
    snprintf(name, sizeof name, "%s_MEMORY", prefix);
    print(name, bytes);
    snprintf(name, sizeof name, "%s_MODEL", prefix);
    print(name, model);
    snprintf(name, sizeof name, "%s_CHECKPOINT", prefix);
    print(name, checkpoint);
    free(memory);
}

/* The classifier: its memory, which serves the predictions too, and its model. */
static void classify(void)
{
    lcc_bnn_options_f32 options;
    size_t bytes;
    size_t model;
    lcc_bnn_f32 *handle;
    lcc_data_f32 data = train_digits();
    void *memory;
    need(configure_classify(&options));
    need(lcc_bnn_size_f32(&options, data.n, data.d, &bytes));
    memory = malloc(bytes);
    if (memory == NULL) {
        exit(EXIT_FAILURE);
    }
    need(lcc_bnn_init_f32(memory, bytes, &options, &data, &handle));
    need(lcc_bnn_model_size_f32(handle, &model));
    print("CLASSIFY_MEMORY", bytes);
    print("CLASSIFY_MODEL", model);
    free(memory);
}

/* The ways of following a drift. Parts that follow one another in memory are multiples of 16. */
static void drift(void)
{
    lcc_stream_options_f32 stream;
    lcc_network_options_f32 options;
    size_t bytes;
    size_t store;
    size_t network;
    size_t scratch;
    size_t model;
    lcc_network_f32 *handle;
    lcc_data_f32 data = train_rows(WINDOW_ROWS);
    void *memory;
    need(configure_stream(&stream));
    need(lcc_stream_size_f32(&stream, drift_model, sizeof drift_model, &bytes));
    print("DRIFT_STREAM", bytes);
    need(lcc_model_scratch_f32(drift_model, sizeof drift_model, &scratch));
    print("DRIFT_SCRATCH", scratch);
    need(configure_window(&options));
    need(lcc_network_size_f32(&options, data.n, data.d, &network));
    memory = malloc(network);
    if (memory == NULL) {
        exit(EXIT_FAILURE);
    }
    need(lcc_network_init_f32(memory, network, &options, &data, &handle));
    need(lcc_network_model_size_f32(handle, &model));
    free(memory);
    need(lcc_window_size_f32(WINDOW_ROWS, ROWS_INPUTS, &store));
    network = (network + 15) / 16 * 16;
    store = (store + 15) / 16 * 16;
    scratch = (scratch + 15) / 16 * 16;
    model = (model + 15) / 16 * 16;
    print("WINDOW_NETWORK", network);
    print("WINDOW_STORE", store);
    print("WINDOW_SCRATCH", scratch);
    print("WINDOW_MODEL", model);
    print("WINDOW_BYTES", network + 2 * store + scratch + 2 * model);
}

int main(void)
{
    static const int32_t methods[2] = {LCC_METHOD_GIBBS, LCC_METHOD_SPLIT_HMC};
    static float x[SAMPLE_ROWS * SAMPLE_INPUTS];
    static float y[SAMPLE_ROWS];
    const lcc_data_f32 points = {x, y, SAMPLE_ROWS, SAMPLE_INPUTS, SAMPLE_INPUTS, 1};
    lcc_data_f32 data = train_rows(ROWS_TRAIN);
    lcc_network_options_f32 options;
    lcc_sampler_options_f32 sampler;
    lcc_problem_f32 problem;
    size_t bytes;
    size_t largest = 0;
    int i;
    need(configure_fit(&options));
    network("FIT", &options, &data);
    data = train_rows(POWERLOSS_ROWS);
    need(configure_powerloss(&options));
    network("POWERLOSS", &options, &data);
    drift();
    classify();
    need(lcc_model_scratch_f32(model, sizeof model, &bytes));
    print("PREDICT_SCRATCH", bytes);
    sample_rows(x, y);
    for (i = 0; i < 2; i++) {
        need(configure_sample(&problem, &sampler, methods[i]));
        need(lcc_sampler_size_f32(&sampler, &problem, &points, &bytes));
        largest = bytes > largest ? bytes : largest;
    }
    print("SAMPLE_MEMORY", largest);
    return EXIT_SUCCESS;
}
