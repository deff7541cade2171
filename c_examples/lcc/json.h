/* Writes one JSON object. */
#ifndef JSON_H
#define JSON_H

#include <stdint.h>
#include <stdio.h>

typedef struct {
    FILE *out;
    int digits; /* significant digits of numbers: 17 or 9 bring back f64 or f32 exactly */
    int depth;
    int first; /* nothing stands in the present object yet */
} json_writer;

/* Opens and closes the outermost object. */
void json_begin(json_writer *json, FILE *out, int digits);
void json_end(json_writer *json);

void json_object(json_writer *json, const char *key);
void json_object_end(json_writer *json);
/* A list of objects: json_list, then json_item and json_object_end for each, then json_list_end. */
void json_list(json_writer *json, const char *key);
void json_item(json_writer *json);
void json_list_end(json_writer *json);
void json_text(json_writer *json, const char *key, const char *value);
void json_count(json_writer *json, const char *key, uint64_t value);
void json_null(json_writer *json, const char *key);

/* Numbers that are not finite become null. */
void json_number(json_writer *json, const char *key, double value);
void json_numbers(json_writer *json, const char *key, const double *values, size_t count);

#endif
