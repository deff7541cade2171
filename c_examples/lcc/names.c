#include "names.h"

#include "cli.h"

#include <lcc.h>

#include <stdio.h>
#include <string.h>

/* Beside the codes of names_sampler_name, which count from 0. */
enum { AUTO = -1 };

typedef const char *(*name_of)(int32_t);

/* "has first second ...", for messages. */
static void list(char *text, size_t capacity, const char *first, name_of name)
{
    size_t used = (size_t)snprintf(text, capacity, "%s", first);
    int32_t i;
    for (i = 0; name(i) != NULL && used < capacity; i++) {
        used += (size_t)snprintf(text + used, capacity - used, " %s", name(i));
    }
}

static int absent(const char *option, const char *given, const char *names)
{
    return wrong_usage("%s: this build has no \"%s\"; it has:%s", option, given, names);
}

int names_choose(const char *option, const char *given, const char *const *names, int32_t *value)
{
    char text[256];
    size_t used = 0;
    int32_t i;
    text[0] = '\0';
    for (i = 0; names[i] != NULL; i++) {
        if (strcmp(names[i], given) == 0) {
            *value = i;
            return 0;
        }
        if (used < sizeof text) {
            used += (size_t)snprintf(text + used, sizeof text - used, " %s", names[i]);
        }
    }
    return absent(option, given, text);
}

int names_activation(const char *given, int32_t *activation)
{
    char text[256];
    if (lcc_activation_from_name(given, activation) == LCC_OK) {
        return 0;
    }
    list(text, sizeof text, "", lcc_activation_name);
    return absent("--activation", given, text);
}

int names_prior(const char *given, int32_t *prior)
{
    /* In the order of the LCC_PRIOR_ codes. */
    static const char *const names[] = {"gaussian", "l1", NULL};
    return names_choose("--prior", given, names, prior);
}

/* How many methods the library has. */
static int32_t methods(void)
{
    int32_t count = 0;
    while (lcc_method_name(count) != NULL) {
        count++;
    }
    return count;
}

int names_is_smc(int32_t method)
{
    return method == methods();
}

int names_is_tempering(int32_t method)
{
    return method == methods() + 1;
}

int names_is_auto(int32_t method)
{
    return method == AUTO;
}

const char *names_sampler_name(int32_t method)
{
    if (names_is_smc(method)) {
        return "smc";
    }
    if (names_is_tempering(method)) {
        return "tempering";
    }
    return names_is_auto(method) ? "auto" : lcc_method_name(method);
}

const char *names_choice(uint32_t choice)
{
    switch (choice) {
    case LCC_CHOICE_SPLIT_PRIOR:
    case LCC_CHOICE_SPLIT_FITTED:
        return lcc_method_name(LCC_METHOD_SPLIT_HMC);
    case LCC_CHOICE_RANDOM_WALK:
        return lcc_method_name(LCC_METHOD_RANDOM_WALK);
    case LCC_CHOICE_MIXTURE:
        return lcc_method_name(LCC_METHOD_INDEPENDENCE);
    case LCC_CHOICE_PARTICLES:
        return "smc";
    default:
        return "auto";
    }
}

int names_sampler(const char *given, int32_t *method)
{
    char text[512];
    int32_t code;
    if (strcmp(given, "auto") == 0) {
        *method = AUTO;
        return 0;
    }
    for (code = 0; names_sampler_name(code) != NULL; code++) {
        if (strcmp(names_sampler_name(code), given) == 0) {
            *method = code;
            return 0;
        }
    }
    list(text, sizeof text, " auto", names_sampler_name);
    return absent("--sampler", given, text);
}

int names_inner_sampler(const char *given, int32_t *method)
{
    char text[512];
    if (lcc_method_from_name(given, method) == LCC_OK) {
        return 0;
    }
    list(text, sizeof text, "", lcc_method_name);
    return absent("--inner-sampler", given, text);
}

int names_precision(const char *given, int *single)
{
    static const char *const names[] = {"f64", "f32", NULL};
    int32_t index = 0;
    int code = names_choose("--precision", given, names, &index);
    *single = index == 1;
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
