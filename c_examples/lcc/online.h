/* Online Bayes: what each row was predicted to be by the posterior given the rows before it. */
#ifndef ONLINE_H
#define ONLINE_H

#include "dataset.h"
#include "json.h"
#include "problem.h"

#include <stddef.h>

typedef struct {
    size_t rows;
    double *log_likelihood; /* of each, its mean: they add up to the log evidence */
    double *mean;           /* E f(x), or E psi(x.w) */
    double best; /* joint: squared loss of the best network in hindsight, by relaxed greedy least squares */
} online_run;

/* 0 or EXIT_FAILED. Free with online_free. */
int online_reserve(online_run *run, size_t rows);
void online_free(online_run *run);

/* Fits the best network in hindsight, where there are rows of a joint posterior. 0 or an exit code. */
int online_compare(const problem_settings *problem, const dataset *data, online_run *run);

/* The object "online" of a report, and the same in words; nothing without rows. */
void online_write(json_writer *json, const problem_settings *problem, const online_run *run,
                  const dataset *data);
void online_print(const problem_settings *problem, const online_run *run, const dataset *data);

#endif
