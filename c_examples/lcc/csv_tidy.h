/* What is done to a table once its cells are cut: columns left out, decimal commas made points. */
#ifndef CSV_TIDY_H
#define CSV_TIDY_H

#include "csv.h"

/* The part of a cell that a message shows. */
#define SHOWN 40

/* Passes over up to `most` digits. How many. */
size_t csv_digits(const char **at, size_t most);

/* Takes the columns out that are not wanted. 0 or EXIT_FAILED after a message. */
int csv_choose(csv_table *table, const csv_wish *wish);

/* Makes points of decimal commas, and says so together with the delimiter, where that was guessed. 0, or EXIT_FAILED
 * after a message where some numbers have commas and some points. */
int csv_take_decimals(csv_table *table, char between, int guessed);

#endif
