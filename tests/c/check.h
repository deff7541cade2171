/* A check that says where it failed and goes on. */
#ifndef CHECK_H
#define CHECK_H

#include <lcc.h>
#include <stdio.h>
#include <string.h>

static int failures = 0;

#define CHECK(condition)                                                      \
    do {                                                                      \
        if (!(condition)) {                                                   \
            printf("%s:%d: %s\n", __FILE__, __LINE__, #condition);            \
            failures++;                                                       \
        }                                                                     \
    } while (0)

/* The status of a call, named when it is another one. */
#define STATUS(call, expected)                                                \
    do {                                                                      \
        int32_t status_ = (call);                                             \
        if (status_ != (int32_t)(expected)) {                                 \
            printf("%s:%d: %s\n  is %d (%s), not %d (%s)\n", __FILE__, __LINE__, #call, (int)status_,       \
                   lcc_status_message(status_), (int)(expected),              \
                   lcc_status_message((int32_t)(expected)));                  \
            failures++;                                                       \
        }                                                                     \
    } while (0)

#endif
