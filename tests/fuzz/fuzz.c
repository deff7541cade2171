/* Harnesses over the C ABI, one a line of the table below: `--target=NAME` chooses.
 * An input says what to do with objects, models and data that are made here, and which of their bytes to change first;
 * checksums are made good, so that what lies behind them is reached. `run` builds this, CONTRIBUTING.md says more. */
#include "fuzz.h"

enum { ROWS = 6, OPTIONS = 512, LIMIT = 1 << 18, OBJECT = 48 + 80 /* seal and note */ };

enum { SAMPLER, SMC, TEMPERING, AUTO, NETWORK, GREEDY, RELAXED, PREQUENTIAL, STREAM, BNN, VAE, WARMUP, WINDOW, KINDS };
static const char *const kind_names[KINDS] = {"sampler", "smc", "tempering", "auto", "network", "greedy", "relaxed",
                                              "prequential", "stream", "bnn", "vae", "warmup", "window"};

/* Models, the first of a network that a stream learns on from, then one of each output, shape and precision. */
static struct {
    uint8_t *bytes;
    size_t length;
} images[64];
static size_t images_count;

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define REAL double
#define P(name) JOIN(name, _f64)
#include "objects.inc"
#include "models.inc"
#include "functions.inc"
#include "parents.inc"
#undef REAL
#undef P
#undef MODEL
#define REAL float
#define P(name) JOIN(name, _f32)
#include "objects.inc"
#include "models.inc"
#include "functions.inc"
#include "parents.inc"

static void run_objects(input *in) {
    int which = (int)below(in, 2 * KINDS);
    if (which < KINDS) object_run_f64(which, in, 0);
    else object_run_f32(which - KINDS, in, 0);
}

static void run_checkpoints(input *in) {
    int which = (int)below(in, 2 * KINDS);
    if (which < KINDS) object_run_f64(which, in, 1);
    else object_run_f32(which - KINDS, in, 1);
}

/* A model of some kind, changed, cut or grown; its checksum and length made good, or not. */
static uint8_t *damaged(input *in, size_t *length) {
    size_t which = below(in, images_count), how = below(in, 8), bytes = images[which].length, patches = below(in, 5), k;
    uint8_t *model;
    if (how == 7) bytes = (size_t)take(in, 2) % (bytes + 64);
    model = block(bytes);
    memcpy(model, images[which].bytes, bytes < images[which].length ? bytes : images[which].length);
    /* The head is short, and what follows from it most. */
    while (patches-- > 0) patch_one(in, model, below(in, 2) == 0 && bytes > 64 ? 64 : bytes, which < images_count / 2 ? 8 : 4);
    if (how >= 4 && bytes > 32)
        for (k = 0; k < 8; k++) model[24 + k] = (uint8_t)((uint64_t)bytes >> (8 * k));
    if (how >= 1) seal(model, bytes, 32, 0);
    *length = bytes;
    return model;
}

static void run_models(input *in) {
    size_t bytes;
    uint8_t *model = damaged(in, &bytes);
    if (below(in, 2) == 0) model_read_f64(model, bytes, in);
    else model_read_f32(model, bytes, in);
}

static void run_data(input *in) {
    if (below(in, 2) == 0) of_data_f64(in);
    else of_data_f32(in);
}

static void run_functions(input *in) {
    char *name;
    size_t length = 0, offset, size;
    int32_t code;
    uint8_t which = (uint8_t)take(in, 1);
    switch (which % 8) {
        case 0: of_draws_f64(in); break;
        case 1: of_draws_f32(in); break;
        case 2: of_parameters_f64(in); break;
        case 3: of_parameters_f32(in); break;
        case 4: of_numbers_f64(in); break;
        case 5: of_numbers_f32(in); break;
        case 6:
            (void)lcc_certificate_describe((int32_t)take(in, 1) - 1, (int32_t)below(in, 5), block(256), 256, &length);
            (void)lcc_certificate_describe((int32_t)take(in, 1), (int32_t)below(in, 5), block(8), 8, &length);
            code = (int32_t)take(in, 4);
            MUST(lcc_status_message(code) != NULL);
            (void)lcc_output_name(code), (void)lcc_scales_name(code), (void)lcc_inference_name(code), (void)lcc_inference_law(code), (void)lcc_method_law(code);
            (void)lcc_activation_name(code), (void)lcc_method_name(code);
            break;
        default:
            name = block(in->left + 1);
            memcpy(name, in->at, in->left), name[in->left] = 0;
            (void)lcc_activation_from_name(name, &code), (void)lcc_method_from_name(name, &code);
            for (int32_t k = 0; k < 18; k++)
                (void)lcc_method_reads(k, name, &code), (void)lcc_inference_reads(k, name, &code), (void)lcc_output_reads(k, name, &code);
            (void)lcc_layout(name, NULL, &offset, &size), (void)lcc_layout("lcc_data_f64", name, &offset, &size);
    }
}

static const struct {
    const char *name;
    void (*run)(input *in);
} targets[] = {
    {"objects", run_objects},         /* options of every kind, and sequences of calls on what they make */
    {"checkpoints", run_checkpoints}, /* the same on handles that were restored from damaged states */
    {"models", run_models},           /* damaged images, by everything that reads one */
    {"data", run_data},               /* data in any layout, and what is computed of them */
    {"functions", run_functions},     /* draws, parameters, numbers, names */
};
static size_t target;

/* A panic of the library, which its build for this hands over. */
void lcc_a_panic_is_reachable(void);
void lcc_a_panic_is_reachable(void) { MUST(!"a panic"); }
void rust_eh_personality(void);
void rust_eh_personality(void) {}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerInitialize(int *argc, char ***argv) {
    int k;
    const char *name = "";
    for (k = 1; k < *argc; k++)
        if (strncmp((*argv)[k], "--target=", 9) == 0) name = (*argv)[k] + 9;
    for (target = 0; strcmp(targets[target].name, name) != 0;)
        if (++target == sizeof targets / sizeof *targets) {
            fprintf(stderr, "--target= one of the table in fuzz.c\n");
            exit(2);
        }
    /* Reports go to the descriptor; what the program says goes nowhere. */
    MUST(freopen("/dev/null", "w", stdout) != NULL);
    stderr = stdout;
    parents_f64();
    parents_f32();
    blocks_free(0);
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    input in = {bytes, length};
    targets[target].run(&in);
    blocks_free(0);
    return 0;
}
