#include "scan.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 64 };

static int peek(const json_scan *scan)
{
    return scan->at < scan->length ? (unsigned char)scan->text[scan->at] : -1;
}

static int wrong(json_scan *scan, const char *message)
{
    if (scan->error == NULL) {
        scan->error = message;
    }
    return 0;
}

static void space(json_scan *scan)
{
    int c = peek(scan);
    while (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
        scan->at++;
        c = peek(scan);
    }
}

void scan_begin(json_scan *scan, const char *text, size_t length)
{
    scan->text = text;
    scan->length = length;
    scan->at = 0;
    scan->error = NULL;
}

int scan_open(json_scan *scan, char bracket)
{
    space(scan);
    if (scan->error != NULL || peek(scan) != bracket) {
        return wrong(scan, bracket == '{' ? "an object is expected" : "an array is expected");
    }
    scan->at++;
    return 1;
}

/* Between two items: 1 when another follows, 0 at the closing bracket or error. */
static int another(json_scan *scan, int *first, char closing)
{
    space(scan);
    if (scan->error != NULL) {
        return 0;
    }
    if (peek(scan) == closing) {
        scan->at++;
        return 0;
    }
    if (!*first) {
        if (peek(scan) != ',') {
            return wrong(scan, "a comma or the closing bracket is expected");
        }
        scan->at++;
        space(scan);
    }
    *first = 0;
    return 1;
}

static int is_hexadecimal(int c)
{
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/* One escape after its backslash; writes nothing: keys of interest have none. */
static int escape(json_scan *scan)
{
    int c = peek(scan);
    int i;
    if (c < 0 || strchr("\"\\/bfnrtu", c) == NULL) {
        return wrong(scan, "an unknown escape");
    }
    scan->at++;
    for (i = 0; c == 'u' && i < 4; i++) {
        if (!is_hexadecimal(peek(scan))) {
            return wrong(scan, "four hexadecimal digits are expected");
        }
        scan->at++;
    }
    return 1;
}

static int string(json_scan *scan, char *out, size_t capacity)
{
    size_t used = 0;
    if (peek(scan) != '"') {
        return wrong(scan, "a string is expected");
    }
    scan->at++;
    for (;;) {
        int c = peek(scan);
        if (c < 0x20) {
            return wrong(scan, c < 0 ? "the text ends inside a string"
                                     : "a control character inside a string");
        }
        scan->at++;
        if (c == '"') {
            break;
        }
        if (c == '\\') {
            if (!escape(scan)) {
                return 0;
            }
            c = '\\';
        }
        if (used + 1 < capacity) {
            out[used] = (char)c;
            used++;
        }
    }
    if (capacity > 0) {
        out[used] = '\0';
    }
    return 1;
}

int scan_member(json_scan *scan, int *first, char *key, size_t capacity)
{
    if (!another(scan, first, '}') || !string(scan, key, capacity)) {
        return 0;
    }
    space(scan);
    if (peek(scan) != ':') {
        return wrong(scan, "a colon is expected");
    }
    scan->at++;
    return 1;
}

int scan_element(json_scan *scan, int *first)
{
    return another(scan, first, ']');
}

static int is_digit(int c)
{
    return c >= '0' && c <= '9';
}

static int digits(json_scan *scan)
{
    if (!is_digit(peek(scan))) {
        return wrong(scan, "a digit is expected");
    }
    while (is_digit(peek(scan))) {
        scan->at++;
    }
    return 1;
}

static int number(json_scan *scan)
{
    if (peek(scan) == '-') {
        scan->at++;
    }
    if (peek(scan) == '0') {
        scan->at++;
        if (is_digit(peek(scan))) {
            return wrong(scan, "a number with a leading zero");
        }
    } else if (!digits(scan)) {
        return 0;
    }
    if (peek(scan) == '.') {
        scan->at++;
        if (!digits(scan)) {
            return 0;
        }
    }
    if (peek(scan) == 'e' || peek(scan) == 'E') {
        scan->at++;
        if (peek(scan) == '+' || peek(scan) == '-') {
            scan->at++;
        }
        return digits(scan);
    }
    return 1;
}

int scan_index(json_scan *scan, size_t *value)
{
    size_t start;
    size_t total = 0;
    space(scan);
    start = scan->at;
    if (scan->error != NULL || !number(scan)) {
        return -1;
    }
    for (; start < scan->at; start++) {
        int c = (unsigned char)scan->text[start];
        if (!is_digit(c) || total > (SIZE_MAX - 9) / 10) {
            (void)wrong(scan, "a row number from 0 is expected");
            return -1;
        }
        total = total * 10 + (size_t)(c - '0');
    }
    *value = total;
    return 0;
}

int scan_number(json_scan *scan, double *value)
{
    char digits_of_it[64];
    size_t start;
    size_t length;
    space(scan);
    start = scan->at;
    if (scan->error != NULL || !number(scan)) {
        return -1;
    }
    length = scan->at - start;
    if (length >= sizeof digits_of_it) {
        (void)wrong(scan, "a number of more than 63 characters");
        return -1;
    }
    memcpy(digits_of_it, scan->text + start, length);
    digits_of_it[length] = '\0';
    *value = strtod(digits_of_it, NULL);
    if (*value - *value != 0.0) {
        (void)wrong(scan, "a number that is too large");
        return -1;
    }
    return 0;
}

static int word(json_scan *scan, const char *expected)
{
    size_t length = strlen(expected);
    if (scan->length - scan->at < length ||
        memcmp(scan->text + scan->at, expected, length) != 0) {
        return wrong(scan, "a value is expected");
    }
    scan->at += length;
    return 1;
}

static void skip(json_scan *scan, int depth)
{
    int first = 1;
    int c;
    space(scan);
    c = peek(scan);
    if (scan->error != NULL) {
        return;
    }
    if (depth == DEPTH) {
        (void)wrong(scan, "too many brackets inside each other");
    } else if (c == '{') {
        scan->at++;
        while (scan_member(scan, &first, NULL, 0)) {
            skip(scan, depth + 1);
        }
    } else if (c == '[') {
        scan->at++;
        while (scan_element(scan, &first)) {
            skip(scan, depth + 1);
        }
    } else if (c == '"') {
        (void)string(scan, NULL, 0);
    } else if (c == 't') {
        (void)word(scan, "true");
    } else if (c == 'f') {
        (void)word(scan, "false");
    } else if (c == 'n') {
        (void)word(scan, "null");
    } else if (c == '-' || is_digit(c)) {
        (void)number(scan);
    } else {
        (void)wrong(scan, "a value is expected");
    }
}

void scan_skip(json_scan *scan)
{
    skip(scan, 0);
}

int scan_end(json_scan *scan)
{
    space(scan);
    if (scan->error == NULL && scan->at < scan->length) {
        (void)wrong(scan, "something follows the end");
    }
    return scan->error == NULL;
}

size_t scan_line(const json_scan *scan)
{
    size_t line = 1;
    size_t i;
    for (i = 0; i < scan->at && i < scan->length; i++) {
        line += scan->text[i] == '\n';
    }
    return line;
}
