#include "cli.h"

#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void say(const char *format, va_list arguments)
{
    (void)fflush(stdout);
    fputs("lcc: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
}

int fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    return EXIT_FAILED;
}

int wrong_usage(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
    return EXIT_USAGE;
}

void warn(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    say(format, arguments);
    va_end(arguments);
}

void *allocate(size_t count, size_t size)
{
    void *memory = NULL;
    if (size == 0 || count == 0) {
        count = 1;
        size = 1;
    }
    if (count <= SIZE_MAX / size) {
        memory = calloc(count, size);
    }
    if (memory == NULL) {
        (void)fail("not enough memory for %lu items of %lu bytes",
                   (unsigned long)count, (unsigned long)size);
    }
    return memory;
}

char *copy_text(const char *text, size_t length)
{
    char *copy = allocate(length + 1, 1);
    if (copy != NULL) {
        memcpy(copy, text, length);
    }
    return copy;
}

char *join_text(const char *a, const char *b)
{
    size_t first = strlen(a);
    size_t second = strlen(b);
    char *joined = allocate(first + second + 1, 1);
    if (joined != NULL) {
        memcpy(joined, a, first);
        memcpy(joined + first, b, second);
    }
    return joined;
}
