/* As much of printf as the tests use (%s %d %lu %016llx), for programs without a C library. */
#include "text.h"

#include "../port.h"

#include <stdarg.h>

int printf(const char *format, ...);

int printf(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    for (; *format != '\0'; format++) {
        int longs = 0;
        if (*format != '%') {
            port_put(*format);
            continue;
        }
        format++;
        while (*format == 'l' || (*format >= '0' && *format <= '9')) {
            longs += *format++ == 'l';
        }
        if (*format == 's') {
            text(va_arg(arguments, const char *));
        } else if (*format == 'd') {
            const int value = va_arg(arguments, int);
            if (value < 0) {
                port_put('-');
            }
            text_unsigned(value < 0 ? (uint64_t) - (int64_t)value : (uint64_t)value);
        } else if (*format == 'x') {
            text_hex(longs == 2 ? va_arg(arguments, unsigned long long) : va_arg(arguments, unsigned));
        } else if (*format == 'u') {
            text_unsigned(longs == 0 ? va_arg(arguments, unsigned) : va_arg(arguments, unsigned long));
        } else {
            port_put(*format);
        }
    }
    va_end(arguments);
    return 0;
}

/* What the compiler makes of a printf of one constant line. */
int puts(const char *line);

int puts(const char *line)
{
    text(line);
    port_put('\n');
    return 0;
}

int putchar(int c);

int putchar(int c)
{
    port_put((char)c);
    return c;
}
