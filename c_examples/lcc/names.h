/* Options whose value is one of some names. */
#ifndef NAMES_H
#define NAMES_H

#include <stdint.h>

/* The index of `given` in a NULL-ended list. 0, or EXIT_USAGE after a message
 * that lists the names of this build. */
int names_choose(const char *option, const char *given, const char *const *names, int32_t *value);

int names_activation(const char *given, int32_t *activation);
int names_prior(const char *given, int32_t *prior);

/* Beside the library's methods, which are chains, there are smc, tempering, and auto, which chooses. */
int names_sampler(const char *given, int32_t *method);
const char *names_sampler_name(int32_t method);
/* One of the library's methods. */
int names_inner_sampler(const char *given, int32_t *method);
typedef enum { KIND_CHAINS, KIND_SMC, KIND_TEMPERING, KIND_AUTO } sampler_kind;
sampler_kind names_kind(int32_t method);

/* The sampler of an LCC_CHOICE_ code, by its name above. */
const char *names_choice(uint32_t choice);

/* *single is 1 for f32 and 0 for f64. */
int names_precision(const char *given, int *single);

/* Of --unknown: refuse or mean. */
int names_unknown(const char *given, int *mean);

/* Prints the library's names, separated by spaces. */
void names_print_samplers(void);
void names_print_activations(void);

#endif
