/* A model as C source, for programs that keep it in flash. */
#ifndef C_ARRAY_H
#define C_ARRAY_H

#include <stddef.h>
#include <stdio.h>

/* A header that defines `static const unsigned char NAME[]`, NAME and the
 * include guard being made from the file's name. */
void c_array_write(FILE *out, const char *path, const unsigned char *bytes, size_t length);

#endif
