/* Harnesses over what the command line reads: its own sources, but for the disk, which is the input. */
#include "checkpoint.h"
#include "cli.h"
#include "csv.h"
#include "encode.h"
#include "paths.h"
#include "splits.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is on the disk: what "model" reads, and any other name. */
static struct {
    const uint8_t *bytes;
    size_t length;
} disk[2];

unsigned char *__wrap_file_read(const char *path, size_t *length);
unsigned char *__wrap_file_read(const char *path, size_t *length) {
    int which = strcmp(path, "model") == 0;
    unsigned char *copy = malloc(disk[which].length + 1);
    if (copy == NULL) abort();
    if (disk[which].length > 0) memcpy(copy, disk[which].bytes, disk[which].length);
    copy[disk[which].length] = 0;
    *length = disk[which].length;
    return copy;
}

/* Messages are made, one line each, and not shown. */
void __wrap_warn(const char *format, ...);
void __wrap_warn(const char *format, ...) {
    static char text[1 << 12];
    va_list arguments;
    va_start(arguments, format);
    if (vsnprintf(text, sizeof text, format, arguments) < 0) abort();
    va_end(arguments);
}

/* As csv_open, of what is on the disk. */
int __wrap_csv_open(csv_blocks *blocks, const char *path);
int __wrap_csv_open(csv_blocks *blocks, const char *path) {
    memset(blocks, 0, sizeof *blocks);
    blocks->path = path;
    blocks->stream = disk[0].length == 0 ? fopen("/dev/null", "rb")
                                         : fmemopen((void *)(uintptr_t)disk[0].bytes, disk[0].length, "rb");
    if (blocks->stream == NULL) abort();
    return 0;
}

static void on_disk(int which, const uint8_t *bytes, size_t length) { disk[which].bytes = bytes, disk[which].length = length; }

/* A file in blocks of some bytes has the rows that it has as a whole, or is refused as that is. */
static void compare_blocks(const csv_table *whole, int code, const csv_wish *wish, size_t bytes) {
    csv_blocks blocks;
    csv_table some;
    size_t k, rows = 0, more = 1;
    int has = 0, own = csv_open(&blocks, "table");
    THEN(own, csv_has(&blocks, wish, "y", &has));
    while (own == 0 && more > 0) {
        own = csv_next(&blocks, &some, wish, bytes);
        more = own == 0 ? some.rows : 0;
        if (code == 0 && more > 0 && (some.columns != whole->columns || some.before != rows || more > whole->rows - rows)) abort();
        for (k = 0; code == 0 && k < more * some.columns; k++)
            if (strcmp(some.cells[k], whole->cells[rows * some.columns + k]) != 0) abort();
        rows += more;
        csv_free(&some);
    }
    if ((own == 0) != (code == 0) || (code == 0 && rows != whole->rows)) abort();
    csv_close(&blocks);
}

void run_csv(const uint8_t *bytes, size_t length);
void run_csv(const uint8_t *bytes, size_t length) {
    static const char *const names[] = {NULL, "a", "b,y", "y"};
    unsigned how = length > 0 ? bytes[0] : 0, more = length > 1 ? bytes[1] : 0;
    csv_wish wish = {NULL, NULL, NULL, {NULL, NULL}, 0};
    schema_wish columns = {NULL, NULL, 0, 0};
    schema s, again;
    csv_table table;
    row_list rows = {NULL, NULL, 0};
    dataset data;
    outside_count outside = {0, 0, NULL};
    size_t k, target;
    wish.delimiter = (how & 3) == 3 ? "semicolon" : NULL, wish.drop = names[how >> 2 & 3], wish.only = names[how >> 4 & 3];
    wish.beside[0] = "y", wish.absent = how >> 6 & 1;
    columns.categorical = names[more & 3], columns.exposure = names[more >> 2 & 1], columns.classes = more >> 3 & 1;
    columns.missing_mean = more >> 4 & 1;
    on_disk(0, bytes + (length < 2 ? length : 2), length < 2 ? 0 : length - 2);
    target = (size_t)csv_read(&table, "table", &wish);
    compare_blocks(&table, (int)target, &wish, 1 + more);
    if (target != 0) return;
    memset(&s, 0, sizeof s), memset(&again, 0, sizeof again), memset(&data, 0, sizeof data);
    for (k = 0; k < table.rows * table.columns; k++) (void)strlen(table.cells[k]);
    if (dataset_target(&table, "y", TARGET_NEEDED, &target) == 0 && row_list_all(&rows, &table) == 0) {
        if ((more & 32) != 0) (void)row_list_complete(&rows);
        if (schema_learn(&s, &rows, target, &columns) == 0) {
            unsigned char *written;
            size_t count;
            int code = schema_encode(&s, &rows, "y", TARGET_OPTIONAL, more >> 6 & 1, &data);
            if (code == 0) (void)outside_add(&outside, &s, &data);
            outside_say(&outside, &s, "table");
            if (schema_write(&s, &written, &count) == 0) {
                if (schema_read(&again, written, count, "model") != 0) abort();
                free(written);
            }
        }
    }
    dataset_free(&data);
    schema_free(&s);
    schema_free(&again);
    row_list_free(&rows);
    csv_free(&table);
}

