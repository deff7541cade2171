/* What the columns of a table are: numbers, or words. A word becomes a column of 0 and 1 for each level of
 * its column (of two levels, one column: 1 for the second), a missing cell the mean of its column and 1 in a
 * column of its own. All of it is learnt from the rows that train, goes with the model, and is held against
 * the rows that are predicted. */
#ifndef ENCODE_H
#define ENCODE_H

#include "dataset.h"

/* More levels than this are no kinds of anything. */
enum { MOST_LEVELS = 256 };

typedef struct {
    char *name;
    size_t levels; /* of words; 0: numbers */
    char **level;  /* sorted: numbers by value, then words by their bytes */
    double *fill;  /* what a missing cell counts for: the mean, or the share of each level */
    double least;  /* of numbers; above `greatest` where a model does not tell */
    double greatest;
    int indicator; /* one column more is 1 where the cell is missing */
} schema_column;

typedef struct {
    schema_column *inputs;
    size_t count;
    int exposure;         /* the last input is one */
    schema_column target; /* with levels: classes, and y is which one, from 0 */
    char *note;           /* how the model came about: lines of what, tab, value; NULL: not told */
    uint32_t kept;        /* draws of a chain, side by side in the model; 0: not of chains */
} schema;

/* The order of levels, as strcmp has it. */
int schema_level_order(const char *a, const char *b);

/* Rows of a table, from 0. */
typedef struct {
    const csv_table *table;
    size_t *rows;
    size_t count;
} row_list;

/* All of them. 0 or EXIT_FAILED; free with row_list_free. */
int row_list_all(row_list *list, const csv_table *table);
void row_list_free(row_list *list);

/* Takes out the rows that miss a cell. How many. */
size_t row_list_complete(row_list *list);

/* What there is to say beforehand. */
typedef struct {
    const char *categorical; /* names of columns that are words whatever they hold, by commas; or NULL */
    const char *exposure;    /* the name of its column, or NULL */
    int classes;             /* the target names classes */
    int missing_mean;        /* missing cells of inputs count for the mean; else they are refused */
} schema_wish;

/* Learns from rows whose target is in this column. 0 or EXIT_FAILED after a message. Free with schema_free
 * either way. */
int schema_learn(schema *s, const row_list *from, size_t target, const schema_wish *wish);
void schema_free(schema *s);

/* The columns that its inputs become. */
size_t schema_width(const schema *s);

/* The first of the columns that an input becomes; puts a number, or the number of a level, into those columns; and the
 * row of all means, zeroed before. */
size_t schema_place(const schema *s, size_t input);
void schema_put(const schema_column *c, double value, double *x);
void schema_middle(const schema *s, double *x);

/* Rows as numbers, inputs found by their names, and how many are outside of the training data: a number beyond the least or
 * greatest, a word that is not known (not an exposure: rates know no range). A level that is not known counts for the mean where
 * `unknown_mean` is set, else it is refused, as is a missing cell of a column that had none. A target that is not
 * needed and missing in all rows is not there. 0 or EXIT_FAILED after a message; free `data` either way. */
int schema_encode(const schema *s, const row_list *from, const char *target, target_need need,
                  int unknown_mean, dataset *data);

/* Rows that have inputs outside, of one table or of the blocks of one. Begins as 0. */
typedef struct {
    size_t rows;
    size_t of;
    size_t *inputs; /* how many outside of each input that is a number */
} outside_count;

/* Adds those of the rows. 0 or EXIT_FAILED. */
int outside_add(outside_count *count, const schema *s, const dataset *data);

/* Says in one line how many there are, and whose they are most often; nothing where there is none. Frees. */
void outside_say(outside_count *count, const schema *s, const char *path);

/* The bytes that go with a model: *length of them, new; and back, from whatever bytes there are. 0 or EXIT_FAILED
 * after a message, which names `path`. */
int schema_write(const schema *s, unsigned char **bytes, size_t *length);
int schema_read(schema *s, const unsigned char *bytes, size_t length, const char *path);

#endif
