/* The posterior of one neuron by two samplers: by the log-concave coupling (Gibbs), and by Hamiltonian Monte
 * Carlo. They agree up to their Monte Carlo error. */
#include "configure.h"
#include "port.h"
#include "port/text.h"
#include "sizes.h"

static _Alignas(16) unsigned char memory[SAMPLE_MEMORY];
static float x[SAMPLE_ROWS * SAMPLE_INPUTS];
static float y[SAMPLE_ROWS];

/* Runs one sampler, prints the mean of its draws, and returns the hash of all of them. */
static uint64_t sample(const char *name, int32_t method, uint64_t hash)
{
    const lcc_data_f32 data = {x, y, SAMPLE_ROWS, SAMPLE_INPUTS, SAMPLE_INPUTS, 1};
    lcc_problem_f32 problem;
    lcc_sampler_options_f32 options;
    lcc_sampler_f32 *sampler;
    lcc_draws_f32 draws;
    int32_t status;
    size_t j;
    size_t c;
    size_t t;
    uint64_t clock;
    check(configure_sample(&problem, &options, method), "options");
    check(lcc_sampler_init_f32(memory, sizeof memory, &options, &problem, &data, &sampler), "init");
    clock = port_clock();
    do {
        status = lcc_sampler_step_f32(sampler, &problem, &data, 1000);
        check(status, "step");
    } while (status == LCC_RUNNING);
    clock = port_clock() - clock;
    text(name);
    text(": mean of w");
    for (j = 0; j < SAMPLE_INPUTS; j++) {
        float sum = 0.0f;
        check(lcc_read_draws_f32(sampler, j, &draws), "draws");
        for (c = 0; c < draws.chains; c++) {
            for (t = 0; t < draws.draws; t++) {
                const float w = draws.data[c * draws.chain_stride + t * draws.draw_stride];
                sum += w;
                hash = hash_bytes(hash, &w, sizeof w);
            }
        }
        text(" ");
        text_decimal(sum / (SAMPLE_CHAINS * SAMPLE_DRAWS), 2);
    }
    text("\n# instructions_transition_");
    text(name);
    text(" ");
    text_unsigned(clock / (SAMPLE_CHAINS * (SAMPLE_DRAWS + options.warmup)));
    text("\n");
    return hash;
}

int program(void)
{
    uint64_t hash = HASH_EMPTY;
    sample_rows(x, y);
    hash = sample("gibbs", LCC_METHOD_GIBBS, hash);
    hash = sample("split-hmc", LCC_METHOD_SPLIT_HMC, hash);
    report_hash("hash", hash);
    report("stack", port_stack());
    return 0;
}
