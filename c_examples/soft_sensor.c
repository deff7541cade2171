/* A soft sensor: predicts a slow or expensive measurement from cheap ones, and follows its plant. Start here.
 *
 *   soft_sensor [DATA.csv [LATE.csv [MODEL]]]
 *
 * Fits a Bayesian network to DATA.csv (a header line, numbers, the target in the last column), saves it as MODEL, loads
 * it again, predicts held-out rows, and follows LATE.csv (the same columns, later rows) one row at a time. */
#include <lcc.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A small fit, of seconds. For real work leave units and chains to the library: 20, and by the work at hand. The stream
 * follows models of one hidden layer only. */
enum { UNITS = 10, CHAINS = 16, BLOCK = 2000000 /* row visits of one call */ };
/* 5 of 50 rows are expected outside of their 90 % intervals. By chance 15 or more are once in 13000 times. */
enum { WATCHED = 50, TOO_MANY = 15 };
enum { ALL, TRAINING, HELD_OUT /* every fifth row */ };
static const float level = 0.9f;

static void need(int holds, const char *where, size_t line, const char *what)
{
    if (!holds) {
        fprintf(stderr, "%s%s%.0zu: %s\n", where, line > 0 ? ", line " : "", line, what); /* %.0zu: no 0 */
        exit(EXIT_FAILURE);
    }
}

/* All statuses come here. Errors are negative. */
static int32_t check(int32_t status, const char *what)
{
    need(status >= 0, what, 0, lcc_status_message(status));
    return status;
}

/* LCC needs 16-byte alignment, which malloc has on 64-bit systems. Other memory is refused by the library. */
static void *resized(void *memory, size_t count, size_t bytes)
{
    memory = count <= SIZE_MAX / bytes ? realloc(memory, count * bytes) : NULL;
    need(memory != NULL, "memory", 0, "there is not enough; give fewer rows");
    return memory;
}

static lcc_data_f32 read_csv(const char *path, int part)
{
    static char header[1 << 16], line[1 << 16]; /* the header is that of the first file */
    FILE *file = fopen(path, "r");
    float *x = NULL, *y = NULL;
    size_t n = 0, d = 0, room = 0, number, j;
    need(file != NULL, path, 0, "the file cannot be opened; check its name");
    for (number = 1; fgets(line, sizeof line, file) != NULL; number++) {
        char *cell = line, *end;
        need(strchr(line, '\n') != NULL || feof(file), path, number, "the line is too long, or the file is not text");
        if (number == 1) {
            line[strcspn(line, "\r\n")] = '\0';
            need(strcmp(header[0] == '\0' ? strcpy(header, line) : header, line) == 0, path, number,
                 "the columns are not those of the first file; give the same in the same order");
            for (; *cell != '\0'; cell++) {
                d += *cell == ',';
            }
            continue;
        }
        if (n == room) {
            room = 2 * room + 64;
            x = resized(x, room * (d + 1), sizeof *x);
            y = resized(y, room, sizeof *y);
        }
        for (j = 0; j <= d; j++, cell = end + 1) {
            const double value = strtod(cell, &end);
            const int empty = end == cell;
            end += strspn(end, " \t\r\n");
            need(!empty && fabs(value) < 1e38 && (*end == ',' || *end == '\0'), path, number,
                 "a cell is not a number; correct the line or remove it");
            need(*end == (j < d ? ',' : '\0'), path, number, "more or fewer cells than in the header; correct it");
            *(j < d ? &x[n * d + j] : &y[n]) = (float)value;
        }
        n += part == ALL || (part == HELD_OUT) == (number % 5 == 1);
    }
    need(!ferror(file) && d > 0 && n > 0, path, 0, "no rows; a header of two names or more and five rows are needed");
    fclose(file);
    return (lcc_data_f32){x, y, n, d, d, 1};
}

/* Fits in blocks: between two of them there is time for other things. Blocks of any size give the same model. */
static uint8_t *fitted(const lcc_data_f32 *data, size_t *length)
{
    lcc_bnn_options_f32 options;
    lcc_bnn_f32 *network;
    size_t bytes;
    check(lcc_bnn_options_for_f32(LCC_INFERENCE_CHAINS, LCC_OUTPUT_STUDENT_T, 1, &options), "options");
    options.widths[0] = UNITS;
    options.chains = CHAINS;
    check(lcc_bnn_size_f32(&options, data->n, data->d, &bytes), "size of the fit");
    uint8_t *memory = resized(NULL, bytes, 1);
    check(lcc_bnn_init_f32(memory, bytes, &options, data, &network), "start of the fit");
    while (check(lcc_bnn_step_f32(network, data, BLOCK), "fit") != LCC_DONE) {
    }
    check(lcc_bnn_model_size_f32(network, &bytes), "size of the model");
    uint8_t *model = resized(NULL, bytes, 1);
    check(lcc_bnn_write_model_f32(network, model, bytes, length), "model");
    free(memory);
    return model;
}

/* Written beside and renamed, so that there is never half a model. On Windows remove the old model first. */
static void save(const char *path, const uint8_t *model, size_t length)
{
    char *beside = strcat(strcpy(resized(NULL, strlen(path) + 6, 1), path), ".part");
    FILE *file = fopen(beside, "wb");
    need(file != NULL, beside, 0, "the file cannot be written; check the folder");
    const size_t written = fwrite(model, 1, length, file);
    if (fclose(file) != 0 || written != length || rename(beside, path) != 0) {
        remove(beside);
        need(0, path, 0, "the model cannot be written; check the path and the space on the disk");
    }
    free(beside);
}

