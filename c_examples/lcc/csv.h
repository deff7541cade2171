/* Numeric CSV with one header row. */
#ifndef CSV_H
#define CSV_H

#include <stddef.h>

typedef struct {
    const char *path; /* borrowed, for messages */
    size_t rows;
    size_t columns;
    char **names;   /* columns, pointing into text */
    double *values; /* rows x columns, row after row, all finite */
    char *text;
} csv_table;

/* Reads and checks a file. 0, or EXIT_FAILED after a message that names file,
 * row (data rows count from 1, lines from 1) and column. */
int csv_read(csv_table *table, const char *path);

/* The same from memory; `path` only names the source. */
int csv_parse(csv_table *table, const char *path, const void *bytes, size_t length);

void csv_free(csv_table *table);

/* The column of that name, or table->columns where there is none. */
size_t csv_column(const csv_table *table, const char *name);

#endif
