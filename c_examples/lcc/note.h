/* What a model says of the fit that made it. */
#ifndef NOTE_H
#define NOTE_H

#include "fit_report.h"

enum { METHOD_TEXT = 320, OPTIONS_TEXT = 96, NOTE_TEXT = 1024 };

/* The method with its sizes, precision and seed; what fills and returns `text`. */
const char *note_method(const fit_flags *flags, char text[METHOD_TEXT]);

/* The options that the size of the work, or the clock, has settled: with them the bytes are the same. */
const char *note_options(const fit_flags *flags, char text[OPTIONS_TEXT]);

/* Lines of what, a tab and a value: all of it a function of the data and of what decides the draws. */
void note_write(const fit_flags *flags, const fit_outcome *o, char text[NOTE_TEXT]);

/* Draws of each chain, side by side in the model; 0 where its draws are not of chains. */
uint32_t note_kept(const fit_flags *flags, const network_fit *fit);

/* A line of a note. */
typedef struct {
    char what[64];
    char value[512];
} note_line;

/* The line at *note, which moves to the next; 0 at the end, or where there is no note. */
int note_next(const char **note, note_line *line);

/* The line of that name. 0 where there is none. */
int note_find(const char *note, const char *what, note_line *line);

#endif
