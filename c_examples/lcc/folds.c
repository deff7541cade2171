#include "folds.h"

#include "cli.h"

#include <stdlib.h>
#include <string.h>

/* What qsort sees of a row: the text of its class, then its turn. */
typedef struct {
    const char *text;
    size_t turn;
    size_t place;
} dealt;

static int by_class(const void *a, const void *b)
{
    const dealt *x = a;
    const dealt *y = b;
    int order = strcmp(x->text, y->text);
    return order != 0 ? order : (x->turn > y->turn) - (x->turn < y->turn);
}

int folds_order(const row_list *rows, int classes, size_t target, uint64_t seed, size_t *order)
{
    dealt *deck = allocate(rows->count, sizeof *deck);
    size_t i;
    if (deck == NULL) {
        return EXIT_FAILED;
    }
    random_order(seed, order, rows->count);
    for (i = 0; i < rows->count; i++) {
        deck[i].place = order[i];
        deck[i].turn = i;
        deck[i].text = classes ? csv_cell(rows->table, rows->rows[deck[i].place], target) : "";
    }
    qsort(deck, rows->count, sizeof *deck, by_class);
    for (i = 0; i < rows->count; i++) {
        order[i] = deck[i].place;
    }
    free(deck);
    return 0;
}

/* Rows in the order of the file, tests where they are marked. */
static int part(const row_list *rows, const unsigned char *tests, row_list *train, row_list *test)
{
    size_t i;
    train->table = rows->table;
    test->table = rows->table;
    train->count = 0;
    test->count = 0;
    train->rows = allocate(rows->count, sizeof *train->rows);
    test->rows = allocate(rows->count, sizeof *test->rows);
    if (train->rows == NULL || test->rows == NULL) {
        return EXIT_FAILED;
    }
    for (i = 0; i < rows->count; i++) {
        row_list *to = tests[i] ? test : train;
        to->rows[to->count] = rows->rows[i];
        to->count++;
    }
    return train->count == 0 || test->count == 0
               ? fail("%s: %lu rows are too few to train and to test", rows->table->path,
                      (unsigned long)rows->count)
               : 0;
}

int folds_cut(const row_list *rows, const size_t *order, size_t fold, size_t folds, row_list *train,
              row_list *test)
{
    unsigned char *tests = allocate(rows->count, 1);
    size_t i;
    int code = tests == NULL ? EXIT_FAILED : 0;
    for (i = fold; code == 0 && i < rows->count; i += folds) {
        tests[order[i]] = 1;
    }
    THEN(code, part(rows, tests, train, test));
    free(tests);
    return code;
}

int folds_share(const row_list *rows, int classes, size_t target, double share, uint64_t seed,
                row_list *train, row_list *test)
{
    size_t *order = allocate(rows->count, sizeof *order);
    unsigned char *tests = allocate(rows->count, 1);
    size_t due = 0;
    size_t i;
    int code = order == NULL || tests == NULL ? EXIT_FAILED : 0;
    THEN(code, folds_order(rows, classes, target, seed, order));
    for (i = 0; code == 0 && i < rows->count; i++) {
        size_t next = (size_t)((double)(i + 1) * share + 0.5);
        tests[order[i]] = next > due;
        due = next;
    }
    THEN(code, part(rows, tests, train, test));
    free(tests);
    free(order);
    return code;
}
