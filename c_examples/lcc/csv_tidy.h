/* What files of the reader share; and what is done to a table once its cells are cut: columns left out, decimal commas
 * made points. */
#ifndef CSV_TIDY_H
#define CSV_TIDY_H

#include "csv.h"

/* The part of a cell that a message shows. */
#define SHOWN 40

/* How far the reading of a text goes. */
typedef enum { NAMES, ROWS } csv_extent;

/* As csv_parse, of the header and rows that come after those of `like`, or NULL: its delimiter and decimals hold. */
int csv_parse_after(csv_table *table, const char *path, const void *bytes, size_t length,
                    const csv_wish *wish, const csv_table *like, csv_extent wanted);

/* Passes over up to `most` digits. How many. */
size_t csv_digits(const char **at, size_t most);

/* Takes the columns out that are not wanted. 0 or EXIT_FAILED after a message. */
int csv_choose(csv_table *table, const csv_wish *wish);

/* Makes points of decimal commas, and says so together with the delimiter, where that was guessed. 0, or EXIT_FAILED
 * after a message where some numbers have commas and some points. */
int csv_take_decimals(csv_table *table, int guessed);

#endif
