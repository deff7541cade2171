#include "dataset.h"

#include "cli.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static int reserve(dataset *data, int with_target)
{
    data->x = NULL;
    data->y = NULL;
    data->origin = NULL;
    if (data->d != 0 && data->n > (size_t)-1 / data->d) {
        return fail("the data are too large");
    }
    data->x = allocate(data->n * data->d, sizeof *data->x);
    data->y = with_target ? allocate(data->n, sizeof *data->y) : NULL;
    data->origin = allocate(data->n, sizeof *data->origin);
    if (data->x == NULL || data->origin == NULL || (with_target && data->y == NULL)) {
        dataset_free(data);
        return EXIT_FAILED;
    }
    return 0;
}

int dataset_take(dataset *data, const csv_table *table, const char *target, target_need need)
{
    size_t row;
    size_t column;
    size_t k;
    int found;
    memset(data, 0, sizeof *data);
    data->table = table;
    data->target = csv_column(table, target);
    found = data->target < table->columns;
    if (!found && need == TARGET_NEEDED) {
        return fail("%s: no column called \"%s\" (--target names the target)", table->path,
                    target);
    }
    data->n = table->rows;
    data->d = table->columns - (found ? 1 : 0);
    if (data->d == 0) {
        return fail("%s: no inputs beside the target \"%s\"", table->path, target);
    }
    if (reserve(data, found) != 0) {
        return EXIT_FAILED;
    }
    for (row = 0; row < data->n; row++) {
        const double *values = table->values + row * table->columns;
        data->origin[row] = row;
        for (column = 0, k = 0; column < table->columns; column++) {
            if (column == data->target) {
                data->y[row] = values[column];
            } else {
                data->x[row * data->d + k] = values[column];
                k++;
            }
        }
    }
    return 0;
}

int dataset_rows(dataset *subset, const dataset *data, const size_t *rows, size_t count)
{
    size_t i;
    *subset = *data;
    subset->n = count;
    if (reserve(subset, data->y != NULL) != 0) {
        return EXIT_FAILED;
    }
    for (i = 0; i < count; i++) {
        memcpy(subset->x + i * data->d, data->x + rows[i] * data->d, data->d * sizeof *data->x);
        subset->origin[i] = data->origin[rows[i]];
        if (data->y != NULL) {
            subset->y[i] = data->y[rows[i]];
        }
    }
    return 0;
}

/* The name of input k. */
static const char *input_name(const dataset *data, size_t k)
{
    return data->table->names[k < data->target ? k : k + 1];
}

int dataset_same_inputs(const dataset *reference, const dataset *other)
{
    size_t k;
    if (reference->d != other->d) {
        return fail("%s: has %lu inputs, %s has %lu", other->table->path, (unsigned long)other->d,
                    reference->table->path, (unsigned long)reference->d);
    }
    for (k = 0; k < reference->d; k++) {
        if (strcmp(input_name(reference, k), input_name(other, k)) != 0) {
            return fail("%s: input %lu is \"%s\", in %s it is \"%s\"", other->table->path,
                        (unsigned long)k + 1, input_name(other, k), reference->table->path,
                        input_name(reference, k));
        }
    }
    return 0;
}

int dataset_fits_single(const dataset *data)
{
    const csv_table *table = data->table;
    size_t row;
    size_t column;
    for (row = 0; row < table->rows; row++) {
        for (column = 0; column < table->columns; column++) {
            if (fabs(table->values[row * table->columns + column]) > (double)FLT_MAX) {
                return fail("%s: row %lu (line %lu), column %lu (%s): too large for single "
                            "precision (use --precision f64)",
                            table->path, (unsigned long)row + 1, (unsigned long)row + 2,
                            (unsigned long)column + 1, table->names[column]);
            }
        }
    }
    return 0;
}

void dataset_free(dataset *data)
{
    free(data->x);
    free(data->y);
    free(data->origin);
    data->x = NULL;
    data->y = NULL;
    data->origin = NULL;
}

int row_file_read(row_file *file, const char *path, const char *target, target_need need,
                  const dataset *like, int single)
{
    int code;
    memset(file, 0, sizeof *file);
    code = csv_read(&file->table, path);
    THEN(code, dataset_take(&file->rows, &file->table, target, need));
    THEN(code, like == NULL ? 0 : dataset_same_inputs(like, &file->rows));
    THEN(code, single ? dataset_fits_single(&file->rows) : 0);
    return code;
}

void row_file_free(row_file *file)
{
    dataset_free(&file->rows);
    csv_free(&file->table);
}
