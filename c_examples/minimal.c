/* Fits a network to twelve measurements and predicts. No heap: all memory is static. */
#include <lcc.h>

#include <stdio.h>

/* A thermistor: resistance (kilo-ohm) and temperature (degrees Celsius). */
static const float resistance[12] = {32.6f, 25.4f, 19.9f, 15.7f, 12.5f, 10.0f,
                                     8.06f, 6.53f, 5.33f, 4.37f, 3.60f, 2.99f};
static const float celsius[12] = {0, 5, 10, 15, 20, 25, 30, 35, 40, 45, 50, 55};

/* lcc_network_size_f32 and lcc_model_scratch_f32 tell how much is needed. */
static unsigned char memory[24 << 10], scratch[8 << 10], model[8 << 10];

/* The first address from `bytes` on that is a multiple of 16. */
static unsigned char *aligned(unsigned char *bytes)
{
    return bytes + (16 - (uintptr_t)bytes % 16) % 16;
}

int main(void)
{
    const float x = 7.0f;
    const lcc_data_f32 data = {resistance, celsius, 12, 1, 1, 1};
    const lcc_data_f32 query = {&x, NULL, 1, 1, 1, 1};
    lcc_network_options_f32 options;
    lcc_network_f32 *network = NULL;
    lcc_prediction_f32 p;
    size_t length = 0;
    int32_t status;

    status = lcc_network_options_default_f32(&options);
    options.neurons = 4;
    options.lanes = 1;
    options.chains = 2;
    options.draws = 250;
    options.trace_rows = 4;
    if (status == LCC_OK) {
        status = lcc_network_init_f32(aligned(memory), sizeof memory - 16, &options, &data,
                                      &network);
    }
    while (status == LCC_OK || status == LCC_RUNNING) {
        status = lcc_network_step_f32(network, &data, 100000); /* time for other things between */
    }
    if (status == LCC_DONE) {
        status = lcc_network_write_model_f32(network, model, sizeof model, &length);
    }
    if (status == LCC_OK) {
        status = lcc_model_predict_f32(model, length, &query, 0.9f, aligned(scratch),
                                       sizeof scratch - 16, &p, 1);
    }
    if (status != LCC_OK) {
        printf("%s\n", lcc_status_message(status));
        return 1;
    }
    printf("%.1f kilo-ohm: %.2f degrees, between %.2f and %.2f with probability 0.9\n", (double)x,
           (double)p.mean, (double)p.lower, (double)p.upper);
    return 0;
}
