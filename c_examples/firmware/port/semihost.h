/* Semihosting: the debugger or emulator that watches the CPU does what the board cannot. */
#ifndef SEMIHOST_H
#define SEMIHOST_H

#include <stdint.h>

enum {
    SEMIHOST_OPEN = 0x01,
    SEMIHOST_CLOSE = 0x02,
    SEMIHOST_PUT = 0x03,
    SEMIHOST_WRITE = 0x05,
    SEMIHOST_READ = 0x06,
    SEMIHOST_SEEK = 0x0a,
    SEMIHOST_EXIT = 0x20
};

/* The one instruction that differs between architectures: in the file of the board. */
uintptr_t semihost(uintptr_t operation, const void *block);

#endif
