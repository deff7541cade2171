#include "dataset.h"

#include "cli.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

int dataset_reserve(dataset *data, int with_target)
{
    data->x = NULL;
    data->y = NULL;
    data->origin = NULL;
    data->source = NULL;
    data->outside = NULL;
    if (data->d != 0 && data->n > (size_t)-1 / data->d) {
        return fail("the data are too large");
    }
    data->x = allocate(data->n * data->d, sizeof *data->x);
    data->y = with_target ? allocate(data->n, sizeof *data->y) : NULL;
    data->origin = allocate(data->n, sizeof *data->origin);
    data->source = allocate(data->d, sizeof *data->source);
    if (data->x == NULL || data->origin == NULL || data->source == NULL ||
        (with_target && data->y == NULL)) {
        dataset_free(data);
        return EXIT_FAILED;
    }
    return 0;
}

int dataset_target(const csv_table *table, const char *target, target_need need, size_t *column)
{
    *column = csv_column(table, target);
    if (*column == table->columns && need == TARGET_NEEDED) {
        return fail("%s: no column called \"%s\" (--target names the target)", table->path,
                    target);
    }
    return *column < table->columns && table->columns == 1
               ? fail("%s: no inputs beside the target \"%s\"", table->path, target)
               : 0;
}

int dataset_take(dataset *data, const csv_table *table, const char *target, target_need need)
{
    size_t row;
    size_t column;
    size_t k;
    int code;
    memset(data, 0, sizeof *data);
    data->table = table;
    code = dataset_target(table, target, need, &data->target);
    if (code != 0) {
        return code;
    }
    data->n = table->rows;
    data->d = table->columns - (data->target < table->columns ? 1 : 0);
    code = dataset_reserve(data, data->target < table->columns);
    for (k = 0; code == 0 && k < data->d; k++) {
        data->source[k] = k < data->target ? k : k + 1;
    }
    for (row = 0; code == 0 && row < data->n; row++) {
        data->origin[row] = row;
        for (column = 0, k = 0; code == 0 && column < table->columns; column++) {
            double *to = column == data->target ? &data->y[row] : &data->x[row * data->d + k++];
            code = csv_number(table, row, column, to);
        }
    }
    return code;
}

int dataset_rows(dataset *subset, const dataset *data, const size_t *rows, size_t count)
{
    size_t i;
    *subset = *data;
    subset->n = count;
    if (dataset_reserve(subset, data->y != NULL) != 0) {
        return EXIT_FAILED;
    }
    memcpy(subset->source, data->source, data->d * sizeof *data->source);
    for (i = 0; i < count; i++) {
        memcpy(subset->x + i * data->d, data->x + rows[i] * data->d, data->d * sizeof *data->x);
        subset->origin[i] = data->origin[rows[i]];
        if (data->y != NULL) {
            subset->y[i] = data->y[rows[i]];
        }
    }
    return 0;
}

double dataset_target_sd(const dataset *data)
{
    const double *y = data->y;
    double mean = 0.0;
    double squares = 0.0;
    size_t i;
    for (i = 0; i < data->n; i++) {
        mean += (y[i] - y[0]) / (double)data->n;
    }
    for (i = 0; i < data->n; i++) {
        squares += (y[i] - y[0] - mean) * (y[i] - y[0] - mean) / (double)data->n;
    }
    return sqrt(squares);
}

int dataset_spread(dataset *some, const dataset *data, size_t most)
{
    size_t count = data->n < most ? data->n : most;
    size_t *places = allocate(count, sizeof *places);
    size_t i;
    int code;
    memset(some, 0, sizeof *some);
    for (i = 0; places != NULL && i < count; i++) {
        places[i] = (size_t)((double)i * (double)data->n / (double)count);
    }
    code = places == NULL ? EXIT_FAILED : dataset_rows(some, data, places, count);
    free(places);
    return code;
}

