#include "json.h"

#include <inttypes.h>
#include <math.h>

static void text(FILE *out, const char *value)
{
    fputc('"', out);
    for (; *value != '\0'; value++) {
        unsigned char c = (unsigned char)*value;
        if (c == '"' || c == '\\') {
            fprintf(out, "\\%c", c);
        } else if (c < 0x20) {
            fprintf(out, "\\u%04x", c);
        } else {
            fputc(c, out);
        }
    }
    fputc('"', out);
}

static void line(json_writer *json)
{
    int i;
    fputc('\n', json->out);
    for (i = 0; i < json->depth; i++) {
        fputs("  ", json->out);
    }
}

static void key_of(json_writer *json, const char *key)
{
    if (!json->first) {
        fputc(',', json->out);
    }
    json->first = 0;
    line(json);
    text(json->out, key);
    fputs(": ", json->out);
}

static void number(const json_writer *json, double value)
{
    if (isfinite(value)) {
        fprintf(json->out, "%.*g", json->digits, value);
    } else {
        fputs("null", json->out);
    }
}

void json_begin(json_writer *json, FILE *out, int digits)
{
    json->out = out;
    json->digits = digits;
    json->depth = 1;
    json->first = 1;
    fputc('{', out);
}

void json_end(json_writer *json)
{
    json_object_end(json);
    fputc('\n', json->out);
}

void json_object(json_writer *json, const char *key)
{
    key_of(json, key);
    fputc('{', json->out);
    json->depth++;
    json->first = 1;
}

static void close_with(json_writer *json, char bracket)
{
    json->depth--;
    if (!json->first) {
        line(json);
    }
    json->first = 0;
    fputc(bracket, json->out);
}

void json_list(json_writer *json, const char *key)
{
    key_of(json, key);
    fputc('[', json->out);
    json->depth++;
    json->first = 1;
}

void json_item(json_writer *json)
{
    if (!json->first) {
        fputc(',', json->out);
    }
    line(json);
    fputc('{', json->out);
    json->depth++;
    json->first = 1;
}

void json_list_end(json_writer *json)
{
    close_with(json, ']');
}

void json_object_end(json_writer *json)
{
    close_with(json, '}');
}

void json_text(json_writer *json, const char *key, const char *value)
{
    key_of(json, key);
    text(json->out, value);
}

void json_count(json_writer *json, const char *key, uint64_t value)
{
    key_of(json, key);
    fprintf(json->out, "%" PRIu64, value);
}

void json_null(json_writer *json, const char *key)
{
    key_of(json, key);
    fputs("null", json->out);
}

void json_number(json_writer *json, const char *key, double value)
{
    key_of(json, key);
    number(json, value);
}

void json_numbers(json_writer *json, const char *key, const double *values, size_t count)
{
    size_t i;
    key_of(json, key);
    fputc('[', json->out);
    for (i = 0; i < count; i++) {
        if (i > 0) {
            fputs(", ", json->out);
        }
        number(json, values[i]);
    }
    fputc(']', json->out);
}
