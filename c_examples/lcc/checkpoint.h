/* A file that holds the state of a run, and the settings it belongs to. */
#ifndef CHECKPOINT_H
#define CHECKPOINT_H

#include <stddef.h>

typedef struct {
    const char *path; /* NULL: no checkpoints */
    int resume;       /* begin with what the file holds */
    char settings[4096];
    double saved; /* when it was last written */
    double pause; /* seconds from then to the next time */
} checkpoint_file;

/* Replaces the file by this state. 0 or EXIT_FAILED after a message. */
int checkpoint_save(checkpoint_file *file, const void *state, size_t bytes);

/* 1 when it is time to save again. */
int checkpoint_due(const checkpoint_file *file);

/* The saved state (free *whole, not the result), or NULL after a message: no
 * such file, one that was changed, or the settings are not those of this run. */
const void *checkpoint_load(const checkpoint_file *file, size_t *bytes, unsigned char **whole);

#endif
