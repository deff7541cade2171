#include "csv.h"

#include "args.h"
#include "cli.h"
#include "csv_tidy.h"
#include "files.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A blank that is no delimiter; CR too, of which some programs write several. */
static int is_blank(char c, char between)
{
    return c == ' ' || c == '\r' || (c == '\t' && between != '\t');
}

static char *trim(char *cell, char between)
{
    size_t length;
    while (is_blank(*cell, between)) {
        cell++;
    }
    length = strlen(cell);
    while (length > 0 && is_blank(cell[length - 1], between)) {
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
static char *next_cell(char **rest, char between)
{
    char *name = *rest;
    char *end;
    while (is_blank(*name, between)) {
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
        while (is_blank(*from, between)) {
            from++;
        }
        if (*from != between && *from != '\0') {
            return NULL;
        }
        *rest = *from == between ? from + 1 : NULL;
        *to = '\0';
        return name;
    }
    end = strchr(name, between);
    *rest = end == NULL ? NULL : end + 1;
    if (end != NULL) {
        *end = '\0';
    }
    return trim(name, between);
}

static size_t count_of(const char *text, char wanted)
{
    size_t count = 0;
    for (; *text != '\0'; text++) {
        count += *text == wanted;
    }
    return count;
}

/* The cells of a line, or of as much of a text as is its first; what stands in quotes does not divide. */
static size_t cells_of(const char *line, char between)
{
    size_t count = 1;
    int quoted = 0;
    for (; *line != '\0' && *line != '\n'; line++) {
        quoted = *line == '"' ? !quoted : quoted;
        count += !quoted && *line == between;
    }
    return count;
}

/* The delimiter under which the header and the first row have as many cells, more than one; else a comma. */
static char guess_delimiter(const char *header, const char *first_row)
{
    static const char delimiters[] = ",;\t";
    const char *d;
    for (d = delimiters; *d != '\0'; d++) {
        size_t cells = cells_of(header, *d);
        if (cells > 1 && (first_row == NULL || cells_of(first_row, *d) == cells)) {
            return *d;
        }
    }
    for (d = delimiters; *d != '\0'; d++) {
        if (cells_of(header, *d) > 1) {
            return *d;
        }
    }
    return ',';
}

/* The delimiter of that name; 0 for none. */
static char delimiter_of(const char *name)
{
    static const struct {
        const char *name;
        char is;
    } delimiters[] = {{"comma", ','},    {",", ','},   {"semicolon", ';'}, {";", ';'},
                      {"tab", '\t'},     {"\t", '\t'}, {"\\t", '\t'}};
    size_t k;
    for (k = 0; k < sizeof delimiters / sizeof *delimiters; k++) {
        if (strcmp(name, delimiters[k].name) == 0) {
            return delimiters[k].is;
        }
    }
    return '\0';
}

static int parse_header(csv_table *table, char *line, char between)
{
    char *rest = line;
    size_t i;
    table->names = allocate(count_of(line, between) + 1, sizeof *table->names);
    table->place = allocate(count_of(line, between) + 1, sizeof *table->place);
    if (table->names == NULL || table->place == NULL) {
        return EXIT_FAILED;
    }
    while (rest != NULL) {
        char *name = next_cell(&rest, between);
        if (name == NULL) {
            return fail("%s: header row, column %lu: the quotes do not match", table->path,
                        (unsigned long)table->columns + 1);
        }
        if (*name == '\0') {
            return fail("%s: header row, column %lu has no name%s", table->path,
                        (unsigned long)table->columns + 1,
                        table->columns == 0 ? " (if it numbers the rows, write the file without it)"
                                            : "");
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
        table->place[table->columns - 1] = table->columns;
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

size_t csv_digits(const char **at, size_t most)
{
    size_t count = 0;
    while (count < most && **at >= '0' && **at <= '9') {
        (*at)++;
        count++;
    }
    return count;
}

int csv_date(const char *cell)
{
    const char *at = cell;
    size_t first = csv_digits(&at, 4);
    char between = *at;
    if (first == 0 || between == '\0' || strchr("-/.:", between) == NULL) {
        return 0;
    }
    at++;
    if (csv_digits(&at, 2) == 0) {
        return 0;
    }
    if (between == ':') {
        return first <= 2 && (*at == '\0' || *at == ':' || *at == ' ');
    }
    if (*at == '\0') {
        return between == '-' && first == 4;
    }
    if (*at != between) {
        return 0;
    }
    at++;
    return csv_digits(&at, 4) > 0 && (*at == '\0' || *at == ' ' || *at == 'T');
}

int csv_lists(const char *list, const char *name)
{
    size_t length = strlen(name);
    while (list != NULL) {
        if (strncmp(list, name, length) == 0 && (list[length] == '\0' || list[length] == ',')) {
            return 1;
        }
        list = strchr(list, ',');
        list = list == NULL ? NULL : list + 1;
    }
    return 0;
}

int csv_refuse(const csv_table *table, size_t row, size_t column, const char *what)
{
    const char *text = csv_cell(table, row, column);
    return fail("%s: row %lu (line %lu), column %lu (%s): %s%.*s%s%s", table->path,
                (unsigned long)(table->before + row) + 1,
                (unsigned long)(table->before + row + table->header) + 1,
                (unsigned long)table->place[column], table->names[column], *text == '\0' ? "" : "\"", SHOWN, text,
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
        return csv_refuse(table, row, column,
                          csv_date(cell) ? "is a date, which is no number: make numbers of it that can "
                                           "matter, as days since the first, or leave its column out"
                                         : "is not a number");
    }
    if (!(fabs(*value) < HUGE_VAL)) {
        return csv_refuse(table, row, column, "is too large for a number");
    }
    return 0;
}

static int parse_row(csv_table *table, char *row, char between)
{
    char **cells = table->cells + table->rows * table->columns;
    size_t number = table->before + table->rows + 1;
    size_t line = number + table->header;
    size_t found = 0;
    int blank = row[strspn(row, " \t\r")] == '\0';
    while (row != NULL) {
        char *cell = next_cell(&row, between);
        if (cell == NULL) {
            return fail("%s: row %lu (line %lu), column %lu: the quotes do not match",
                        table->path, (unsigned long)number, (unsigned long)line,
                        (unsigned long)found + 1);
        }
        if (found < table->columns) {
            cells[found] = cell;
        }
        found++;
    }
    if (found != table->columns) {
        found = blank ? 0 : found;
        return fail("%s: row %lu (line %lu) has %lu cell%s, the header has %lu%s", table->path,
                    (unsigned long)number, (unsigned long)line, (unsigned long)found,
                    found == 1 ? "" : "s", (unsigned long)table->columns,
                    between == ',' && found == 2 * table->columns
                        ? " (beside decimal commas cells are separated by semicolons or tabs)"
                        : "");
    }
    table->rows++;
    return 0;
}

/* Cuts blank lines off the end, so that any number of trailing newlines is fine; an empty last cell stays. */
static void drop_blank_end(char *text)
{
    size_t length = strlen(text);
    size_t end = length;
    while (length > 0 && strchr(" \t\r\n", text[length - 1]) != NULL) {
        length--;
        end = text[length] == '\n' ? length : end;
    }
    text[length == 0 ? 0 : end] = '\0';
}

/* The header, which may come after a line that names the delimiter, as spreadsheets write. */
static char *header_line(csv_table *table, char **rest, char *between)
{
    char *line = next_line(rest);
    table->header = 1;
    if (line != NULL && strncmp(line, "sep=", 4) == 0 && strlen(line) == 5) {
        *between = line[4];
        table->header = 2;
        line = next_line(rest);
    }
    return line;
}

/* A table that continues another has its `before` and `between`. */
static int parse_text(csv_table *table, const csv_wish *wish, csv_extent wanted)
{
    char *rest = table->text;
    char *line;
    char between = '\0';
    int guessed = 0;
    size_t capacity;
    int code;
    if (strncmp(rest, "\xEF\xBB\xBF", 3) == 0) {
        rest += 3;
    }
    drop_blank_end(rest);
    line = header_line(table, &rest, &between);
    if (line == NULL) {
        return fail("%s: the file is empty", table->path);
    }
    if (wish->delimiter != NULL) {
        between = delimiter_of(wish->delimiter);
        if (between == '\0') {
            return wrong_usage("--delimiter takes comma, semicolon or tab, not \"%s\"",
                               wish->delimiter);
        }
    }
    if (table->between == '\0') {
        guessed = between == '\0';
        table->between = guessed ? guess_delimiter(line, rest) : between;
    }
    code = parse_header(table, line, table->between);
    if (code != 0 || wanted == NAMES) {
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
        code = parse_row(table, line, table->between);
    }
    THEN(code, csv_choose(table, wish));
    THEN(code, csv_take_decimals(table, guessed));
    return code;
}

int csv_parse_after(csv_table *table, const char *path, const void *bytes, size_t length,
                    const csv_wish *wish, const csv_table *like, csv_extent wanted)
{
    static const csv_wish none = {NULL, NULL, NULL, {NULL, NULL}, 0};
    const unsigned char *head = bytes;
    int code;
    memset(table, 0, sizeof *table);
    if (like != NULL) {
        table->before = like->before;
        table->between = like->between;
        table->decimal = like->decimal;
    }
    table->path = path;
    if (length > 1 && (head[0] == 0xFF || head[0] == 0xFE) && (head[0] ^ head[1]) == 1) {
        return fail("%s: is in UTF-16: save it as UTF-8", path);
    }
    if (memchr(bytes, 0, length) != NULL) {
        return fail("%s: is not a text file", path);
    }
    table->text = copy_text(bytes, length);
    if (table->text != NULL && strchr(table->text, '\n') == NULL) {
        /* The lines of old spreadsheets. */
        char *end = table->text;
        while ((end = strchr(end, '\r')) != NULL) {
            *end = '\n';
        }
    }
    code = table->text == NULL ? EXIT_FAILED
                               : parse_text(table, wish == NULL ? &none : wish, wanted);
    if (code != 0) {
        csv_free(table);
    }
    return code;
}

int csv_parse(csv_table *table, const char *path, const void *bytes, size_t length,
              const csv_wish *wish)
{
    return csv_parse_after(table, path, bytes, length, wish, NULL, ROWS);
}

int csv_read(csv_table *table, const char *path, const csv_wish *wish)
{
    size_t length = 0;
    unsigned char *bytes = file_read(path, &length);
    int code;
    memset(table, 0, sizeof *table);
    if (bytes == NULL) {
        return EXIT_FAILED;
    }
    code = csv_parse(table, strcmp(path, "-") == 0 ? "standard input" : path, bytes, length, wish);
    free(bytes);
    return code;
}

void csv_free(csv_table *table)
{
    free(table->names);
    free(table->place);
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
