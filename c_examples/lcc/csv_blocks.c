#include "csv.h"

#include "cli.h"
#include "csv_tidy.h"
#include "platform.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

int csv_open(csv_blocks *blocks, const char *path)
{
    int standard = strcmp(path, "-") == 0;
    memset(blocks, 0, sizeof *blocks);
    blocks->path = standard ? "standard input" : path;
    blocks->stream = standard ? stdin : fopen(path, "rb");
    if (blocks->stream == NULL) {
        return fail("%s: cannot be read: %s", path, strerror(errno));
    }
    blocks->left = standard ? 0 : file_length(blocks->stream);
    return 0;
}

void csv_close(csv_blocks *blocks)
{
    if (blocks->stream != NULL && blocks->stream != stdin) {
        (void)fclose(blocks->stream);
    }
    free(blocks->text);
    memset(blocks, 0, sizeof *blocks);
}

/* Reads until so many bytes are there, or all that are left. */
static int fill(csv_blocks *blocks, size_t bytes)
{
    size_t most;
    size_t got;
    while (blocks->used < bytes && !feof(blocks->stream) && !ferror(blocks->stream)) {
        if (blocks->used == blocks->capacity) {
            size_t more = blocks->capacity > 0 ? blocks->capacity : 1 << 16;
            char *larger = more > (size_t)-1 / 2 ? NULL : realloc(blocks->text, more * 2);
            if (larger == NULL) {
                return fail("%s: not enough memory to read it", blocks->path);
            }
            blocks->text = larger;
            blocks->capacity = more * 2;
        }
        most = blocks->capacity < bytes ? blocks->capacity : bytes;
        got = fread(blocks->text + blocks->used, 1, most - blocks->used, blocks->stream);
        blocks->used += got;
        blocks->left -= got < blocks->left ? got : blocks->left;
    }
    if (ferror(blocks->stream)) {
        return fail("%s: reading failed: %s", blocks->path, strerror(errno));
    }
    return feof(blocks->stream) && blocks->left > 0
               ? fail("%s: reading failed: it became shorter meanwhile", blocks->path)
               : 0;
}

static int is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

/* Behind the line that begins at `at`; 0 where its end is not there. */
static size_t line_end(const csv_blocks *blocks, size_t at)
{
    const char *end = at < blocks->used ? memchr(blocks->text + at, '\n', blocks->used - at) : NULL;
    return end == NULL ? 0 : (size_t)(end - blocks->text) + 1;
}

/* The bytes of the header's lines, one or, with the delimiter's, two; 0 where the file has no more. */
static size_t header_length(const csv_blocks *blocks)
{
    size_t mark = blocks->used >= 3 && memcmp(blocks->text, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    size_t end = line_end(blocks, 0);
    size_t line = end > 1 && blocks->text[end - 2] == '\r' ? end - 2 : end - 1;
    int two = end > 0 && line == mark + 5 && memcmp(blocks->text + mark, "sep=", 4) == 0;
    return two ? line_end(blocks, end) : end;
}

/* Behind the first line after the header that is not blank; 0 where there is none. */
static size_t first_row(const csv_blocks *blocks)
{
    size_t at = header_length(blocks);
    size_t end = at > 0 ? line_end(blocks, at) : 0;
    while (end > 0) {
        while (at < end && is_blank(blocks->text[at])) {
            at++;
        }
        if (at < end) {
            return end;
        }
        end = line_end(blocks, at);
    }
    return 0;
}

/* The end of the last line before `end` that is not blank, as long as there is one after `begin`; else `begin`. Blank
 * lines wait for what comes: at the end of the file they are none. */
static size_t last_row(const csv_blocks *blocks, size_t begin, size_t end)
{
    size_t line;
    while (end > begin && blocks->text[end - 1] != '\n') {
        end--;
    }
    for (line = end; line > begin && is_blank(blocks->text[line - 1]); line--) {
        if (blocks->text[line - 1] == '\n') {
            end = line;
        }
    }
    return line > begin ? end : begin;
}

int csv_has(csv_blocks *blocks, const csv_wish *wish, const char *name, int *has)
{
    csv_table names;
    size_t row = 0;
    size_t bytes = 1;
    int code;
    /* The first row helps to guess the delimiter. */
    do {
        code = fill(blocks, bytes);
        bytes = blocks->used + 1;
        row = code == 0 && blocks->used > 0 ? first_row(blocks) : 0;
    } while (code == 0 && row == 0 && !feof(blocks->stream));
    row = row > 0 ? row : blocks->used;
    THEN(code, csv_parse_after(&names, blocks->path, blocks->used == 0 ? "" : blocks->text, row,
                               wish, NULL, NAMES));
    if (code == 0) {
        *has = csv_column(&names, name) < names.columns;
        csv_free(&names);
    }
    return code;
}

int csv_next(csv_blocks *blocks, csv_table *table, const csv_wish *wish, size_t bytes)
{
    size_t end = 0;
    int code = 0;
    memset(table, 0, sizeof *table);
    do {
        bytes = bytes > (size_t)-1 - blocks->used ? (size_t)-1 : blocks->used + bytes;
        code = fill(blocks, bytes);
        if (code == 0 && blocks->used > 0) {
            blocks->header = blocks->header > 0 ? blocks->header : header_length(blocks);
            end = last_row(blocks, blocks->header, blocks->used);
        }
    } while (code == 0 && !feof(blocks->stream) && (blocks->header == 0 || end == blocks->header));
    if (code != 0) {
        return code;
    }
    if (feof(blocks->stream)) {
        for (end = blocks->header; end < blocks->used && is_blank(blocks->text[end]); end++) {
        }
        if (blocks->last.before > 0 && end == blocks->used) {
            return 0;
        }
        end = blocks->used;
    }
    code = csv_parse_after(table, blocks->path, blocks->used == 0 ? "" : blocks->text, end, wish,
                           &blocks->last, ROWS);
    if (code == 0) {
        blocks->last.before += table->rows;
        blocks->last.between = table->between;
        blocks->last.decimal = table->decimal;
        memmove(blocks->text + blocks->header, blocks->text + end, blocks->used - end);
        blocks->used -= end - blocks->header;
    }
    return code;
}
