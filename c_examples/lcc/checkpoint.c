#include "checkpoint.h"

#include "cli.h"
#include "files.h"
#include "platform.h"

#include <stdlib.h>
#include <string.h>

/* The file: this line, the settings as `name value` lines, an empty line, the state. */
static const char first_line[] = "lcc checkpoint 1\n";

/* Between two of them: the first comes soon, so that short runs have one. */
static const double least_pause = 0.02;
static const double most_pause = 2.0;

int checkpoint_due(const checkpoint_file *file)
{
    return file->path != NULL && seconds_now() - file->saved >= file->pause;
}

int checkpoint_save(checkpoint_file *file, const void *state, size_t bytes)
{
    char head[sizeof first_line + sizeof file->settings + 2];
    int length = snprintf(head, sizeof head, "%s%s\n", first_line, file->settings);
    file->saved = seconds_now();
    file->pause = file->pause < least_pause ? least_pause : 2.0 * file->pause;
    file->pause = file->pause < most_pause ? file->pause : most_pause;
    return file_write(file->path, head, (size_t)length, state, bytes);
}

/* Says which setting differs first. */
static void explain(const checkpoint_file *file, const char *theirs)
{
    const char *ours = file->settings;
    while (*ours != '\0') {
        size_t a = strcspn(ours, "\n");
        size_t b = strcspn(theirs, "\n");
        if (a != b || memcmp(ours, theirs, a) != 0) {
            (void)fail("%s: belongs to a run with other settings: \"%.*s\" there, \"%.*s\" here",
                       file->path, (int)b, theirs, (int)a, ours);
            return;
        }
        ours += a + (ours[a] == '\n');
        theirs += b + (theirs[b] == '\n');
    }
    (void)fail("%s: belongs to a run with other settings", file->path);
}

const void *checkpoint_load(const checkpoint_file *file, size_t *bytes, unsigned char **whole)
{
    size_t length = 0;
    size_t first = strlen(first_line);
    size_t settings = strlen(file->settings);
    size_t head = first + settings + 1;
    unsigned char *text = file_read(file->path, &length);
    *whole = text;
    if (text == NULL) {
        return NULL;
    }
    if (length < first || memcmp(text, first_line, first) != 0) {
        (void)fail("%s: is not a checkpoint of this program", file->path);
    } else if (length < head || memcmp(text + first, file->settings, settings) != 0 ||
               text[head - 1] != '\n') {
        explain(file, (const char *)text + first);
    } else {
        *bytes = length - head;
        return text + head;
    }
    free(text);
    *whole = NULL;
    return NULL;
}
