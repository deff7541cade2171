/* Reading a whole file, and writing results so that a reader sees either the
 * old file or the whole new one, and a run that fails leaves nothing. */
#ifndef FILES_H
#define FILES_H

#include <stddef.h>
#include <stdio.h>

/* The bytes of a file, or of standard input for "-", followed by a NUL that is not counted; NULL after a message. */
unsigned char *file_read(const char *path, size_t *length);

typedef struct {
    char *path;
    char *temporary;
    FILE *stream;
} output_file;

/* The files that one command writes: all are written beside their final names
 * first, and take them together at the end. */
typedef struct {
    output_file *files;
    size_t count;
    const char *inputs[8]; /* files that must not be overwritten */
    size_t input_count;
    int to_stdout; /* one result goes to standard output, which then has it alone */
} outputs;

/* Names a file that is read by this command (NULL is ignored). */
void outputs_protect(outputs *set, const char *path);

/* Opens a file for writing, or takes standard output for "-"; *stream stays valid until publish or discard, and is NULL where the
 * path is. 0 or an exit code after a message. */
int outputs_add(outputs *set, const char *path, FILE **stream);

/* Gives all files their names. 0, or EXIT_FAILED after a message. */
int outputs_publish(outputs *set);

/* Removes what was not published. Safe after publish and on an empty set. */
void outputs_discard(outputs *set);

/* One file from memory: two parts, one after the other. 0 or EXIT_FAILED. */
int file_write(const char *path, const void *head, size_t head_length, const void *body,
               size_t body_length);

#endif