int dataset_same_inputs(const csv_table *reference, size_t target, const csv_table *other,
                        size_t its_target)
{
    size_t d = reference->columns - (target < reference->columns ? 1 : 0);
    size_t its_d = other->columns - (its_target < other->columns ? 1 : 0);
    size_t k;
    if (d != its_d) {
        return fail("%s: has %lu inputs, %s has %lu", other->path, (unsigned long)its_d,
                    reference->path, (unsigned long)d);
    }
    for (k = 0; k < d; k++) {
        const char *name = reference->names[k < target ? k : k + 1];
        const char *its_name = other->names[k < its_target ? k : k + 1];
        if (strcmp(name, its_name) != 0) {
            return fail("%s: input %lu is \"%s\", in %s it is \"%s\"", other->path,
                        (unsigned long)k + 1, its_name, reference->path, name);
        }
    }
    return 0;
}

int dataset_fits_single(const dataset *data)
{
    size_t row;
    size_t k;
    for (row = 0; row < data->n; row++) {
        for (k = 0; k <= data->d; k++) {
            double value = k < data->d ? data->x[row * data->d + k]
                                       : (data->y == NULL ? 0.0 : data->y[row]);
            if (fabs(value) > (double)FLT_MAX) {
                return csv_refuse(data->table, data->origin[row],
                                  k < data->d ? data->source[k] : data->target,
                                  "is too large for single precision (use --precision f64)");
            }
        }
    }
    return 0;
}

int dataset_needs_double(const dataset *data, size_t *column)
{
    const double most = 1e-3;
    size_t row;
    size_t k;
    for (k = 0; k < data->d + (data->y == NULL ? 0 : 1); k++) {
        const double *at = k < data->d ? data->x + k : data->y;
        size_t stride = k < data->d ? data->d : 1;
        double mean = 0.0;
        double spread = 0.0;
        double lost = 0.0;
        for (row = 0; row < data->n; row++) {
            /* About the first, which is as large as what they have in common. */
            mean += (at[row * stride] - at[0]) / (double)data->n;
        }
        for (row = 0; row < data->n; row++) {
            double value = at[row * stride];
            double error = value - (double)(float)value;
            double apart = value - at[0] - mean;
            spread += apart * apart;
            lost += error * error;
        }
        spread = sqrt(spread / (double)data->n);
        lost = sqrt(lost / (double)data->n);
        /* A target's squares have to fit too (lcc_bnn_init_f32 refuses others). */
        if (spread > 0.0 && (!(lost <= most * spread) || (at == data->y && !(spread > 1e-15 && spread < 1e14)))) {
            *column = k < data->d ? data->source[k] : data->target;
            return 1;
        }
    }
    return 0;
}

void dataset_free(dataset *data)
{
    free(data->x);
    free(data->y);
    free(data->origin);
    free(data->source);
    free(data->outside);
    data->outside = NULL;
    data->x = NULL;
    data->y = NULL;
    data->origin = NULL;
    data->source = NULL;
}

uint64_t dataset_checksum(const dataset *data)
{
    uint64_t mark = CHECKSUM_EMPTY;
    size_t i;
    for (i = 0; i < data->n * data->d + data->n; i++) {
        double value = i < data->n ? data->y[i] : data->x[i - data->n];
        uint64_t bits;
        memcpy(&bits, &value, sizeof bits);
        mark = (mark ^ bits) * UINT64_C(1099511628211);
        mark ^= mark >> 29;
    }
    return mark;
}

int row_file_read(row_file *file, const char *path, const char *delimiter, const char *target,
                  target_need need, const dataset *like, int single)
{
    csv_wish wish = {NULL, NULL, NULL, {NULL, NULL}, 0};
    int code;
    memset(file, 0, sizeof *file);
    wish.delimiter = delimiter;
    code = csv_read(&file->table, path, &wish);
    THEN(code, dataset_take(&file->rows, &file->table, target, need));
    THEN(code, like == NULL ? 0
                             : dataset_same_inputs(like->table, like->target, &file->table,
                                                   file->rows.target));
    THEN(code, single ? dataset_fits_single(&file->rows) : 0);
    return code;
}

void row_file_free(row_file *file)
{
    dataset_free(&file->rows);
    csv_free(&file->table);
}
