/* What C99 leaves to the system: a steady clock, Ctrl-C, terminals, folders
 * and replacing a file by another. */
#ifndef PLATFORM_H
#define PLATFORM_H

#include <stdio.h>

/* Seconds since some fixed moment; never goes backwards on POSIX. */
double seconds_now(void);

/* From here on the first Ctrl-C only sets a flag; a second one ends the program. */
void interrupts_catch(void);
int interrupted(void);

int is_terminal(FILE *stream);

/* 0 when the folder exists afterwards. */
int folder_make(const char *path);

/* A new file that did not exist before, for writing; NULL where that fails. */
FILE *file_create(const char *path);

/* Gives `from` the name `to`, replacing a file of that name in one step; 0 when done. */
int file_replace(const char *from, const char *to);

/* A number of this process, for names of temporary files. */
long process_number(void);

#endif
