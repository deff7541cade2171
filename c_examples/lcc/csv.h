/* CSV with one header row: cells as texts, and numbers of them. */
#ifndef CSV_H
#define CSV_H

#include <stddef.h>
#include <stdio.h>

typedef struct {
    const char *path; /* borrowed, for messages */
    size_t rows;
    size_t columns;
    char **names; /* columns, pointing into text */
    char **cells; /* rows x columns, row after row, likewise: trimmed, without their quotes */
    size_t *place; /* columns: which of the file's each is, from 1 */
    size_t header; /* the line that the header stands in, from 1 */
    size_t before; /* rows of the file that came before these */
    char between;  /* cells, */
    char decimal;  /* and a point or comma in numbers, 0 where none has shown it */
    char *text;
} csv_table;

/* What a file's looks do not decide; NULL for each that is left to them. */
typedef struct {
    const char *delimiter;   /* comma, semicolon or tab, by name or itself; else the one that the first two lines suit */
    const char *drop;        /* names by commas of columns that are left out */
    const char *only;        /* names by commas of the columns that stay, */
    const char *beside[2];   /* and these with them */
    int absent;              /* a column to drop may not be there */
} csv_wish;

/* Reads and checks a file, or standard input for "-". Between cells stands a comma, semicolon or tab; beside the latter
 * two, numbers may have a decimal comma, which becomes a point. What was guessed other than commas is said. 0, or
 * EXIT_FAILED after a message that names file, row (data rows count from 1, lines from 1) and column; EXIT_USAGE where
 * a delimiter is none. `wish` may be NULL. */
int csv_read(csv_table *table, const char *path, const csv_wish *wish);

/* The same from memory; `path` only names the source. */
int csv_parse(csv_table *table, const char *path, const void *bytes, size_t length,
              const csv_wish *wish);

void csv_free(csv_table *table);

/* A file of any length, of which there is a block of rows at a time. */
typedef struct {
    FILE *stream;
    const char *path;
    char *text; /* the header, and what is read but not yet given */
    size_t header;
    size_t used;
    size_t capacity;
    size_t left;  /* of a file whose length is known, what is yet to come */
    csv_table last; /* what is known from the blocks before; no memory */
} csv_blocks;

/* 0, or EXIT_FAILED after a message; csv_close either way. "-" is standard input. */
int csv_open(csv_blocks *blocks, const char *path);
void csv_close(csv_blocks *blocks);

/* Whether its header has a column of that name, in *has. 0 or an exit code as csv_read. */
int csv_has(csv_blocks *blocks, const csv_wish *wish, const char *name, int *has);

/* The next rows, in about so many bytes and at least one, as csv_read gives them; no row behind the last. */
int csv_next(csv_blocks *blocks, csv_table *table, const csv_wish *wish, size_t bytes);

/* The column of that name, or table->columns where there is none. */
size_t csv_column(const csv_table *table, const char *name);

/* Row and column from 0. */
const char *csv_cell(const csv_table *table, size_t row, size_t column);

/* 1 for what stands for no value: nothing, NA, NaN, null or ?; csv_numeric: for what is a number or would be one. */
int csv_missing(const char *cell);
int csv_numeric(const char *cell);

/* 1 for a date or a time of day in digits, as 2024-01-31, 31.1.2024 8:30, 1/31/24 or 08:30:00. */
int csv_date(const char *cell);

/* 1 where the list, by commas, has the name; it may be NULL. */
int csv_lists(const char *list, const char *name);

/* The cell as a finite number. 0, or EXIT_FAILED after a message that names it. */
int csv_number(const csv_table *table, size_t row, size_t column, double *value);

/* EXIT_FAILED after "FILE: row R (line L), column C (NAME): "CELL" " and what is wrong with it. */
int csv_refuse(const csv_table *table, size_t row, size_t column, const char *what);

#endif
