#include "csv.h"

#include "args.h"
#include "cli.h"
#include "files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The part of a cell that an error message shows. */
#define SHOWN 40

static char *trim(char *cell)
{
    size_t length;
    while (*cell == ' ' || *cell == '\t') {
        cell++;
    }
    length = strlen(cell);
    while (length > 0 && (cell[length - 1] == ' ' || cell[length - 1] == '\t')) {
        length--;
    }
    cell[length] = '\0';
    return cell;
}

/* Cuts the next line off *rest: NUL replaces its end, CR included. NULL at the end. */
static char *next_line(char **rest)
{
    char *line = *rest;
    char *end;
    if (line == NULL || *line == '\0') {
        return NULL;
    }
    end = strchr(line, '\n');
    *rest = end == NULL ? NULL : end + 1;
    if (end == NULL) {
        end = line + strlen(line);
    }
    if (end > line && end[-1] == '\r') {
        end--;
    }
    *end = '\0';
    return line;
}

/* Cuts the next name or cell off *rest, which may stand in double quotes ("" inside is
 * one quote). NULL where the quotes are not closed or text follows them. */
static char *next_cell(char **rest)
{
    char *name = *rest;
    char *end;
    while (*name == ' ' || *name == '\t') {
        name++;
    }
    if (*name == '"') {
        char *from = name + 1;
        char *to = name;
        while (*from != '\0' && (*from != '"' || from[1] == '"')) {
            if (*from == '"') {
                from++;
            }
            *to++ = *from++;
        }
        if (*from != '"') {
            return NULL;
        }
        from++;
        while (*from == ' ' || *from == '\t') {
            from++;
        }
        if (*from != ',' && *from != '\0') {
            return NULL;
        }
        *rest = *from == ',' ? from + 1 : NULL;
        *to = '\0';
        return name;
    }
    end = strchr(name, ',');
    *rest = end == NULL ? NULL : end + 1;
    if (end != NULL) {
        *end = '\0';
    }
    return trim(name);
}

static size_t count_of(const char *text, char wanted)
{
    size_t count = 0;
    for (; *text != '\0'; text++) {
        count += *text == wanted;
    }
    return count;
}

static int parse_header(csv_table *table, char *line)
{
    char *rest = line;
    size_t i;
    table->names = allocate(count_of(line, ',') + 1, sizeof *table->names);
    if (table->names == NULL) {
        return EXIT_FAILED;
    }
    while (rest != NULL) {
        char *name = next_cell(&rest);
        if (name == NULL) {
            return fail("%s: header row, column %lu: the quotes do not match", table->path,
                        (unsigned long)table->columns + 1);
        }
        if (*name == '\0') {
            return fail("%s: header row, column %lu has no name", table->path,
                        (unsigned long)table->columns + 1);
        }
        for (i = 0; i < table->columns; i++) {
            if (strcmp(table->names[i], name) == 0) {
                return fail("%s: header row: columns %lu and %lu are both called \"%s\"",
                            table->path, (unsigned long)i + 1, (unsigned long)table->columns + 1,
                            name);
            }
        }
        table->names[table->columns] = name;
        table->columns++;
    }
    return 0;
}

/* Whether a cell is one of some names in whatever case. */
static int is_one_of(const char *cell, const char *const *names)
{
    for (; *names != NULL; names++) {
        size_t i = 0;
        while (cell[i] != '\0' &&
               (cell[i] >= 'A' && cell[i] <= 'Z' ? cell[i] - 'A' + 'a' : cell[i]) == (*names)[i]) {
            i++;
        }
        if (cell[i] == '\0' && (*names)[i] == '\0') {
            return 1;
        }
    }
    return 0;
}

static int names_non_finite(const char *cell)
{
    static const char *const names[] = {"nan", "inf", "infinity", "na", "null", NULL};
    return is_one_of(*cell == '+' || *cell == '-' ? cell + 1 : cell, names);
}

int csv_missing(const char *cell)
{
    static const char *const names[] = {"", "nan", "na", "null", "?", NULL};
    return is_one_of(cell, names);
}

int csv_numeric(const char *cell)
{
    double value;
    return args_real(cell, &value) || names_non_finite(cell);
}

