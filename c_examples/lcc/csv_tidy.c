#include "csv_tidy.h"

#include "args.h"
#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* Whether a cell is a number but for its decimal comma, which *comma then is. */
static int has_decimal_comma(char *cell, char **comma)
{
    const char *at = cell + (*cell == '+' || *cell == '-');
    (void)csv_digits(&at, (size_t)-1);
    *comma = cell + (at - cell);
    if (*at != ',') {
        return 0;
    }
    at++;
    if (csv_digits(&at, (size_t)-1) == 0) {
        return 0;
    }
    if (*at == 'e' || *at == 'E') {
        at++;
        at += *at == '+' || *at == '-';
        return csv_digits(&at, (size_t)-1) > 0 && *at == '\0';
    }
    return *at == '\0';
}

int csv_take_decimals(csv_table *table, int guessed)
{
    char between = table->between;
    int known = table->decimal;
    size_t cells = table->rows * table->columns;
    size_t commas = cells; /* the first cell that has one */
    size_t points = cells;
    char *comma;
    double value;
    size_t k;
    char shown[SHOWN + 1];
    for (k = 0; k < cells && between != ','; k++) {
        char *cell = table->cells[k];
        if (commas == cells && has_decimal_comma(cell, &comma)) {
            commas = k;
        } else if (points == cells && strchr(cell, '.') != NULL && args_real(cell, &value)) {
            points = k;
        }
    }
    if (commas < cells && points < cells) {
        return fail("%s: \"%.*s\" (row %lu) has a decimal comma, \"%.*s\" (row %lu) a decimal point: "
                    "which of them is it?",
                    table->path, SHOWN, table->cells[commas],
                    (unsigned long)(table->before + commas / table->columns) + 1, SHOWN,
                    table->cells[points],
                    (unsigned long)(table->before + points / table->columns) + 1);
    }
    if ((commas < cells && known == '.') || (points < cells && known == ',')) {
        k = commas < cells ? commas : points;
        return fail("%s: \"%.*s\" (row %lu) has a decimal %s, rows before it a decimal %s: which of "
                    "them is it?",
                    table->path, SHOWN, table->cells[k],
                    (unsigned long)(table->before + k / table->columns) + 1,
                    commas < cells ? "comma" : "point", commas < cells ? "point" : "comma");
    }
    table->decimal = commas < cells ? ',' : points < cells ? '.' : table->decimal;
    shown[0] = '\0';
    if (commas < cells) {
        (void)strncat(shown, table->cells[commas], SHOWN);
    }
    for (k = commas; k < cells; k++) {
        if (has_decimal_comma(table->cells[k], &comma)) {
            *comma = '.';
        }
    }
    if (commas < cells && known == 0) {
        warn("%s: cells are separated by %s, and \"%s\" is read as %.*s%s", table->path,
             between == ';' ? "semicolons" : "tabs", shown, SHOWN, table->cells[commas],
             guessed ? " (--delimiter decides)" : "");
    } else if (commas == cells && guessed && between != ',') {
        warn("%s: cells are separated by %s (--delimiter decides)", table->path,
             between == ';' ? "semicolons" : "tabs");
    }
    return 0;
}

/* Every name of a list is a column's. */
static int check_list(const csv_table *table, const char *option, const char *list)
{
    while (list != NULL) {
        size_t length = strcspn(list, ",");
        char *name = copy_text(list, length);
        int code = name == NULL ? EXIT_FAILED : 0;
        if (code == 0 && csv_column(table, name) == table->columns) {
            code = fail("%s: no column called \"%s\" (%s)", table->path, name, option);
        }
        free(name);
        if (code != 0) {
            return code;
        }
        list = list[length] == '\0' ? NULL : list + length + 1;
    }
    return 0;
}

static int stays(const csv_wish *wish, const char *name)
{
    size_t k;
    for (k = 0; k < 2; k++) {
        if (wish->beside[k] != NULL && strcmp(wish->beside[k], name) == 0) {
            return !csv_lists(wish->drop, name);
        }
    }
    return wish->only != NULL ? csv_lists(wish->only, name) : !csv_lists(wish->drop, name);
}

int csv_choose(csv_table *table, const csv_wish *wish)
{
    size_t columns = table->columns;
    size_t kept = 0;
    size_t row;
    size_t k;
    int code = check_list(table, "--only", wish->only);
    THEN(code, wish->absent ? 0 : check_list(table, "--drop", wish->drop));
    if (code != 0 || (wish->only == NULL && wish->drop == NULL)) {
        return code;
    }
    for (k = 0; k < columns; k++) {
        if (!stays(wish, table->names[k])) {
            continue;
        }
        /* The cells move where those of columns before them were. */
        table->names[kept] = table->names[k];
        table->place[kept] = table->place[k];
        for (row = 0; row < table->rows; row++) {
            table->cells[row * columns + kept] = table->cells[row * columns + k];
        }
        kept++;
    }
    for (row = 0; row < table->rows; row++) {
        memmove(table->cells + row * kept, table->cells + row * columns,
                kept * sizeof *table->cells);
    }
    table->columns = kept;
    return 0;
}
