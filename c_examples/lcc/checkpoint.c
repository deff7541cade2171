#include "checkpoint.h"

#include "cli.h"
#include "files.h"
#include "platform.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The file: this line, a line with the checksum of all that follows it, the settings as `name value` lines, an empty
 * line, the state. Version 1 had no checksum. */
static const char first_line[] = "lcc checkpoint 2\n";
enum { SUM_LINE = 26 };

/* Between two of them: the first comes soon, so that short runs have one. */
static const double least_pause = 0.02;
static const double most_pause = 2.0;

int checkpoint_due(const checkpoint_file *file)
{
    return file->path != NULL && seconds_now() - file->saved >= file->pause;
}

int checkpoint_save(checkpoint_file *file, const void *state, size_t bytes)
{
    char head[sizeof first_line + SUM_LINE + sizeof file->settings + 2];
    uint64_t sum = checksum(CHECKSUM_EMPTY, file->settings, strlen(file->settings));
    int length;
    sum = checksum(checksum(sum, "\n", 1), state, bytes);
    length = snprintf(head, sizeof head, "%schecksum %016" PRIx64 "\n%s\n", first_line, sum, file->settings);
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
    char sum[SUM_LINE + 1] = "";
    size_t length = 0;
    size_t first = strlen(first_line) + SUM_LINE;
    size_t settings = strlen(file->settings);
    size_t head = first + settings + 1;
    unsigned char *text = file_read(file->path, &length);
    *whole = text;
    if (text == NULL) {
        return NULL;
    }
    if (length >= first) {
        (void)snprintf(sum, sizeof sum, "checksum %016" PRIx64 "\n",
                       checksum(CHECKSUM_EMPTY, text + first, length - first));
    }
    /* Up to the version. */
    if (length < strlen(first_line) || memcmp(text, first_line, strlen(first_line) - 2) != 0) {
        (void)fail("%s: is not a checkpoint of this program", file->path);
    } else if (memcmp(text, first_line, strlen(first_line)) != 0) {
        (void)fail("%s: is a checkpoint of another version of lcc: go on with that version, or run without --resume",
                   file->path);
    } else if (memcmp(text + strlen(first_line), sum, strlen(sum)) != 0 || sum[0] == '\0') {
        (void)fail("%s: its checksum does not match, so it was changed or damaged: take an unchanged copy, or run "
                   "without --resume",
                   file->path);
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
