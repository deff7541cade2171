#include "args.h"

#include "cli.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int args_unsigned(const char *text, unsigned long long *value)
{
    const char *digit;
    if (*text == '\0') {
        return 0;
    }
    for (digit = text; *digit != '\0'; digit++) {
        if (*digit < '0' || *digit > '9') {
            return 0;
        }
    }
    errno = 0;
    *value = strtoull(text, NULL, 10);
    return errno == 0;
}

static int parse_count(const char *command, const arg_option *option, const char *text)
{
    unsigned long long number;
    if (!args_unsigned(text, &number) || (double)number < option->low ||
        (double)number > option->high || number > UINT32_MAX) {
        return wrong_usage("%s: %s takes a whole number from %.0f to %.0f, not \"%s\"", command,
                           option->name, option->low, option->high, text);
    }
    *(uint32_t *)option->value = (uint32_t)number;
    return 0;
}

static int parse_seed(const char *command, const arg_option *option, const char *text)
{
    unsigned long long number;
    if (!args_unsigned(text, &number) || number > UINT64_MAX) {
        return wrong_usage("%s: %s takes a whole number below 2^64, not \"%s\"", command,
                           option->name, text);
    }
    *(uint64_t *)option->value = (uint64_t)number;
    return 0;
}

int args_real(const char *text, double *value)
{
    char *end = NULL;
    if (*text == '\0' || strspn(text, "0123456789+-.eE") != strlen(text)) {
        return 0;
    }
    *value = strtod(text, &end);
    return *end == '\0';
}

static int parse_real(const char *command, const arg_option *option, const char *text)
{
    double number;
    if (args_real(text, &number) && number > option->low && number < option->high) {
        *(double *)option->value = number;
        return 0;
    }
    if (option->high < HUGE_VAL) {
        return wrong_usage("%s: %s takes a number between %g and %g, not \"%s\"", command,
                           option->name, option->low, option->high, text);
    }
    return wrong_usage("%s: %s takes a finite number above %g, not \"%s\"", command,
                       option->name, option->low, text);
}

static int parse_time(const char *command, const arg_option *option, const char *text)
{
    static const char units[] = "smh";
    static const double seconds[] = {1.0, 60.0, 3600.0};
    size_t length = strlen(text);
    const char *unit = length > 1 ? strchr(units, text[length - 1]) : NULL;
    double number;
    if (args_number(text, length - (unit != NULL), &number) && number > 0.0 && number < 1e9) {
        *(double *)option->value = number * (unit == NULL ? 1.0 : seconds[unit - units]);
        return 0;
    }
    return wrong_usage("%s: %s takes a time, as 30s, 2m, 1h or 90 (seconds), not \"%s\"", command,
                       option->name, text);
}

static int parse_value(const char *command, const arg_option *option, const char *text)
{
    switch (option->kind) {
    case ARG_TEXT:
        if (*text == '\0') {
            return wrong_usage("%s: %s needs a value", command, option->name);
        }
        *(const char **)option->value = text;
        return 0;
    case ARG_COUNT:
        return parse_count(command, option, text);
    case ARG_SEED:
        return parse_seed(command, option, text);
    case ARG_REAL:
        return parse_real(command, option, text);
    case ARG_TIME:
        return parse_time(command, option, text);
    case ARG_SWITCH:
        break;
    }
    return 0;
}

/* The option that `word` names, and where its `=value` begins (NULL without). */
static const arg_option *find(const arg_option *options, const char *word, const char **attached)
{
    const char *equals = strchr(word, '=');
    size_t length = equals == NULL ? strlen(word) : (size_t)(equals - word);
    *attached = equals == NULL ? NULL : equals + 1;
    for (; options->name != NULL; options++) {
        if (strlen(options->name) == length && memcmp(options->name, word, length) == 0) {
            return options;
        }
    }
    return NULL;
}

int args_parse(const char *command, const arg_option *options, int argc, char **argv)
{
    unsigned char seen[128] = {0}; /* more than any command has */
    int i = 0;
    if (argc == 1 && strcmp(argv[0], "--list-options") == 0) {
        for (; options->name != NULL; options++) {
            puts(options->name);
        }
        return EXIT_LISTED;
    }
    while (i < argc) {
        const char *attached;
        const char *text;
        const arg_option *option;
        int code;
        if (argv[i][0] != '-' || argv[i][1] == '\0') {
            return wrong_usage("%s: unexpected \"%s\" (lcc %s --help lists the options)", command,
                               argv[i], command);
        }
        option = find(options, argv[i], &attached);
        if (option == NULL) {
            return wrong_usage("%s: no option \"%s\" (lcc %s --help lists them)", command, argv[i],
                               command);
        }
        if (seen[option - options] != 0) {
            return wrong_usage("%s: %s is given twice", command, option->name);
        }
        seen[option - options] = 1;
        i++;
        if (option->kind == ARG_SWITCH) {
            if (attached != NULL) {
                return wrong_usage("%s: %s takes no value", command, option->name);
            }
            *(int *)option->value = 1;
            continue;
        }
        text = attached;
        if (text == NULL) {
            if (i == argc) {
                return wrong_usage("%s: %s needs a value", command, option->name);
            }
            text = argv[i];
            i++;
        }
        code = parse_value(command, option, text);
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

int args_split_reference(const char *text, char **file, unsigned long *index)
{
    unsigned long long number;
    const char *colon = strrchr(text, ':');
    if (colon == NULL || colon == text || !args_unsigned(colon + 1, &number) ||
        number > ULONG_MAX) {
        return wrong_usage("--split takes FILE.json:K with K from 0, not \"%s\"", text);
    }
    *file = copy_text(text, (size_t)(colon - text));
    *index = (unsigned long)number;
    return *file == NULL ? EXIT_FAILED : 0;
}

int args_number(const char *text, size_t length, double *value)
{
    char copy[64];
    if (length >= sizeof copy) {
        return 0;
    }
    memcpy(copy, text, length);
    copy[length] = '\0';
    return args_real(copy, value);
}
