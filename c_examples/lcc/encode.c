#include "encode.h"

#include "args.h"
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int row_list_all(row_list *list, const csv_table *table)
{
    size_t i;
    list->table = table;
    list->rows = allocate(table->rows, sizeof *list->rows);
    list->count = list->rows == NULL ? 0 : table->rows;
    for (i = 0; i < list->count; i++) {
        list->rows[i] = i;
    }
    return list->rows == NULL ? EXIT_FAILED : 0;
}

void row_list_free(row_list *list)
{
    free(list->rows);
    list->rows = NULL;
}

size_t row_list_complete(row_list *list)
{
    size_t all = list->count;
    size_t i;
    list->count = 0;
    for (i = 0; i < all; i++) {
        size_t column = 0;
        while (column < list->table->columns &&
               !csv_missing(csv_cell(list->table, list->rows[i], column))) {
            column++;
        }
        if (column == list->table->columns) {
            list->rows[list->count] = list->rows[i];
            list->count++;
        }
    }
    return all - list->count;
}

/* A level's text: of numbers one form, so that 1 and 1.0 are the same. */
typedef struct {
    char number[32];
    const char *text;
} level_text;

static void level_of(const char *cell, level_text *out)
{
    double value;
    out->text = cell;
    if (args_real(cell, &value)) {
        (void)snprintf(out->number, sizeof out->number, "%.15g", value + 0.0);
        out->text = out->number;
    }
}

int schema_level_order(const char *a, const char *b)
{
    double x;
    double y;
    int a_number = args_real(a, &x);
    int b_number = args_real(b, &y);
    if (a_number && b_number && x != y) {
        return x < y ? -1 : 1;
    }
    return a_number != b_number ? b_number - a_number : strcmp(a, b);
}

