/* Learns on the device, in bounded steps, and predicts with what it learnt. */
#include "configure.h"
#include "judge.h"
#include "port.h"
#include "port/text.h"
#include "sizes.h"
#include "watchdog.h"

static _Alignas(16) unsigned char memory[FIT_MEMORY];
static _Alignas(16) unsigned char model[FIT_MODEL];

int program(void)
{
    const lcc_data_f32 data = train_rows(ROWS_TRAIN);
    lcc_network_options_f32 options;
    lcc_network_f32 *network;
    lcc_progress progress;
    uint64_t start;
    size_t bytes = 0;
    size_t length = 0;
    int32_t status;

    check(configure_fit(&options), "options");
    check(lcc_network_size_f32(&options, data.n, data.d, &bytes), "size");
    if (bytes != sizeof memory) {
        text("the size is not what the host said\n");
        return 1;
    }
    start = start_the_watchdog();
    check(lcc_network_init_f32(memory, sizeof memory, &options, &data, &network), "init");
    do {
        status = lcc_network_step_f32(network, &data, 1000);
        check(status, "step");
        feed_the_watchdog();
    } while (status == LCC_RUNNING);
    start = port_clock() - start;

    check(lcc_read_progress(network, &progress), "progress");
    check(lcc_network_write_model_f32(network, model, sizeof model, &length), "model");
    text("learnt from 200 rows with ");
    text_unsigned(progress.gradients);
    text(" gradients\n");
    /* The regressor has done its work: its memory serves the predictions. */
    report_hash("hash", hash_bytes(judge(model, length, memory, sizeof memory), model, length));
    report("instructions_fit", start);
    report("gradients", progress.gradients);
    report("instructions_gradient", start / progress.gradients);
    report("instructions_longest_step", watchdog.longest);
    report("stack", port_stack());
    return 0;
}
