/* What every file of the command line shares: exit codes, error messages and
 * checked allocation. */
#ifndef CLI_H
#define CLI_H

#include <stddef.h>

enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_INTERRUPTED = 130
};

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

/* Print "lcc: ..." on standard error. fail returns EXIT_FAILED, wrong_usage
 * EXIT_USAGE, so that callers write `return fail(...)`. */
int fail(const char *format, ...) PRINTF_LIKE(1, 2);
int wrong_usage(const char *format, ...) PRINTF_LIKE(1, 2);
void warn(const char *format, ...) PRINTF_LIKE(1, 2);

/* count * size bytes, zeroed, or NULL with a message where there is no memory
 * or the product overflows. Zero bytes give a valid pointer. */
void *allocate(size_t count, size_t size);

/* A copy of the first `length` characters, NUL-terminated; NULL with a message. */
char *copy_text(const char *text, size_t length);

/* a followed by b; NULL with a message. */
char *join_text(const char *a, const char *b);

/* The whole command line. */
int lcc_main(int argc, char **argv);

#endif
