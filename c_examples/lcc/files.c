#include "files.h"

#include "cli.h"
#include "platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

unsigned char *file_read(const char *path, size_t *length)
{
    int standard = strcmp(path, "-") == 0;
    FILE *stream = standard ? stdin : fopen(path, "rb");
    unsigned char *bytes = NULL;
    size_t capacity = 1 << 16;
    size_t used = 0;
    size_t whole;
    if (stream == NULL) {
        (void)fail("%s: cannot be read: %s", path, strerror(errno));
        return NULL;
    }
    whole = file_length(stream);
    bytes = malloc(capacity);
    while (bytes != NULL) {
        size_t got = fread(bytes + used, 1, capacity - used - 1, stream);
        used += got;
        if (got == 0) {
            break;
        }
        if (capacity - used < 2) {
            unsigned char *larger = capacity > (size_t)-1 / 2 ? NULL : realloc(bytes, capacity * 2);
            if (larger == NULL) {
                free(bytes);
                bytes = NULL;
                break;
            }
            bytes = larger;
            capacity *= 2;
        }
    }
    if (bytes == NULL) {
        (void)fail("%s: not enough memory to read it", path);
    } else if (ferror(stream) || (!standard && used < whole)) {
        (void)fail("%s: reading failed: %s", path,
                   ferror(stream) ? strerror(errno) : "it became shorter meanwhile");
        free(bytes);
        bytes = NULL;
    } else {
        bytes[used] = 0;
        *length = used;
    }
    if (!standard) {
        (void)fclose(stream);
    }
    return bytes;
}

static void output_free(output_file *file)
{
    if (file->stream != NULL) {
        (void)fclose(file->stream);
        file->stream = NULL;
    }
    if (file->temporary != NULL) {
        (void)remove(file->temporary);
    }
    free(file->temporary);
    free(file->path);
    file->temporary = NULL;
    file->path = NULL;
}

/* Opens `path.part-PID`, so that the final name is taken only by whole files. One that is there was left by a process of
 * that number which was killed, or is at work in another container: the next name is taken. */
static int output_open(output_file *file, const char *path)
{
    enum { MOST = 1000 };
    int k;
    file->stream = NULL;
    file->temporary = NULL;
    file->path = copy_text(path, strlen(path));
    for (k = 0; k < MOST && file->path != NULL; k++) {
        char suffix[48];
        (void)snprintf(suffix, sizeof suffix, k == 0 ? ".part-%ld" : ".part-%ld-%d", process_number(), k);
        file->temporary = join_text(path, suffix);
        file->stream = file->temporary == NULL ? NULL : file_create(file->temporary);
        if (file->stream != NULL) {
            return 0;
        }
        if (file->temporary == NULL) {
            break;
        }
        free(file->temporary);
        file->temporary = NULL;
        if (errno != EEXIST || k + 1 == MOST) {
            warn("%s: cannot be written: %s", path, strerror(errno));
            break;
        }
    }
    free(file->path);
    file->path = NULL;
    return EXIT_FAILED;
}

/* Everything on the disk, still under the temporary name. */
static int output_close(output_file *file)
{
    int bad = 0;
    int why = 0;
    if (file->stream != NULL) {
        errno = 0;
        bad = fflush(file->stream) != 0 || ferror(file->stream) != 0 || file_settle(file->stream) != 0;
        why = errno;
        bad = fclose(file->stream) != 0 || bad;
        file->stream = NULL;
    }
    /* Of an error that is long past only the stream knows. */
    return bad ? fail("%s: writing failed: %s", file->path, strerror(why == 0 ? EIO : why)) : 0;
}

static int output_rename(output_file *file)
{
    if (file_replace(file->temporary, file->path) != 0) {
        return fail("%s: cannot be replaced: %s", file->path, strerror(errno));
    }
    free(file->temporary);
    file->temporary = NULL;
    return 0;
}

void outputs_protect(outputs *set, const char *path)
{
    size_t capacity = sizeof set->inputs / sizeof set->inputs[0];
    if (path != NULL && set->input_count < capacity) {
        set->inputs[set->input_count] = path;
        set->input_count++;
    }
}

int outputs_add(outputs *set, const char *path, FILE **stream)
{
    output_file *larger;
    size_t i;
    int code;
    *stream = NULL;
    if (path == NULL) {
        return 0;
    }
    if (strcmp(path, "-") == 0) {
        *stream = stdout;
        set->to_stdout++;
        return set->to_stdout > 1
                   ? wrong_usage("two results cannot both go to standard output (-)")
                   : 0;
    }
    for (i = 0; i < set->count; i++) {
        if (strcmp(set->files[i].path, path) == 0) {
            return wrong_usage("%s: two results cannot go to the same file", path);
        }
    }
    for (i = 0; i < set->input_count; i++) {
        if (strcmp(set->inputs[i], path) == 0) {
            return wrong_usage("%s: is read by this command and will not be overwritten", path);
        }
    }
    larger = realloc(set->files, (set->count + 1) * sizeof *larger);
    if (larger == NULL) {
        return fail("not enough memory");
    }
    set->files = larger;
    code = output_open(&set->files[set->count], path);
    if (code == 0) {
        *stream = set->files[set->count].stream;
        set->count++;
    }
    return code;
}

int outputs_publish(outputs *set)
{
    int code = 0;
    size_t i;
    for (i = 0; code == 0 && i < set->count; i++) {
        code = output_close(&set->files[i]);
    }
    for (i = 0; code == 0 && i < set->count; i++) {
        code = output_rename(&set->files[i]);
    }
    return code;
}

void outputs_discard(outputs *set)
{
    size_t i;
    for (i = 0; i < set->count; i++) {
        output_free(&set->files[i]);
    }
    free(set->files);
    set->files = NULL;
    set->count = 0;
}

int file_write(const char *path, const void *head, size_t head_length, const void *body,
               size_t body_length)
{
    output_file file;
    int code = output_open(&file, path);
    if (code != 0) {
        return code;
    }
    (void)fwrite(head, 1, head_length, file.stream);
    (void)fwrite(body, 1, body_length, file.stream);
    code = output_close(&file);
    THEN(code, output_rename(&file));
    output_free(&file);
    return code;
}