void run_splits(const uint8_t *bytes, size_t length);
void run_splits(const uint8_t *bytes, size_t length) {
    split_rows split;
    unsigned how = length > 0 ? bytes[0] : 0;
    on_disk(0, bytes + (length > 0), length - (length > 0));
    if (splits_read(&split, "splits", how & 3, 1 + (how >> 2 & 15), how >> 6 & 1) == 0) {
        if (split.tests == 0 || split.trains == 0) abort();
        splits_free(&split);
    }
}

/* What is read is written as the same bytes. */
void run_columns(const uint8_t *bytes, size_t length);
void run_columns(const uint8_t *bytes, size_t length) {
    schema s;
    unsigned char *written;
    size_t count;
    if (schema_read(&s, bytes, length, "model") == 0 && schema_write(&s, &written, &count) == 0) {
        if (length > 1 && bytes[0] == 2 && (count != length || memcmp(written, bytes, count) != 0)) abort();
        free(written);
    }
    schema_free(&s);
}

#ifndef ALONE
void run_paths(const uint8_t *bytes, size_t length);
void run_paths(const uint8_t *bytes, size_t length) {
    path_sums sums;
    on_disk(0, bytes, length);
    if (paths_read(&sums, "network") == 0) paths_free(&sums);
}

/* Commands on a model, or an auto-encoder, that is damaged, and on a table. */
void run_commands(const uint8_t *model, size_t model_bytes, const uint8_t *table, size_t length, unsigned how);
void run_commands(const uint8_t *model, size_t model_bytes, const uint8_t *table, size_t length, unsigned how) {
    static char *predict[] = {"--model", "model", "--data", "table", "--predictions", "-", NULL};
    static char *loo[] = {"--model", "model", "--data", "table", NULL};
    static char *vae[][8] = {{"encode", "--model", "model", "--data", "table", "--out", "-", NULL},
                             {"decode", "--model", "model", "--data", "table", "--out", "-", NULL},
                             {"sample", "--model", "model", "--count", "3", "--out", "-", NULL}};
    on_disk(1, model, model_bytes);
    on_disk(0, table, length);
    if (how < 3) (void)vae_command(7, vae[how]);
    else if (how % 2 == 0) (void)predict_command(6, predict);
    else (void)loo_command(4, loo);
}
#endif

void run_resume(const uint8_t *bytes, size_t length);
void run_resume(const uint8_t *bytes, size_t length) {
    checkpoint_file file;
    unsigned char *whole;
    uint8_t *sealed;
    char head[64];
    size_t count;
    memset(&file, 0, sizeof file);
    file.path = "state";
    (void)snprintf(file.settings, sizeof file.settings, "method x\nseed 1\n");
    on_disk(0, bytes, length);
    if (checkpoint_load(&file, &count, &whole) != NULL) free(whole);
    /* What lies behind the checksum. */
    sealed = malloc(length + sizeof head);
    if (sealed == NULL) abort();
    (void)snprintf(head, sizeof head, "lcc checkpoint 2\nchecksum %016" PRIx64 "\n", checksum(CHECKSUM_EMPTY, bytes, length));
    memcpy(sealed, head, strlen(head));
    if (length > 0) memcpy(sealed + strlen(head), bytes, length);
    on_disk(0, sealed, strlen(head) + length);
    if (checkpoint_load(&file, &count, &whole) != NULL) free(whole);
    free(sealed);
}
