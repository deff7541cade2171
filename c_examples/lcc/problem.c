#include "problem.h"

#include "names.h"
#include "view.h"

#include <stdio.h>
#include <string.h>

static const char *const posteriors[] = {"greedy", "joint", NULL};
static const char *const signs[] = {"alternating", "positive", NULL};

void problem_defaults(problem_flags *flags, problem_settings *settings)
{
    memset(flags, 0, sizeof *flags);
    memset(settings, 0, sizeof *settings);
    flags->target = "y";
    flags->sampler = "auto";
    flags->coupling = "one-sided";
    flags->precision = "f64";
    flags->posterior = "greedy";
    flags->activation = "tanh";
    flags->prior = "gaussian";
    flags->signs = "alternating";
    settings->neurons = 8;
    settings->scale = 1.0;
    settings->outer = 4.0;
    settings->beta = 1.0;
    settings->chains = 8;
    settings->seed = 1;
}

int problem_names(problem_flags *flags, const char *const *couplings, problem_settings *settings)
{
    int code = names_choose("--posterior", flags->posterior, posteriors, &settings->posterior);
    THEN(code, names_activation(flags->activation, &settings->activation));
    THEN(code, names_prior(flags->prior, &settings->prior));
    THEN(code, names_choose("--signs", flags->signs, signs, &settings->signs));
    THEN(code, names_sampler(flags->sampler, &settings->method));
    THEN(code, names_choose("--coupling", flags->coupling, couplings, &settings->coupling));
    THEN(code, names_precision(flags->precision, &flags->single));
    return code;
}

void problem_print(const problem_flags *flags, const problem_settings *settings,
                   const dataset *data)
{
    printf("posterior   %s, %s, %s prior of scale %g; %lu rows, %lu inputs; %s\n",
           flags->posterior, flags->activation, flags->prior, settings->scale,
           (unsigned long)data->n, (unsigned long)data->d, flags->precision);
}

#define IMPL "problem_impl.inc"
#include "both.inc"
