/* The computer that builds: the golden bits come from here. */
#define _POSIX_C_SOURCE 199309L

#include "../port.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void port_put(char c)
{
    putchar(c);
    if (c == '\n') {
        fflush(stdout);
    }
}

void port_exit(int code)
{
    exit(code);
}

/* Nanoseconds of this program: nothing here counts instructions on every machine. */
uint64_t port_clock(void)
{
    struct timespec now = {0, 0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

size_t port_stack(void)
{
    return 0;
}

static FILE *open_slot(int slot, const char *mode)
{
    return fopen(slot == 0 ? "slot0.bin" : "slot1.bin", mode);
}

int port_write_page(int slot, size_t page, const void *bytes, size_t length)
{
    FILE *file = open_slot(slot, page == 0 ? "w+b" : "r+b");
    int failed;
    if (file == NULL) {
        return 1;
    }
    failed = fseek(file, (long)(page * PORT_PAGE), SEEK_SET) != 0 || fwrite(bytes, 1, length, file) != length;
    return fclose(file) != 0 || failed;
}

int port_read(int slot, size_t offset, void *bytes, size_t length)
{
    FILE *file = open_slot(slot, "rb");
    int failed;
    if (file == NULL) {
        return 1;
    }
    failed = fseek(file, (long)offset, SEEK_SET) != 0 || fread(bytes, 1, length, file) != length;
    return fclose(file) != 0 || failed;
}

int main(void)
{
    return program();
}