static uint8_t *load(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    const long size = file != NULL && fseek(file, 0, SEEK_END) == 0 ? ftell(file) : 0;
    need(size > 0, path, 0, "no model can be read there");
    rewind(file);
    uint8_t *model = resized(NULL, (size_t)size, 1);
    *length = fread(model, 1, (size_t)size, file);
    fclose(file);
    return model;
}

/* Whether an input is outside of the range of the training data. */
static int extrapolates(const float *row, const lcc_data_f32 *trained)
{
    size_t i, j, inside = 0, above, below;
    for (j = 0; j < trained->d; j++) {
        for (i = above = below = 0; i < trained->n; i++) {
            above += row[j] >= trained->x[i * trained->d + j];
            below += row[j] <= trained->x[i * trained->d + j];
        }
        inside += above > 0 && below > 0;
    }
    return inside < trained->d;
}

/* The library raises no alarm. Here drift is noticed where too many of the last rows are outside of their intervals. */
static void report(const char *name, const lcc_prediction_f32 *p, const lcc_data_f32 *rows, const lcc_data_f32 *trained)
{
    int last[WATCHED] = {0}, missed = 0, recent = 0, beyond = 0;
    double squares = 0.0;
    size_t i, drift = 0;
    for (i = 0; i < rows->n; i++) {
        const int misses = rows->y[i] < p[i].lower || rows->y[i] > p[i].upper;
        squares += pow((double)rows->y[i] - (double)p[i].mean, 2.0);
        beyond += extrapolates(&rows->x[i * rows->d], trained);
        missed += misses;
        recent += misses - last[i % WATCHED];
        last[i % WATCHED] = misses;
        drift = drift == 0 && recent >= TOO_MANY ? i + 1 : drift;
    }
    printf("%-15s RMSE %.2f, 90 %% intervals cover %.1f %%, %d of %zu rows extrapolate", name,
           sqrt(squares / (double)i), 100.0 * (1.0 - missed / (double)i), beyond, i);
    printf(drift > 0 ? "; drift noticed at row %zu\n" : "\n", drift);
}

/* Each row is predicted one step ahead, then learnt from. The training rows come first: a new stream is unsure. */
static void follow(const uint8_t *model, size_t length, const lcc_data_f32 *trained, const lcc_data_f32 *late,
                   lcc_prediction_f32 *p)
{
    lcc_stream_options_f32 options;
    lcc_stream_f32 *stream;
    size_t bytes, i;
    check(lcc_stream_options_default_f32(&options), "options of the stream");
    check(lcc_stream_size_f32(&options, model, length, &bytes), "size of the stream");
    uint8_t *memory = resized(NULL, bytes, 1);
    check(lcc_stream_init_f32(memory, bytes, &options, model, length, &stream), "start of the stream");
    for (i = 0; i < trained->n; i++) {
        check(lcc_stream_observe_f32(stream, &trained->x[i * trained->d], trained->d, trained->y[i], NULL), "stream");
    }
    for (i = 0; i < late->n; i++) {
        check(lcc_stream_predict_f32(stream, &late->x[i * late->d], late->d, level, &p[i]), "stream");
        check(lcc_stream_observe_f32(stream, &late->x[i * late->d], late->d, late->y[i], NULL), "stream");
    }
    free(memory);
}

int main(int argc, char **argv)
{
    const char *csv = argc > 1 ? argv[1] : "c_examples/data/gas_turbine_nox.csv";
    const char *path = argc > 3 ? argv[3] : "soft_sensor.lcc";
    const lcc_data_f32 trained = read_csv(csv, TRAINING), held_out = read_csv(csv, HELD_OUT);
    const lcc_data_f32 late = read_csv(argc > 2 ? argv[2] : "c_examples/data/gas_turbine_nox_late.csv", ALL);
    lcc_prediction_f32 *p = resized(NULL, held_out.n + late.n, sizeof *p);
    lcc_model_info info;
    size_t length, bytes, i;
    uint8_t *model = fitted(&trained, &length);
    save(path, model, length);
    free(model);

    /* From here on the model comes from its file, as in the program that runs at the plant. */
    model = load(path, &length);
    check(lcc_model_check(model, length, &info), path);
    check(lcc_model_scratch_f32(model, length, &bytes), path);
    printf("%s: %zu bytes, %u draws of %u units, %u inputs, %zu bytes of memory to predict\n", path, length,
           info.draws, info.neurons, info.inputs, bytes);
    uint8_t *scratch = resized(NULL, bytes, 1);
    check(lcc_model_predict_f32(model, length, &held_out, level, scratch, bytes, p, held_out.n), "held-out rows");
    report("held-out rows", p, &held_out, &trained);
    check(lcc_model_predict_f32(model, length, &late, level, scratch, bytes, p, late.n), "late rows");
    report("late, fixed", p, &late, &trained);
    follow(model, length, &trained, &late, p);
    report("late, followed", p, &late, &trained);
    void *const blocks[] = {model, scratch, p, (void *)trained.x, (void *)trained.y, (void *)held_out.x,
                            (void *)held_out.y, (void *)late.x, (void *)late.y};
    for (i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        free(blocks[i]);
    }
    return EXIT_SUCCESS;
}
