/* A page for people: HTML in one file, without scripts, without anything from elsewhere. */
#ifndef PAGE_H
#define PAGE_H

#include "cli.h"

#include <stdio.h>

void page_begin(FILE *out, const char *title);
void page_end(FILE *out);

/* A heading, and the paragraph below it unless that is NULL. */
void page_section(FILE *out, const char *heading, const char *intro);

/* Formatted text, escaped. */
void page_say(FILE *out, const char *format, ...) PRINTF_LIKE(2, 3);

/* Between these, tables and figures: side by side where there is room. */
void page_figures(FILE *out);
void page_figures_end(FILE *out);
void page_figure(FILE *out);
void page_caption(FILE *out, const char *format, ...) PRINTF_LIKE(2, 3);

/* A table by its headings, which end in NULL; the first column is text, the others are numbers. A row's cells are
 * between page_row and page_row_end. */
void page_table(FILE *out, const char *const *headings);
void page_table_end(FILE *out);
void page_row(FILE *out, const char *format, ...) PRINTF_LIKE(2, 3);
void page_cell(FILE *out, const char *format, ...) PRINTF_LIKE(2, 3);
void page_row_end(FILE *out);
/* A row of two: what, and a value. */
void page_fact(FILE *out, const char *what, const char *format, ...) PRINTF_LIKE(3, 4);

/* The number to four digits, whole ones to all, without an exponent where that is short; it fills and returns `text`. */
typedef char number_text[32];
const char *page_number(number_text text, double value);

#endif
