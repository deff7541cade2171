#include "names.h"

#include "cli.h"

#include <lcc.h>

#include <stdio.h>
#include <string.h>

/* Beside the codes of names_sampler_name, which count from 0. */
enum { AUTO = -1 };

typedef const char *(*name_of)(int32_t);

int names_choose(const char *option, const char *given, const char *const *names, int32_t *value)
{
    char text[512];
    size_t used = 0;
    int32_t i;
    for (i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], given) == 0) {
            *value = i;
            return 0;
        }
        if (used < sizeof text) {
            used += (size_t)snprintf(text + used, sizeof text - used, " %s", names[i]);
        }
    }
    return wrong_usage("%s: this build has no \"%s\"; it has:%s", option, given, text);
}

/* The same among the names of a function, behind `before` (code -1) unless that is NULL. */
static int choose_of(const char *option, const char *given, const char *before, name_of name,
                     int32_t *code)
{
    const char *names[64];
    int32_t ahead = before != NULL;
    int32_t i;
    int failed;
    names[0] = before;
    for (i = 0; i + ahead < 63 && name(i) != NULL; i++) {
        names[i + ahead] = name(i);
    }
    names[i + ahead] = NULL;
    failed = names_choose(option, given, names, code);
    *code -= ahead;
    return failed;
}

int names_activation(const char *given, int32_t *activation)
{
    return choose_of("--activation", given, NULL, lcc_activation_name, activation);
}

int names_prior(const char *given, int32_t *prior)
{
    /* In the order of the LCC_PRIOR_ codes. */
    static const char *const names[] = {"gaussian", "l1", NULL};
    return names_choose("--prior", given, names, prior);
}

sampler_kind names_kind(int32_t method)
{
    int32_t methods = 0;
    while (lcc_method_name(methods) != NULL) {
        methods++;
    }
    return method == AUTO          ? KIND_AUTO
           : method == methods     ? KIND_SMC
           : method == methods + 1 ? KIND_TEMPERING
                                   : KIND_CHAINS;
}

const char *names_sampler_name(int32_t method)
{
    switch (names_kind(method)) {
    case KIND_SMC:
        return "smc";
    case KIND_TEMPERING:
        return "tempering";
    case KIND_AUTO:
        return "auto";
    default:
        return lcc_method_name(method);
    }
}

const char *names_choice(uint32_t choice)
{
    switch (choice) {
    case LCC_CHOICE_SPLIT_PRIOR:
    case LCC_CHOICE_SPLIT_FITTED:
    case LCC_CHOICE_CAREFUL:
    case LCC_CHOICE_PATIENT:
        return lcc_method_name(LCC_METHOD_SPLIT_HMC);
    case LCC_CHOICE_RANDOM_WALK:
        return lcc_method_name(LCC_METHOD_RANDOM_WALK);
    case LCC_CHOICE_MIXTURE:
        return lcc_method_name(LCC_METHOD_INDEPENDENCE);
    case LCC_CHOICE_REFLECTION:
        return lcc_method_name(LCC_METHOD_REFLECTION);
    case LCC_CHOICE_PARTICLES:
        return "smc";
    default:
        return "auto";
    }
}

int names_sampler(const char *given, int32_t *method)
{
    return choose_of("--sampler", given, "auto", names_sampler_name, method);
}

int names_inner_sampler(const char *given, int32_t *method)
{
    return choose_of("--inner-sampler", given, NULL, lcc_method_name, method);
}

int names_precision(const char *given, int *single)
{
    static const char *const names[] = {"f64", "f32", NULL};
    int32_t index = 0;
    int code = names_choose("--precision", given, names, &index);
    *single = index == 1;
    return code;
}

int names_unknown(const char *given, int *mean)
{
    static const char *const names[] = {"refuse", "mean", NULL};
    int32_t index = 0;
    int code = names_choose("--unknown", given, names, &index);
    *mean = index == 1;
    return code;
}

static void print(name_of name)
{
    int32_t i;
    for (i = 0; name(i) != NULL; i++) {
        printf(" %s", name(i));
    }
    putchar('\n');
}

void names_print_samplers(void)
{
    print(names_sampler_name);
}

void names_print_activations(void)
{
    print(lcc_activation_name);
}
