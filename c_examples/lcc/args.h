/* Options of the form `--name value` or `--name=value`. */
#ifndef ARGS_H
#define ARGS_H

#include <stddef.h>

typedef enum {
    ARG_SWITCH, /* int: 1 when given, takes no value */
    ARG_TEXT,   /* const char * */
    ARG_COUNT,  /* uint32_t within [low, high] */
    ARG_SEED,   /* uint64_t, decimal */
    ARG_REAL,   /* double, finite, within (low, high) */
    ARG_TIME    /* double, of seconds: 90, 30s, 2m or 1h, above 0 */
} arg_kind;

typedef struct {
    const char *name; /* with its dashes; NULL ends a table */
    arg_kind kind;
    void *value; /* holds the default, of the type named by the kind */
    double low;
    double high;
} arg_option;

/* Fills the values from argv[0..argc). 0, or EXIT_USAGE after a message; or EXIT_LISTED after printing the names, where
 * that is all it is asked for, by --list-options: what shells complete comes from the one table that parses. */
int args_parse(const char *command, const arg_option *options, int argc, char **argv);

/* Splits "FILE:K" at its last colon. 0, or EXIT_USAGE after a message.
 * The file's name is a new text. */
int args_split_reference(const char *text, char **file, unsigned long *index);

/* 1 and the number where the whole text is a decimal number without sign. */
int args_unsigned(const char *text, unsigned long long *value);

/* 1 and the number where the whole text is one: strtod under the C locale, which the program never
 * leaves; hexadecimal and named values are refused, so that a value means the same everywhere. */
int args_real(const char *text, double *value);

/* 1 and the number where text[0..length) is one and nothing else. */
int args_number(const char *text, size_t length, double *value);

#endif
