/* What C99 leaves to the system: a steady clock, Ctrl-C, pipes, terminals, folders,
 * replacing a file by another, and threads. */
#ifndef PLATFORM_H
#define PLATFORM_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Seconds since some fixed moment; never goes backwards on POSIX. */
double seconds_now(void);

/* From here on the first Ctrl-C or SIGTERM only sets a flag; a second one ends the program. */
void interrupts_catch(void);
int interrupted(void);

/* From here on what cannot be written is an error of the stream and does not end the program: to a pipe whose reader is
 * gone, or beyond the size that files may have. And whether the former is why a stream failed, as under `| head`, which
 * had what it wanted. */
void writes_fail_softly(void);
int reader_left(FILE *stream);

int is_terminal(FILE *stream);

/* The columns of the terminal that the stream is; 0 where it is none, or does not tell. */
int terminal_width(FILE *stream);

/* 0 when the folder exists afterwards. */
int folder_make(const char *path);

/* A new file that did not exist before, for writing; NULL where that fails. */
FILE *file_create(const char *path);

/* What has been written is on the disk, whatever happens next; 0 when done. */
int file_settle(FILE *stream);

/* Gives `from` the name `to`, replacing a file of that name in one step, which is on the disk too as far as the system
 * lets it; 0 when done. */
int file_replace(const char *from, const char *to);

/* The bytes that a file has now; 0 of what is none, as a pipe. */
size_t file_length(FILE *stream);

/* A number of this process, for names of temporary files. */
long process_number(void);

/* Whether there are threads, and how many may run at once. */
int threads_here(void);
uint32_t processors_here(void);

/* Calls task(context, k) for k below `count`, each on a thread of its own, and returns when all are done.
 * Calls for which there is no thread are made one after the other. */
void threads_run(size_t count, void (*task)(void *context, size_t k), void *context);

#endif
