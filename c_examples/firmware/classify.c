/* Learns on the device to tell handwritten 3s from 8s, in bounded steps, and says what it thinks of others and of noise:
 * the probability of a 3, and how much of its doubt is ignorance (mutual information), which noise has more of. */
#include "configure.h"
#include "port.h"
#include "port/text.h"
#include "sizes.h"
#include "watchdog.h"

static _Alignas(16) unsigned char memory[CLASSIFY_MEMORY];
static _Alignas(16) unsigned char model[CLASSIFY_MODEL];

/* What is said of one set of pictures. */
struct opinion {
    float ignorance[DIGITS_TEST];
    uint64_t cost;
    uint64_t hash;
};

static struct opinion pictures;
static struct opinion noise;

/* Of the picture at x, the i-th of its set; returns the probability of a 3. */
static float ask(struct opinion *opinion, size_t length, int i, const float *x)
{
    const lcc_data_f32 row = {x, NULL, 1, DIGITS_PIXELS, DIGITS_PIXELS, 1};
    const uint64_t before = port_clock();
    lcc_class_facts_f32 facts;
    float p[2];
    /* The network has done its work: its memory serves the predictions. */
    check(lcc_model_classes_f32(model, length, &row, memory, sizeof memory, p, 2, &facts, 1), "classes");
    opinion->cost += port_clock() - before;
    opinion->hash = hash_bytes(opinion->hash, p, sizeof p);
    opinion->hash = hash_bytes(opinion->hash, &facts, sizeof facts);
    opinion->ignorance[i] = facts.mutual_information;
    return p[1];
}

/* Grey levels by chance. */
static void draw_noise(float *x)
{
    static uint32_t state = 1;
    int j;
    for (j = 0; j < DIGITS_PIXELS; j++) {
        state = state * 1664525 + 1013904223;
        x[j] = (float)((state >> 16) % 17) / 16.0f;
    }
}

static float mean(const float *list)
{
    float sum = 0.0f;
    int i;
    for (i = 0; i < DIGITS_TEST; i++) {
        sum += list[i];
    }
    return sum / DIGITS_TEST;
}

/* How often a picture of noise is less known than a digit: the area under the receiver operating characteristic. */
static unsigned told_apart_permille(void)
{
    unsigned halves = 0;
    int i;
    int j;
    for (i = 0; i < DIGITS_TEST; i++) {
        for (j = 0; j < DIGITS_TEST; j++) {
            halves += noise.ignorance[i] > pictures.ignorance[j];
            halves += noise.ignorance[i] >= pictures.ignorance[j];
        }
    }
    return halves * 500 / (DIGITS_TEST * DIGITS_TEST);
}

static uint64_t judge_classes(size_t length)
{
    const lcc_data_f32 rows = {digits_test_x, digits_test_y, DIGITS_TEST, DIGITS_PIXELS, DIGITS_PIXELS, 1};
    lcc_class_evaluation_f32 scores;
    float x[DIGITS_PIXELS];
    uint64_t hash = HASH_EMPTY;
    int i;
    pictures.hash = noise.hash = HASH_EMPTY;
    for (i = 0; i < DIGITS_TEST; i++) {
        const float p = ask(&pictures, length, i, &digits_test_x[i * DIGITS_PIXELS]);
        if (i < 3) {
            text("a 3 with probability ");
            text_decimal(p, 3);
            text(digits_test_y[i] > 0.0f ? "; it is a 3\n" : "; it is an 8\n");
        }
        draw_noise(x);
        ask(&noise, length, i, x);
    }
    check(lcc_model_evaluate_classes_f32(model, length, &rows, 0.9f, memory, sizeof memory, &scores), "evaluate");
    text("accuracy ");
    text_decimal(scores.accuracy, 3);
    text(", log loss ");
    text_decimal(-scores.log_likelihood, 4);
    text("\nignorance (nats) of digits ");
    text_decimal(mean(pictures.ignorance), 4);
    text(", of noise ");
    text_decimal(mean(noise.ignorance), 4);
    text("\n");
    report("instructions_prediction", pictures.cost / DIGITS_TEST);
    report("accuracy_permille", (uint32_t)(1000.0f * scores.accuracy));
    report("log_loss_thousandths", (uint32_t)(-1000.0f * scores.log_likelihood));
    report("ignorance_thousandths_digits", (uint32_t)(1000.0f * mean(pictures.ignorance)));
    report("ignorance_thousandths_noise", (uint32_t)(1000.0f * mean(noise.ignorance)));
    report("told_apart_permille", told_apart_permille());
    hash = hash_bytes(hash, &pictures.hash, sizeof pictures.hash);
    hash = hash_bytes(hash, &noise.hash, sizeof noise.hash);
    return hash_bytes(hash, &scores, sizeof scores);
}

int program(void)
{
    const lcc_data_f32 data = train_digits();
    lcc_bnn_options_f32 options;
    lcc_bnn_f32 *network;
    lcc_progress progress;
    uint64_t start;
    size_t bytes = 0;
    size_t length = 0;
    int32_t status;

    check(configure_classify(&options), "options");
    check(lcc_bnn_size_f32(&options, data.n, data.d, &bytes), "size");
    if (bytes != sizeof memory) {
        text("the size is not what the host said\n");
        return 1;
    }
    start = start_the_watchdog();
    check(lcc_bnn_init_f32(memory, sizeof memory, &options, &data, &network), "init");
    do {
        status = lcc_bnn_step_f32(network, &data, 1000);
        check(status, "step");
        feed_the_watchdog();
    } while (status == LCC_RUNNING);
    start = port_clock() - start;

    check(lcc_read_progress(network, &progress), "progress");
    check(lcc_bnn_write_model_f32(network, model, sizeof model, &length), "model");
    check(lcc_model_check(model, length, NULL), "check");
    text("learnt from 286 pictures with ");
    text_unsigned(progress.gradients);
    text(" gradients\n");
    report_hash("hash", hash_bytes(judge_classes(length), model, length));
    report("instructions_fit", start);
    report("gradients", progress.gradients);
    report("instructions_gradient", start / progress.gradients);
    report("instructions_longest_step", watchdog.longest);
    report("stack", port_stack());
    return 0;
}
