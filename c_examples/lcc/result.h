/* Where a command's JSON goes. */
#ifndef RESULT_H
#define RESULT_H

#include "files.h"

#include <stdio.h>

/* Opens FILE, standard output for "-", or gives NULL where no JSON is asked for.
 * 0 or an exit code after a message. */
int result_open(outputs *files, const char *json, FILE **out);

/* 1 where standard output belongs to the JSON alone. */
int result_takes_stdout(const char *json);

#endif
