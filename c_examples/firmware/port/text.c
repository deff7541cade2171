#include "text.h"

#include "../port.h"

#include <lcc.h>

void text(const char *s)
{
    while (*s != '\0') {
        port_put(*s++);
    }
}

void text_unsigned(uint64_t value)
{
    char digits[20];
    size_t n = 0;
    do {
        digits[n++] = (char)('0' + (char)(value % 10));
        value /= 10;
    } while (value != 0);
    while (n > 0) {
        port_put(digits[--n]);
    }
}

void text_hex(uint64_t value)
{
    int shift;
    for (shift = 60; shift >= 0; shift -= 4) {
        port_put("0123456789abcdef"[(value >> shift) & 15]);
    }
}

void text_decimal(float value, unsigned decimals)
{
    uint32_t unit = 1;
    uint32_t whole;
    uint32_t rest;
    unsigned k;
    for (k = 0; k < decimals; k++) {
        unit *= 10;
    }
    if (!(value > -4e9f && value < 4e9f)) {
        text("?");
        return;
    }
    if (value < 0) {
        port_put('-');
        value = -value;
    }
    whole = (uint32_t)value;
    rest = (uint32_t)((value - (float)whole) * (float)unit + 0.5f);
    if (rest >= unit) {
        whole++;
        rest -= unit;
    }
    text_unsigned(whole);
    if (decimals > 0) {
        port_put('.');
        for (unit /= 10; unit > 0; unit /= 10) {
            port_put((char)('0' + (char)(rest / unit % 10)));
        }
    }
}

void report(const char *name, uint64_t value)
{
    text("# ");
    text(name);
    text(" ");
    text_unsigned(value);
    text("\n");
}

void report_hash(const char *name, uint64_t value)
{
    text("# ");
    text(name);
    text(" ");
    text_hex(value);
    text("\n");
}

void check(int32_t status, const char *call)
{
    if (status < 0) {
        text(call);
        text(": status -");
        text_unsigned((uint64_t) - (int64_t)status);
        text(" of lcc.h\n");
        port_exit(1);
    }
}

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length)
{
    const unsigned char *p = (const unsigned char *)bytes;
    while (length-- > 0) {
        hash = (hash ^ *p++) * UINT64_C(0x100000001b3);
    }
    return hash;
}
