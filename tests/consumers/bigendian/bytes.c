/* Prints what must be the same on machines of either byte order: the predictions of the committed image, and a fit
 * down to the bytes of its model. Writes a checkpoint to argv[1]; the one in argv[2], of a machine of the other order,
 * must be refused. */
#include "../../../c_examples/firmware/model.table.h"

#include <lcc.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int32_t check(int32_t status, const char *what)
{
    if (status < 0) {
        printf("%s: %s\n", what, lcc_status_message(status));
        exit(EXIT_FAILURE);
    }
    return status;
}

static void *memory_of(size_t bytes)
{
    char *memory = malloc(bytes + 16);
    if (memory == NULL) {
        exit(EXIT_FAILURE);
    }
    return memory + (16 - (uintptr_t)memory % 16) % 16; /* kept until the end */
}

static void number_f32(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    printf(" %08" PRIx32, bits);
}

static void number_f64(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    printf(" %016" PRIx64, bits);
}

enum { QUERIES = 8, INPUTS = 32 };

/* Rows about the model's means. */
#define PREDICT(REAL, P)                                                                                     \
    static void predict_##P(const unsigned char *image, size_t length)                                       \
    {                                                                                                        \
        REAL mean[INPUTS + 1], sd[INPUTS + 1], x[QUERIES * INPUTS];                                          \
        lcc_prediction_##P p[QUERIES];                                                                       \
        lcc_model_info info;                                                                                 \
        lcc_data_##P rows;                                                                                   \
        size_t scratch, i, j;                                                                                \
        check(lcc_model_check(image, length, &info), "check");                                               \
        check(lcc_model_units_##P(image, length, mean, sd, INPUTS + 1), "units");                            \
        for (i = 0; i < QUERIES; i++) {                                                                      \
            for (j = 0; j < info.inputs; j++) {                                                              \
                x[i * info.inputs + j] = mean[j] + sd[j] * ((REAL)((7 * i + 5 * j) % 9) / 4 - 1);            \
            }                                                                                                \
        }                                                                                                    \
        rows.x = x;                                                                                          \
        rows.y = NULL;                                                                                       \
        rows.n = QUERIES;                                                                                    \
        rows.d = rows.row_stride = info.inputs;                                                              \
        rows.column_stride = 1;                                                                              \
        check(lcc_model_scratch_##P(image, length, &scratch), "scratch");                                    \
        check(lcc_model_predict_##P(image, length, &rows, (REAL)0.9, memory_of(scratch), scratch, p,         \
                                    QUERIES),                                                                \
              "predict");                                                                                    \
        for (i = 0; i < QUERIES; i++) {                                                                      \
            printf("predict_" #P " %u", (unsigned)i);                                                        \
            number_##P(p[i].mean);                                                                           \
            number_##P(p[i].sd);                                                                             \
            number_##P(p[i].lower);                                                                          \
            number_##P(p[i].upper);                                                                          \
            printf("\n");                                                                                    \
        }                                                                                                    \
    }
PREDICT(float, f32)
PREDICT(double, f64)

static size_t file(const char *name, const char *mode, unsigned char *bytes, size_t length)
{
    FILE *f = fopen(name, mode);
    size_t done = 0;
    if (f != NULL) {
        done = mode[0] == 'w' ? fwrite(bytes, 1, length, f) : fread(bytes, 1, length, f);
        fclose(f);
    }
    if (done == 0) {
        printf("%s cannot be read or written\n", name);
        exit(EXIT_FAILURE);
    }
    return done;
}

int main(int argc, char **argv)
{
    static const double x[12] = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
    static const double y[12] = {0.2, 0.9, 1.1, 0.3, -0.8, -1.2, -0.4, 0.7, 1.3, 0.6, -0.5, -1.0};
    static unsigned char model[1 << 16];
    static unsigned char foreign[1 << 20];
    const lcc_data_f64 data = {x, y, 12, 1, 1, 1};
    lcc_network_options_f64 options;
    lcc_network_f64 *network;
    unsigned char *memory, *seal;
    size_t length, bytes, sealed, i;
    uint32_t hash = 2166136261u;
    const unsigned char *image = model_image(&length);

    if (argc != 3) {
        return EXIT_FAILURE;
    }
    predict_f32(image, length);
    predict_f64(image, length);

    check(lcc_network_options_default_f64(&options), "options");
    options.neurons = 3;
    options.chains = 1;
    options.lanes = 1;
    options.starts = 1; /* little of everything: unoptimised code, emulated, is slow */
    options.start_steps = 10;
    options.leapfrogs = 3;
    options.early_leapfrogs = 3;
    options.warmup = 10;
    options.draws = 10;
    options.keep = 5;
    options.trace_rows = 2;
    check(lcc_network_size_f64(&options, 12, 1, &bytes), "size");
    memory = memory_of(bytes);
    check(lcc_network_init_f64(memory, bytes, &options, &data, &network), "init");
    check(lcc_network_step_f64(network, &data, 500), "step");
    check(lcc_checkpoint_size(network, &sealed), "checkpoint");
    seal = memory_of(sealed);
    check(lcc_checkpoint(network, seal, sealed), "checkpoint");
    file(argv[1], "wb", seal, sealed);
    while (check(lcc_network_step_f64(network, &data, 3000), "step") != LCC_DONE) {
    }
    check(lcc_network_write_model_f64(network, model, sizeof model, &length), "model");
    for (i = 0; i < length; i++) {
        hash = (hash ^ model[i]) * 16777619u;
    }
    printf("fit %08" PRIx32 ", %lu bytes\n", hash, (unsigned long)length);

    /* One's own checkpoint is taken, that of the other order is not. */
    check(lcc_restore(memory, bytes, seal, sealed), "restore");
    length = file(argv[2], "rb", foreign, sizeof foreign);
    return lcc_restore(memory, bytes, foreign, length) == LCC_ERROR_IMAGE_KIND ? EXIT_SUCCESS : EXIT_FAILURE;
}
