/* The posterior that a command is about: its flags, and the library's problem. */
#ifndef PROBLEM_H
#define PROBLEM_H

#include "args.h"
#include "dataset.h"

#include <lcc.h>

/* The flags as given. */
typedef struct {
    const char *posterior;
    const char *activation;
    const char *prior;
    const char *signs;
} problem_flags;

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
} problem_settings;

/* Entries of a table of options; needs math.h. */
#define PROBLEM_OPTIONS(flags, s)                                   \
    {"--posterior", ARG_TEXT, &(flags)->posterior, 0, 0},           \
        {"--activation", ARG_TEXT, &(flags)->activation, 0, 0},     \
        {"--prior", ARG_TEXT, &(flags)->prior, 0, 0},               \
        {"--scale", ARG_REAL, &(s)->scale, 0, HUGE_VAL},            \
        {"--alpha", ARG_REAL, &(s)->alpha, 0, HUGE_VAL},            \
        {"--neurons", ARG_COUNT, &(s)->neurons, 1, 1e6},            \
        {"--outer", ARG_REAL, &(s)->outer, 0, HUGE_VAL},            \
        {"--beta", ARG_REAL, &(s)->beta, 0, HUGE_VAL},              \
        {"--signs", ARG_TEXT, &(flags)->signs, 0, 0}

void problem_defaults(problem_flags *flags, problem_settings *settings);

/* What the names among the flags stand for. 0, or EXIT_USAGE after a message. */
int problem_names(const problem_flags *flags, problem_settings *settings);

/* The posterior of n rows. 0, or an exit code after a message. */
int problem_make_f64(const problem_settings *settings, size_t n, lcc_problem_f64 *problem);
int problem_make_f32(const problem_settings *settings, size_t n, lcc_problem_f32 *problem);

/* A line that says which posterior of which data in which precision. */
void problem_print(const problem_flags *flags, const problem_settings *settings,
                   const dataset *data, const char *precision);

#endif
