/* The services of port.h by semihosting, the same on every architecture. */
#include "semihost.h"

#include "../port.h"

void port_put(char c)
{
    semihost(SEMIHOST_PUT, &c);
}

void port_exit(int code)
{
    const uintptr_t block[2] = {0x20026 /* the application ended */, (uintptr_t)code};
    semihost(SEMIHOST_EXIT, block);
    for (;;) {
    }
}

/* A slot is a file of the host's, in the folder in which the emulator was started. */
static uintptr_t open_slot(int slot, uintptr_t mode)
{
    static const char *const names[PORT_SLOTS] = {"slot0.bin", "slot1.bin"};
    const uintptr_t block[3] = {(uintptr_t)names[slot], mode, 9};
    return semihost(SEMIHOST_OPEN, block);
}

static int close_slot(uintptr_t file, int failed)
{
    return semihost(SEMIHOST_CLOSE, &file) != 0 || failed;
}

int port_write_page(int slot, size_t page, const void *bytes, size_t length)
{
    /* Modes of fopen: 7 is "w+b", 3 is "r+b". The first page erases the slot. */
    const uintptr_t file = open_slot(slot, page == 0 ? 7 : 3);
    const uintptr_t seek[2] = {file, page * PORT_PAGE};
    const uintptr_t write[3] = {file, (uintptr_t)bytes, length};
    if (file == (uintptr_t)-1) {
        return 1;
    }
    return close_slot(file, semihost(SEMIHOST_SEEK, seek) != 0 || semihost(SEMIHOST_WRITE, write) != 0);
}

int port_read(int slot, size_t offset, void *bytes, size_t length)
{
    const uintptr_t file = open_slot(slot, 1 /* "rb" */);
    const uintptr_t seek[2] = {file, offset};
    const uintptr_t read[3] = {file, (uintptr_t)bytes, length};
    if (file == (uintptr_t)-1) {
        return 1;
    }
    return close_slot(file, semihost(SEMIHOST_SEEK, seek) != 0 || semihost(SEMIHOST_READ, read) != 0);
}
