#include "splits.h"

#include "cli.h"
#include "files.h"
#include "scan.h"

#include <stdlib.h>
#include <string.h>

/* A list of row numbers that grows as it is read. */
typedef struct {
    size_t *rows;
    size_t count;
    size_t capacity;
    int given;
} row_list;

static int push(row_list *list, size_t row)
{
    size_t *rows = make_room_for_one(list->rows, list->count, &list->capacity, sizeof *rows);
    if (rows == NULL) {
        return EXIT_FAILED;
    }
    list->rows = rows;
    list->rows[list->count] = row;
    list->count++;
    return 0;
}

static int read_rows(json_scan *scan, row_list *list)
{
    int first = 1;
    if (list->given) {
        scan->error = "a list that was there before";
        return 0;
    }
    list->given = 1;
    if (!scan_open(scan, '[')) {
        return 0;
    }
    while (scan_element(scan, &first)) {
        size_t row;
        if (scan_index(scan, &row) == 0 && push(list, row) != 0) {
            return EXIT_FAILED;
        }
    }
    return 0;
}

/* Walks the whole text, so that a broken file is refused whatever split is asked for. */
static int walk(json_scan *scan, unsigned long k, row_list *test, row_list *train,
                size_t *splits)
{
    char key[16];
    int first = 1;
    int code = 0;
    (void)scan_open(scan, '{');
    while (code == 0 && scan_member(scan, &first, key, sizeof key)) {
        int element = 1;
        if (strcmp(key, "splits") != 0) {
            scan_skip(scan);
            continue;
        }
        (void)scan_open(scan, '[');
        for (; code == 0 && scan_element(scan, &element); (*splits)++) {
            int member = 1;
            (void)scan_open(scan, '{');
            while (code == 0 && scan_member(scan, &member, key, sizeof key)) {
                if (*splits == k && strcmp(key, "test") == 0) {
                    code = read_rows(scan, test);
                } else if (*splits == k && strcmp(key, "train_500") == 0) {
                    code = read_rows(scan, train);
                } else {
                    scan_skip(scan);
                }
            }
        }
    }
    return code;
}

/* Marks each row of the list: 0 where all are below n and none stands twice or is marked. */
static int mark(const char *path, unsigned long k, const char *name, const row_list *list,
                size_t n, unsigned char *marks)
{
    size_t i;
    for (i = 0; i < list->count; i++) {
        size_t row = list->rows[i];
        if (row >= n) {
            return fail("%s: split %lu, \"%s\": row %lu, but the data have %lu rows (from 0)",
                        path, k, name, (unsigned long)row, (unsigned long)n);
        }
        if (marks[row] != 0) {
            return fail("%s: split %lu, \"%s\": row %lu is listed twice", path, k, name,
                        (unsigned long)row);
        }
        marks[row] = 1;
    }
    return 0;
}

static int complete(const char *path, unsigned long k, size_t n, int subset,
                    const row_list *test, row_list *train)
{
    size_t row;
    int code;
    unsigned char *marks = allocate(n, 1);
    if (marks == NULL) {
        return EXIT_FAILED;
    }
    code = mark(path, k, "test", test, n, marks);
    if (code == 0 && subset) {
        code = mark(path, k, "train_500", train, n, marks);
    } else if (code == 0) {
        train->count = 0;
        for (row = 0; code == 0 && row < n; row++) {
            code = marks[row] != 0 ? 0 : push(train, row);
        }
    }
    if (code == 0 && (test->count == 0 || train->count == 0)) {
        code = fail("%s: split %lu leaves no row to %s", path, k,
                    test->count == 0 ? "test" : "train");
    }
    free(marks);
    return code;
}

int splits_parse(split_rows *split, const char *path, const char *text, size_t length,
                 unsigned long k, size_t n, int subset)
{
    row_list test = {NULL, 0, 0, 0};
    row_list train = {NULL, 0, 0, 0};
    size_t splits = 0;
    json_scan scan;
    int code;
    memset(split, 0, sizeof *split);
    scan_begin(&scan, text, length);
    code = walk(&scan, k, &test, &train, &splits);
    if (code == 0 && !scan_end(&scan)) {
        code = fail("%s: line %lu: %s", path, (unsigned long)scan_line(&scan), scan.error);
    } else if (code == 0 && k >= splits) {
        code = fail("%s: no split %lu: it holds %lu (from 0)", path, k, (unsigned long)splits);
    } else if (code == 0 && !test.given) {
        code = fail("%s: split %lu has no \"test\"", path, k);
    } else if (code == 0 && subset && !train.given) {
        code = fail("%s: split %lu has no \"train_500\"", path, k);
    }
    THEN(code, complete(path, k, n, subset, &test, &train));
    if (code != 0) {
        free(test.rows);
        free(train.rows);
        return code;
    }
    split->test = test.rows;
    split->tests = test.count;
    split->train = train.rows;
    split->trains = train.count;
    return 0;
}

int splits_read(split_rows *split, const char *path, unsigned long k, size_t n, int subset)
{
    size_t length = 0;
    unsigned char *bytes = file_read(path, &length);
    int code;
    memset(split, 0, sizeof *split);
    if (bytes == NULL) {
        return EXIT_FAILED;
    }
    code = splits_parse(split, path, (const char *)bytes, length, k, n, subset);
    free(bytes);
    return code;
}

void splits_free(split_rows *split)
{
    free(split->test);
    free(split->train);
    memset(split, 0, sizeof *split);
}