/* Where a level is, or would be: 1 if it is there. */
static int level_find(const schema_column *c, const char *text, size_t *at)
{
    size_t low = 0;
    size_t high = c->levels;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        int order = schema_level_order(c->level[middle], text);
        if (order == 0) {
            *at = middle;
            return 1;
        }
        if (order < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    *at = low;
    return 0;
}

static int refuse_missing(const csv_table *table, size_t row, size_t column, const char *then)
{
    char what[160];
    const char *cell = csv_cell(table, row, column);
    (void)snprintf(what, sizeof what, "%s%s",
                   *cell == '\0'  ? "is empty"
                   : *cell == '?' ? "is a missing value"
                                  : "is not a finite number",
                   then);
    return csv_refuse(table, row, column, what);
}

/* What a column holds. */
typedef struct {
    size_t numbers;
    size_t words;
    size_t missing;
    size_t first_word; /* rows of the table */
    size_t first_missing;
} contents;

static contents look(const row_list *from, size_t column)
{
    contents found = {0, 0, 0, 0, 0};
    size_t i;
    for (i = from->count; i-- > 0;) {
        const char *cell = csv_cell(from->table, from->rows[i], column);
        if (csv_missing(cell)) {
            found.missing++;
            found.first_missing = from->rows[i];
        } else if (csv_numeric(cell)) {
            found.numbers++;
        } else {
            found.words++;
            found.first_word = from->rows[i];
        }
    }
    return found;
}

/* Levels in their order, and the share of each. */
static int learn_levels(schema_column *c, const row_list *from, size_t column, const contents *has)
{
    size_t present = has->numbers + has->words;
    size_t i;
    c->level = allocate(MOST_LEVELS, sizeof *c->level);
    c->fill = allocate(MOST_LEVELS, sizeof *c->fill);
    if (c->level == NULL || c->fill == NULL) {
        return EXIT_FAILED;
    }
    for (i = 0; i < from->count; i++) {
        const char *cell = csv_cell(from->table, from->rows[i], column);
        level_text level;
        size_t at;
        if (csv_missing(cell)) {
            continue;
        }
        level_of(cell, &level);
        if (!level_find(c, level.text, &at)) {
            if (c->levels == MOST_LEVELS) {
                return csv_refuse(from->table, from->rows[i], column,
                                  "is one word more than a column may have, which is 256");
            }
            memmove(c->level + at + 1, c->level + at, (c->levels - at) * sizeof *c->level);
            memmove(c->fill + at + 1, c->fill + at, (c->levels - at) * sizeof *c->fill);
            c->level[at] = copy_text(level.text, strlen(level.text));
            c->fill[at] = 0.0;
            c->levels++;
            if (c->level[at] == NULL) {
                return EXIT_FAILED;
            }
        }
        c->fill[at] += 1.0;
    }
    for (i = 0; i < c->levels; i++) {
        c->fill[i] /= (double)present;
    }
    return 0;
}

/* Of numbers. */
static int learn_mean(schema_column *c, const row_list *from, size_t column)
{
    double count = 0.0;
    double value;
    int code = 0;
    size_t i;
    c->fill = allocate(1, sizeof *c->fill);
    if (c->fill == NULL) {
        return EXIT_FAILED;
    }
    for (i = 0; i < from->count && code == 0; i++) {
        if (!csv_missing(csv_cell(from->table, from->rows[i], column))) {
            code = csv_number(from->table, from->rows[i], column, &value);
            if (code == 0) {
                count += 1.0;
                *c->fill += value / count - *c->fill / count;
                c->least = count == 1.0 || value < c->least ? value : c->least;
                c->greatest = count == 1.0 || value > c->greatest ? value : c->greatest;
            }
        }
    }
    return code;
}

/* What is wrong with the levels of an input, if anything. */
static int check_levels(const schema_column *c, const row_list *from, size_t column,
                        const contents *has)
{
    if (c->levels == 1) {
        return csv_refuse(from->table, has->first_word, column,
                          "is not a number, and a column of one word tells nothing: leave it out");
    }
    if (c->levels > 20 && c->levels > (has->numbers + has->words) / 2) {
        return fail("%s: column %lu (%s): %lu different words in %lu rows tell nothing: leave it out",
                    from->table->path, (unsigned long)from->table->place[column], c->name,
                    (unsigned long)c->levels, (unsigned long)from->count);
    }
    return 0;
}

static int name_column(schema_column *c, const csv_table *table, size_t column)
{
    c->name = copy_text(table->names[column], strlen(table->names[column]));
    return c->name == NULL ? EXIT_FAILED : 0;
}

static int learn_input(schema_column *c, const row_list *from, size_t column, int words,
                       int missing_mean)
{
    contents has = look(from, column);
    int code = name_column(c, from->table, column);
    if (code != 0) {
        return code;
    }
    if (has.missing > 0 && !missing_mean) {
        return refuse_missing(from->table, has.first_missing, column,
                              " (--missing mean or --missing drop takes such rows)");
    }
    if (has.numbers + has.words == 0) {
        return fail("%s: column %lu (%s) has no values: leave it out", from->table->path,
                    (unsigned long)from->table->place[column], c->name);
    }
    if (has.words > 0 && !words && csv_date(csv_cell(from->table, has.first_word, column))) {
        double value;
        return csv_number(from->table, has.first_word, column, &value);
    }
    if (has.numbers > 0 && has.words > 0 && !words) {
        return csv_refuse(from->table, has.first_word, column,
                          "is not a number, as others of its column are (--categorical takes all "
                          "as words)");
    }
    c->indicator = has.missing > 0;
    if (!words && has.words == 0) {
        return learn_mean(c, from, column);
    }
    code = learn_levels(c, from, column, &has);
    THEN(code, check_levels(c, from, column, &has));
    return code;
}

static int learn_target(schema_column *c, const row_list *from, size_t column, int classes)
{
    contents has = look(from, column);
    int code = name_column(c, from->table, column);
    if (code == 0 && has.missing > 0) {
        code = refuse_missing(from->table, has.first_missing, column,
                              " (--missing drop leaves such rows out)");
    }
    if (!classes) {
        THEN(code, learn_mean(c, from, column));
        return code;
    }
    THEN(code, learn_levels(c, from, column, &has));
    if (code == 0 && c->levels < 2) {
        code = fail("%s: column %lu (%s): all rows are of one class, \"%s\"", from->table->path,
                    (unsigned long)from->table->place[column], c->name, c->levels == 0 ? "" : c->level[0]);
    }
    return code;
}

/* Every name of the list is an input's. */
static int check_names(const csv_table *table, size_t target, const schema_wish *wish)
{
    const char *at = wish->categorical;
    if (wish->exposure != NULL && (csv_column(table, wish->exposure) == table->columns ||
                                   csv_column(table, wish->exposure) == target)) {
        return fail("%s: no input called \"%s\" (--exposure)", table->path, wish->exposure);
    }
    while (at != NULL) {
        size_t length = strcspn(at, ",");
        char *name = copy_text(at, length);
        size_t column = name == NULL ? 0 : csv_column(table, name);
        int code = name == NULL ? EXIT_FAILED : 0;
        if (code == 0 && (column == table->columns || column == target)) {
            code = fail("%s: no input called \"%s\" (--categorical)", table->path, name);
        }
        free(name);
        if (code != 0) {
            return code;
        }
        at = at[length] == '\0' ? NULL : at + length + 1;
    }
    return 0;
}

int schema_learn(schema *s, const row_list *from, size_t target, const schema_wish *wish)
{
    const csv_table *table = from->table;
    size_t exposure = wish->exposure == NULL ? table->columns : csv_column(table, wish->exposure);
    size_t column;
    int code = check_names(table, target, wish);
    memset(s, 0, sizeof *s);
    s->inputs = allocate(table->columns, sizeof *s->inputs);
    THEN(code, s->inputs == NULL ? EXIT_FAILED : 0);
    for (column = 0; code == 0 && column < table->columns; column++) {
        if (column != target && column != exposure) {
            code = learn_input(&s->inputs[s->count], from, column,
                               csv_lists(wish->categorical, table->names[column]),
                               wish->missing_mean);
            s->count++;
        }
    }
    if (code == 0 && wish->exposure != NULL) {
        s->exposure = 1;
        code = learn_input(&s->inputs[s->count], from, exposure, 0, 0);
        s->count++;
        if (code == 0 && s->inputs[s->count - 1].levels > 0) {
            code = fail("%s: the exposure \"%s\" is not a number", table->path, wish->exposure);
        }
    }
    THEN(code, learn_target(&s->target, from, target, wish->classes));
    return code;
}

static void column_free(schema_column *c)
{
    size_t k;
    for (k = 0; c->level != NULL && k < c->levels; k++) {
        free(c->level[k]);
    }
    free(c->level);
    free(c->fill);
    free(c->name);
}

void schema_free(schema *s)
{
    size_t k;
    for (k = 0; s->inputs != NULL && k < s->count; k++) {
        column_free(&s->inputs[k]);
    }
    column_free(&s->target);
    free(s->inputs);
    free(s->note);
    memset(s, 0, sizeof *s);
}

/* Columns of the values themselves. */
static size_t values_of(const schema_column *c)
{
    return c->levels > 2 ? c->levels : 1;
}

size_t schema_width(const schema *s)
{
    size_t width = 0;
    size_t k;
    for (k = 0; k < s->count; k++) {
        width += values_of(&s->inputs[k]) + (s->inputs[k].indicator ? 1 : 0);
    }
    return width;
}

size_t schema_place(const schema *s, size_t input)
{
    size_t at = 0;
    size_t k;
    for (k = 0; k < input; k++) {
        at += values_of(&s->inputs[k]) + (s->inputs[k].indicator ? 1 : 0);
    }
    return at;
}

void schema_put(const schema_column *c, double value, double *x)
{
    size_t count = values_of(c);
    memset(x, 0, (count + (c->indicator ? 1 : 0)) * sizeof *x);
    if (c->levels > 2) {
        x[(size_t)value] = 1.0;
    } else {
        x[0] = value;
    }
}

void schema_middle(const schema *s, double *x)
{
    size_t k;
    for (k = 0; k < s->count; k++) {
        const schema_column *c = &s->inputs[k];
        memcpy(x, c->fill + (c->levels == 2 ? 1 : 0), values_of(c) * sizeof *x);
        x += values_of(c) + (c->indicator ? 1 : 0);
    }
}

static int refuse_level(const schema_column *c, const csv_table *table, size_t row, size_t column,
                        const char *then)
{
    char what[512];
    size_t used = (size_t)snprintf(what, sizeof what, "is not among the words that were learnt:");
    size_t k;
    for (k = 0; k < c->levels && used < 400; k++) {
        used += (size_t)snprintf(what + used, sizeof what - used, " \"%.60s\"%s", c->level[k],
                                 k + 1 < c->levels ? "," : "");
    }
    (void)snprintf(what + used, sizeof what - used, "%s%s", k < c->levels ? " ..." : "", then);
    return csv_refuse(table, row, column, what);
}

/* One cell of an input. */
static int encode_cell(const schema_column *c, const csv_table *table, size_t row, size_t column,
                       int unknown_mean, double *out, unsigned *outside)
{
    const char *cell = csv_cell(table, row, column);
    size_t count = values_of(c);
    size_t k = c->levels;
    level_text level;
    int missing = csv_missing(cell);
    if (c->indicator) {
        out[count] = missing;
    } else if (missing && !unknown_mean) {
        return refuse_missing(table, row, column,
                              ", and no training row missed it there (--unknown mean takes the "
                              "average)");
    }
    if (c->levels == 0 && !missing) {
        int code = csv_number(table, row, column, out);
        *outside += code == 0 && c->least <= c->greatest && (*out < c->least || *out > c->greatest);
        return code;
    }
    level_of(cell, &level);
    if (!missing && !level_find(c, level.text, &k)) {
        k = c->levels;
        *outside += 1;
        if (!unknown_mean) {
            return refuse_level(c, table, row, column,
                                " (--unknown mean takes the average)");
        }
    }
    if (k == c->levels) {
        memcpy(out, c->fill + (c->levels == 2 ? 1 : 0), count * sizeof *out);
    } else if (c->levels == 2) {
        out[0] = (double)k;
    } else {
        out[k] = 1.0;
    }
    return 0;
}

static int encode_target(const schema_column *c, const csv_table *table, size_t row, size_t column,
                         double *y)
{
    level_text level;
    size_t k;
    const char *cell = csv_cell(table, row, column);
    if (csv_missing(cell)) {
        return refuse_missing(table, row, column, "");
    }
    if (c->levels == 0) {
        return csv_number(table, row, column, y);
    }
    level_of(cell, &level);
    if (!level_find(c, level.text, &k)) {
        return refuse_level(c, table, row, column, "");
    }
    *y = (double)k;
    return 0;
}

/* Adds a name to a list for people, which ends in dots where there is no room. */
static void list_name(char *text, size_t capacity, const char *name)
{
    size_t used = strlen(text);
    if (used + strlen(name) + 10 < capacity) {
        (void)snprintf(text + used, capacity - used, "%s\"%s\"", used == 0 ? "" : ", ", name);
    } else if (used + 6 < capacity && strstr(text, " ...") == NULL) {
        (void)snprintf(text + used, capacity - used, " ...");
    }
}

/* The table's column of each input, and a word about those that are none. */
static int bind(const schema *s, const csv_table *table, size_t target, size_t *columns)
{
    char names[400] = "";
    size_t missing = 0;
    size_t extra = 0;
    size_t k;
    size_t column;
    for (k = 0; k < s->count; k++) {
        columns[k] = csv_column(table, s->inputs[k].name);
        if (columns[k] == table->columns || columns[k] == target) {
            list_name(names, sizeof names, s->inputs[k].name);
            missing++;
        }
    }
    if (missing > 0) {
        return fail("%s: no column called %s, which %s of the model", table->path, names,
                    missing == 1 ? "is an input" : "are inputs");
    }
    for (column = 0; column < table->columns; column++) {
        for (k = 0; k < s->count && columns[k] != column; k++) {
        }
        if (k == s->count && column != target) {
            list_name(names, sizeof names, table->names[column]);
            extra++;
        }
    }
    if (extra > 0 && table->before == 0) {
        warn("%s: %lu column%s no inputs of the model, left out: %s", table->path,
             (unsigned long)extra, extra == 1 ? " is" : "s are", names);
    }
    return 0;
}

int outside_add(outside_count *count, const schema *s, const dataset *data)
{
    size_t rows = 0;
    size_t i;
    size_t k;
    if (count->inputs == NULL) {
        count->inputs = allocate(s->count, sizeof *count->inputs);
    }
    if (count->inputs == NULL) {
        return EXIT_FAILED;
    }
    count->of += data->n;
    for (i = 0; data->outside != NULL && i < data->n; i++) {
        rows += data->outside[i] > 0;
    }
    count->rows += rows;
    for (k = 0; rows > 0 && k < s->count; k++) {
        const schema_column *c = &s->inputs[k];
        size_t column = csv_column(data->table, c->name);
        for (i = 0; c->levels == 0 && c->least <= c->greatest && i < data->n; i++) {
            double value;
            count->inputs[k] +=
                args_real(csv_cell(data->table, data->origin[i], column), &value) &&
                (value < c->least || value > c->greatest);
        }
    }
    return 0;
}

void outside_say(outside_count *count, const schema *s, const char *path)
{
    size_t who = 0;
    size_t k;
    for (k = 0; count->rows > 0 && k < s->count; k++) {
        who = count->inputs[k] > count->inputs[who] ? k : who;
    }
    if (count->rows > 0 && count->inputs[who] > 0) {
        warn("%s: %lu of %lu rows lie outside the training data, most often in \"%s\" (%lu rows; "
             "%g to %g trained): there the model extrapolates",
             path, (unsigned long)count->rows, (unsigned long)count->of, s->inputs[who].name,
             (unsigned long)count->inputs[who], s->inputs[who].least, s->inputs[who].greatest);
    } else if (count->rows > 0) {
        warn("%s: %lu of %lu rows have categories that are not in the training data", path, (unsigned long)count->rows,
             (unsigned long)count->of);
    }
    free(count->inputs);
    count->inputs = NULL;
}

static int encode_rows(const schema *s, const row_list *from, const size_t *columns,
                       int unknown_mean, dataset *data)
{
    size_t i;
    size_t k;
    int code = 0;
    for (i = 0; i < data->n; i++) {
        double *x = data->x + i * data->d;
        size_t at = 0;
        size_t row = from->rows[i];
        data->origin[i] = row;
        for (k = 0; k < s->count && code == 0; k++) {
            const schema_column *c = &s->inputs[k];
            size_t end = at + values_of(c) + (c->indicator ? 1 : 0);
            unsigned any = 0;
            code = encode_cell(c, from->table, row, columns[k], unknown_mean, x + at, &any);
            data->outside[i] += s->exposure && k + 1 == s->count ? 0 : any;
            for (; at < end; at++) {
                data->source[at] = columns[k];
            }
        }
        if (code == 0 && s->exposure && !(x[data->d - 1] > 0.0)) {
            code = csv_refuse(from->table, row, columns[s->count - 1],
                              "is no exposure: it must be above 0");
        }
        if (code == 0 && data->y != NULL) {
            code = encode_target(&s->target, from->table, row, data->target, &data->y[i]);
        }
        if (code != 0) {
            return code;
        }
    }
    return 0;
}

int schema_encode(const schema *s, const row_list *from, const char *target, target_need need,
                  int unknown_mean, dataset *data)
{
    const csv_table *table = from->table;
    size_t *columns = allocate(s->count, sizeof *columns);
    int known;
    int code;
    memset(data, 0, sizeof *data);
    data->table = table;
    data->n = from->count;
    data->d = schema_width(s);
    code = columns == NULL ? EXIT_FAILED : dataset_target(table, target, need, &data->target);
    THEN(code, bind(s, table, data->target, columns));
    known = data->target < table->columns;
    if (known && need == TARGET_OPTIONAL) {
        contents has = look(from, data->target);
        known = has.missing < from->count;
    }
    THEN(code, dataset_reserve(data, known));
    if (code == 0) {
        data->outside = allocate(data->n, sizeof *data->outside);
        code = data->outside == NULL ? EXIT_FAILED : 0;
    }
    THEN(code, encode_rows(s, from, columns, unknown_mean, data));
    free(columns);
    return code;
}
