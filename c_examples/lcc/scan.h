/* A strict reader of JSON (RFC 8259) that walks a text without building a tree. */
#ifndef SCAN_H
#define SCAN_H

#include <stddef.h>

typedef struct {
    const char *text;
    size_t length;
    size_t at;
    const char *error; /* NULL until something is wrong; `at` is then where */
} json_scan;

void scan_begin(json_scan *scan, const char *text, size_t length);

/* Objects: `int first = 1; while (scan_member(&s, &first, key, sizeof key)) value`,
 * after scan_open(&s, '{'). A key that does not fit is cut. */
int scan_open(json_scan *scan, char bracket);
int scan_member(json_scan *scan, int *first, char *key, size_t capacity);

/* Arrays: the same after scan_open(&s, '['). */
int scan_element(json_scan *scan, int *first);

/* A whole number from 0; 0 on success. */
int scan_index(json_scan *scan, size_t *value);

/* Any number that a double holds; 0 on success. */
int scan_number(json_scan *scan, double *value);

/* Passes over any value. */
void scan_skip(json_scan *scan);

/* 1 where nothing but white space is left and nothing was wrong. */
int scan_end(json_scan *scan);

/* Line of the present place, from 1. */
size_t scan_line(const json_scan *scan);

#endif
