/* The posterior that a command is about: its flags, and the library's problem. */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "args.h"
#include "cli.h"
#include "dataset.h"

#include <lcc.h>

/* The flags as given. */
typedef struct {
    const char *data;
    const char *target;
    const char *posterior;
    const char *activation;
    const char *prior;
    const char *signs;
    const char *sampler;
    const char *coupling;
    const char *precision;
    const char *json;
    const char *delimiter;
    int single;
} problem_flags;

/* The posterior, and what draws from it. */
typedef struct {
    int32_t posterior;
    int32_t activation;
    int32_t prior;
    int32_t signs;
    uint32_t neurons;
    double scale;
    double alpha; /* 0: 1/sqrt(n) */
    double outer;
    double beta;
    int32_t method; /* of names_sampler */
    int32_t coupling;
    int reduced;
    uint32_t chains;
    uint32_t warmup;
    uint32_t draws;
    uint64_t seed;
    int quiet;
} problem_settings;

/* Entries of a table of options; needs math.h. */
#define PROBLEM_OPTIONS(flags, s)                                   \
    {"--data", ARG_TEXT, &(flags)->data, 0, 0},                     \
        {"--target", ARG_TEXT, &(flags)->target, 0, 0},             \
        {"--delimiter", ARG_TEXT, &(flags)->delimiter, 0, 0},       \
        {"--posterior", ARG_TEXT, &(flags)->posterior, 0, 0},       \
        {"--activation", ARG_TEXT, &(flags)->activation, 0, 0},     \
        {"--prior", ARG_TEXT, &(flags)->prior, 0, 0},               \
        {"--scale", ARG_REAL, &(s)->scale, 0, HUGE_VAL},            \
        {"--alpha", ARG_REAL, &(s)->alpha, 0, HUGE_VAL},            \
        {"--neurons", ARG_COUNT, &(s)->neurons, 1, 1e6},            \
        {"--outer", ARG_REAL, &(s)->outer, 0, HUGE_VAL},            \
        {"--beta", ARG_REAL, &(s)->beta, 0, HUGE_VAL},              \
        {"--signs", ARG_TEXT, &(flags)->signs, 0, 0},               \
        {"--sampler", ARG_TEXT, &(flags)->sampler, 0, 0},           \
        {"--coupling", ARG_TEXT, &(flags)->coupling, 0, 0},         \
        {"--reduced", ARG_SWITCH, &(s)->reduced, 0, 0},             \
        {"--chains", ARG_COUNT, &(s)->chains, 1, 4096},             \
        {"--warmup", ARG_COUNT, &(s)->warmup, 0, 1e9},              \
        {"--draws", ARG_COUNT, &(s)->draws, 1, 1e9},                \
        {"--seed", ARG_SEED, &(s)->seed, 0, 0},                     \
        {"--precision", ARG_TEXT, &(flags)->precision, 0, 0},       \
        {"--json", ARG_TEXT, &(flags)->json, 0, 0},                 \
        {"--quiet", ARG_SWITCH, &(s)->quiet, 0, 0}

/* Those of both commands; they set warmup and draws themselves. */
void problem_defaults(problem_flags *flags, problem_settings *settings);

/* What the names among the flags stand for, `couplings` in the order of the LCC_COUPLING_ codes. 0, or
 * EXIT_USAGE after a message. */
int problem_names(problem_flags *flags, const char *const *couplings, problem_settings *settings);

/* What the library reads; the data are copies. */
typedef struct {
    lcc_data_f64 data;
    lcc_problem_f64 problem;
    size_t dim;
} posterior_f64;
typedef struct {
    lcc_data_f32 data;
    lcc_problem_f32 problem;
    size_t dim;
} posterior_f32;

/* 0, or an exit code after a message; view_free(&p->data) either way. */
int posterior_open_f64(const problem_settings *settings, const dataset *data, posterior_f64 *p);
int posterior_open_f32(const problem_settings *settings, const dataset *data, posterior_f32 *p);

/* Options of the chains asked for; and memory for chains, or for a run that chooses for itself, and
 * those in it, chains unless they are to be made later. 0, or an exit code after a message that says `doing`. */
int chains_options_f64(const problem_settings *settings, const char *doing,
                       lcc_sampler_options_f64 *options);
int chains_options_f32(const problem_settings *settings, const char *doing,
                       lcc_sampler_options_f32 *options);
int chains_open_f64(const lcc_sampler_options_f64 *options, const char *doing,
                    const posterior_f64 *p, int later, room *memory);
int chains_open_f32(const lcc_sampler_options_f32 *options, const char *doing,
                    const posterior_f32 *p, int later, room *memory);
int chooser_open_f64(const problem_settings *settings, uint32_t chains, const char *doing,
                     const posterior_f64 *p, room *memory);
int chooser_open_f32(const problem_settings *settings, uint32_t chains, const char *doing,
                     const posterior_f32 *p, room *memory);

/* A line that says which posterior of which data in which precision. */
void problem_print(const problem_flags *flags, const problem_settings *settings,
                   const dataset *data);

#endif