int csv_refuse(const csv_table *table, size_t row, size_t column, const char *what)
{
    const char *text = csv_cell(table, row, column);
    return fail("%s: row %lu (line %lu), column %lu (%s): %s%.*s%s%s", table->path,
                (unsigned long)row + 1, (unsigned long)row + 2, (unsigned long)column + 1,
                table->names[column], *text == '\0' ? "" : "\"", SHOWN, text,
                *text == '\0' ? "" : "\" ", what);
}

int csv_number(const csv_table *table, size_t row, size_t column, double *value)
{
    const char *cell = csv_cell(table, row, column);
    if (*cell == '\0') {
        return csv_refuse(table, row, column, "is empty");
    }
    if (names_non_finite(cell)) {
        return csv_refuse(table, row, column, "is not a finite number");
    }
    if (!args_real(cell, value)) {
        return csv_refuse(table, row, column, "is not a number");
    }
    if (!(fabs(*value) < HUGE_VAL)) {
        return csv_refuse(table, row, column, "is too large for a number");
    }
    return 0;
}

static int parse_row(csv_table *table, char *row)
{
    char **cells = table->cells + table->rows * table->columns;
    size_t line = table->rows + 2;
    size_t found = 0;
    int blank = row[strspn(row, " \t")] == '\0';
    while (row != NULL) {
        char *cell = next_cell(&row);
        if (cell == NULL) {
            return fail("%s: row %lu (line %lu), column %lu: the quotes do not match",
                        table->path, (unsigned long)line - 1, (unsigned long)line,
                        (unsigned long)found + 1);
        }
        if (found < table->columns) {
            cells[found] = cell;
        }
        found++;
    }
    if (found != table->columns) {
        found = blank ? 0 : found;
        return fail("%s: row %lu (line %lu) has %lu cell%s, the header has %lu", table->path,
                    (unsigned long)line - 1, (unsigned long)line, (unsigned long)found,
                    found == 1 ? "" : "s", (unsigned long)table->columns);
    }
    table->rows++;
    return 0;
}

/* Cuts blank lines off the end, so that any number of trailing newlines is fine. */
static void drop_blank_end(char *text)
{
    size_t length = strlen(text);
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL) {
        length--;
    }
    text[length] = '\0';
}

static int parse_text(csv_table *table)
{
    char *rest = table->text;
    char *line;
    size_t capacity;
    int code;
    if (strncmp(rest, "\xEF\xBB\xBF", 3) == 0) {
        rest += 3;
    }
    drop_blank_end(rest);
    line = next_line(&rest);
    if (line == NULL) {
        return fail("%s: the file is empty", table->path);
    }
    code = parse_header(table, line);
    if (code != 0) {
        return code;
    }
    if (rest == NULL) {
        return fail("%s: no rows below the header", table->path);
    }
    capacity = count_of(rest, '\n') + 1;
    if (capacity > (size_t)-1 / table->columns) {
        return fail("%s: too large", table->path);
    }
    table->cells = allocate(capacity * table->columns, sizeof *table->cells);
    if (table->cells == NULL) {
        return EXIT_FAILED;
    }
    while (code == 0 && (line = next_line(&rest)) != NULL) {
        code = parse_row(table, line);
    }
    return code;
}

int csv_parse(csv_table *table, const char *path, const void *bytes, size_t length)
{
    int code;
    memset(table, 0, sizeof *table);
    table->path = path;
    if (memchr(bytes, 0, length) != NULL) {
        return fail("%s: is not a text file", path);
    }
    table->text = copy_text(bytes, length);
    code = table->text == NULL ? EXIT_FAILED : parse_text(table);
    if (code != 0) {
        csv_free(table);
    }
    return code;
}

int csv_read(csv_table *table, const char *path)
{
    size_t length = 0;
    unsigned char *bytes = file_read(path, &length);
    int code;
    memset(table, 0, sizeof *table);
    if (bytes == NULL) {
        return EXIT_FAILED;
    }
    code = csv_parse(table, path, bytes, length);
    free(bytes);
    return code;
}

void csv_free(csv_table *table)
{
    free(table->names);
    free(table->cells);
    free(table->text);
    memset(table, 0, sizeof *table);
}

size_t csv_column(const csv_table *table, const char *name)
{
    size_t column = 0;
    while (column < table->columns && strcmp(table->names[column], name) != 0) {
        column++;
    }
    return column;
}

const char *csv_cell(const csv_table *table, size_t row, size_t column)
{
    return table->cells[row * table->columns + column];
}
