/* A schema as bytes, little-endian:
 *
 *   u16 version, u16 1 where the last input is an exposure, u32 inputs; each input, then the target:
 *   u16 length of the name, the name; u8 indicator; u16 levels; without levels the mean, f64,
 *   and from version 2 on the least and the greatest, f64; else for each level u16 length, the text, f64 its share.
 *   Version 3, which has a note: u32 draws of a chain, u16 length, the text. */
#include "encode.h"

#include "cli.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SCHEMA_VERSION = 3 };

/* Bytes being written: counted where `to` is NULL. */
typedef struct {
    unsigned char *to;
    size_t at;
    int too_long; /* a text is */
} sink;

static void put(sink *out, uint64_t value, size_t bytes)
{
    size_t i;
    for (i = 0; i < bytes; i++, out->at++) {
        if (out->to != NULL) {
            out->to[out->at] = (unsigned char)(value >> (8 * i));
        }
    }
}

static void put_real(sink *out, double value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    put(out, bits, 8);
}

static void put_text(sink *out, const char *text)
{
    size_t length = strlen(text);
    out->too_long |= length > UINT16_MAX;
    put(out, length, 2);
    if (out->to != NULL) {
        memcpy(out->to + out->at, text, length);
    }
    out->at += length;
}

static void put_column(sink *out, const schema_column *c)
{
    size_t k;
    put_text(out, c->name);
    put(out, c->indicator != 0, 1);
    put(out, c->levels, 2);
    for (k = 0; k < c->levels; k++) {
        put_text(out, c->level[k]);
        put_real(out, c->fill[k]);
    }
    if (c->levels == 0) {
        put_real(out, *c->fill);
        put_real(out, c->least);
        put_real(out, c->greatest);
    }
}

int schema_write(const schema *s, unsigned char **bytes, size_t *length)
{
    sink out = {NULL, 0, 0};
    int pass;
    *bytes = NULL;
    for (pass = 0; pass < 2; pass++) {
        size_t k;
        out.to = *bytes;
        out.at = 0;
        put(&out, s->note != NULL ? SCHEMA_VERSION : 2, 2);
        put(&out, s->exposure != 0, 2);
        put(&out, s->count, 4);
        for (k = 0; k < s->count; k++) {
            put_column(&out, &s->inputs[k]);
        }
        put_column(&out, &s->target);
        if (s->note != NULL) {
            put(&out, s->kept, 4);
            put_text(&out, s->note);
        }
        if (out.too_long) {
            return fail("a name or word of the data is too long for a model");
        }
        if (pass == 0) {
            *bytes = allocate(out.at, 1);
            if (*bytes == NULL) {
                return EXIT_FAILED;
            }
        }
    }
    *length = out.at;
    return 0;
}

/* Bytes being read: `bad` from the first that cannot be. */
typedef struct {
    const unsigned char *from;
    size_t left;
    int bad;
} source;

static uint64_t take(source *in, size_t bytes)
{
    uint64_t value = 0;
    size_t i;
    if (in->bad || in->left < bytes) {
        in->bad = 1;
        return 0;
    }
    for (i = 0; i < bytes; i++) {
        value |= (uint64_t)in->from[i] << (8 * i);
    }
    in->from += bytes;
    in->left -= bytes;
    return value;
}

static double take_real(source *in)
{
    uint64_t bits = take(in, 8);
    double value;
    memcpy(&value, &bits, sizeof value);
    in->bad |= !isfinite(value);
    return value;
}

/* A new text, or NULL. */
static char *take_text(source *in)
{
    size_t length = (size_t)take(in, 2);
    char *text;
    if (in->bad || length == 0 || length > in->left || memchr(in->from, 0, length) != NULL) {
        in->bad = 1;
        return NULL;
    }
    text = copy_text((const char *)in->from, length);
    in->bad |= text == NULL;
    in->from += length;
    in->left -= length;
    return text;
}

static void take_column(source *in, int ranges, schema_column *c)
{
    uint64_t indicator;
    size_t levels;
    c->name = take_text(in);
    indicator = take(in, 1);
    levels = (size_t)take(in, 2);
    in->bad |= indicator > 1 || levels == 1 || levels > MOST_LEVELS;
    c->indicator = indicator == 1;
    if (in->bad) {
        return;
    }
    c->fill = allocate(levels == 0 ? 1 : levels, sizeof *c->fill);
    c->level = allocate(levels, sizeof *c->level);
    in->bad |= c->fill == NULL || c->level == NULL;
    if (!in->bad && levels == 0) {
        *c->fill = take_real(in);
        c->least = ranges ? take_real(in) : 0.0;
        c->greatest = ranges ? take_real(in) : -1.0;
        in->bad |= ranges && c->least > c->greatest;
    }
    for (; !in->bad && c->levels < levels; c->levels++) {
        c->level[c->levels] = take_text(in);
        if (!in->bad) {
            c->fill[c->levels] = take_real(in);
            in->bad |= c->levels > 0 &&
                       schema_level_order(c->level[c->levels - 1], c->level[c->levels]) >= 0;
        }
    }
}

int schema_read(schema *s, const unsigned char *bytes, size_t length, const char *path)
{
    source in;
    uint64_t version;
    uint64_t exposure;
    uint64_t count;
    memset(s, 0, sizeof *s);
    in.from = bytes;
    in.left = length;
    in.bad = 0;
    version = take(&in, 2);
    if (!in.bad && version > SCHEMA_VERSION) {
        return fail("%s: its columns were written by a newer lcc", path);
    }
    exposure = take(&in, 2);
    count = take(&in, 4);
    /* An input takes 14 bytes at least. */
    in.bad |= version == 0 || exposure > 1 || count == 0 || count > in.left / 14;
    s->inputs = in.bad ? NULL : allocate((size_t)count, sizeof *s->inputs);
    in.bad |= s->inputs == NULL;
    s->exposure = exposure == 1;
    while (!in.bad && s->count < count) {
        take_column(&in, version > 1, &s->inputs[s->count]);
        s->count++;
    }
    if (!in.bad) {
        take_column(&in, version > 1, &s->target);
        in.bad |= s->exposure && (s->inputs[s->count - 1].levels > 0 ||
                                  s->inputs[s->count - 1].indicator);
    }
    if (!in.bad && version > 2) {
        s->kept = (uint32_t)take(&in, 4);
        s->note = take_text(&in);
    }
    if (in.bad || in.left > 0) {
        return fail("%s: its columns cannot be read: the file is damaged", path);
    }
    return 0;
}
