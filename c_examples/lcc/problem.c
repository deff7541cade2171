#include "problem.h"

#include "names.h"
#include "view.h"

#include <stdio.h>

static const char *const posteriors[] = {"greedy", "joint", NULL};
static const char *const signs[] = {"alternating", "positive", NULL};

void problem_defaults(problem_flags *flags, problem_settings *settings)
{
    flags->posterior = "greedy";
    flags->activation = "tanh";
    flags->prior = "gaussian";
    flags->signs = "alternating";
    settings->neurons = 8;
    settings->scale = 1.0;
    settings->alpha = 0.0;
    settings->outer = 4.0;
    settings->beta = 1.0;
}

int problem_names(const problem_flags *flags, problem_settings *settings)
{
    int code = names_choose("--posterior", flags->posterior, posteriors, &settings->posterior);
    if (code == 0) {
        code = names_activation(flags->activation, &settings->activation);
    }
    if (code == 0) {
        code = names_prior(flags->prior, &settings->prior);
    }
    if (code == 0) {
        code = names_choose("--signs", flags->signs, signs, &settings->signs);
    }
    return code;
}

void problem_print(const problem_flags *flags, const problem_settings *settings,
                   const dataset *data, const char *precision)
{
    printf("posterior   %s, %s, %s prior of scale %g; %lu rows, %lu inputs; %s\n",
           flags->posterior, flags->activation, flags->prior, settings->scale,
           (unsigned long)data->n, (unsigned long)data->d, precision);
}

#define IMPL "problem_impl.inc"
#include "both.inc"
