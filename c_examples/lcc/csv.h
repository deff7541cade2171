/* CSV with one header row: cells as texts, and numbers of them. */
#ifndef CSV_H
#define CSV_H

#include <stddef.h>

typedef struct {
    const char *path; /* borrowed, for messages */
    size_t rows;
    size_t columns;
    char **names; /* columns, pointing into text */
    char **cells; /* rows x columns, row after row, likewise: trimmed, without their quotes */
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

/* Row and column from 0. */
const char *csv_cell(const csv_table *table, size_t row, size_t column);

/* 1 for what stands for no value: nothing, NA, NaN, null or ?; csv_numeric: for what is a number or would be one. */
int csv_missing(const char *cell);
int csv_numeric(const char *cell);

/* The cell as a finite number. 0, or EXIT_FAILED after a message that names it. */
int csv_number(const csv_table *table, size_t row, size_t column, double *value);

/* EXIT_FAILED after "FILE: row R (line L), column C (NAME): "CELL" " and what is wrong with it. */
int csv_refuse(const csv_table *table, size_t row, size_t column, const char *what);

#endif
