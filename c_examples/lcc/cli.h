/* What every file of the command line shares: exit codes, error messages, checked memory, and what
 * the commands are called. */
#ifndef CLI_H
#define CLI_H

#include <stddef.h>
#include <stdint.h>

enum {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_INTERRUPTED = 130,
    EXIT_LISTED = -1 /* within the program alone: there is nothing more to do, and all is well */
};

#if defined(__GNUC__)
#define PRINTF_LIKE(text, first) __attribute__((__format__(__printf__, text, first)))
#else
#define PRINTF_LIKE(text, first)
#endif

/* Print "lcc: ..." on standard error. fail gives EXIT_FAILED, wrong_usage EXIT_USAGE, so that
 * callers write `return fail(...)`. */
void warn(const char *format, ...) PRINTF_LIKE(1, 2);
#define fail(...) (warn(__VA_ARGS__), (int)EXIT_FAILED)
#define wrong_usage(...) (warn(__VA_ARGS__), (int)EXIT_USAGE)

/* The exit code of a status of the library: 0, or EXIT_FAILED after a message that says what
 * failed. */
int checked(const char *doing, int32_t status);

/* Says that chains disagree, and what helps, where their R-hat is above the one limit (1.05: below, what they disagree by
 * is a small part of the spread of their draws). 1 where it was. */
int warn_of_rhat(double rhat, const char *what, const char *remedy);

/* The next of several steps that give exit codes: not taken where one has failed. */
#define THEN(code, step)     \
    do {                     \
        if ((code) == 0) {   \
            (code) = (step); \
        }                    \
    } while (0)

/* count * size bytes, zeroed, or NULL with a message where there is no memory
 * or the product overflows. Zero bytes give a valid pointer. */
void *allocate(size_t count, size_t size);

/* Memory of the library's objects and scratch, aligned as it asks for. */
typedef struct {
    size_t bytes; /* what the size query said */
    void *at;
    void *base;
} room;

/* Makes room for `bytes`, `status` being the size query's. 0 or EXIT_FAILED after a message. */
int room_make(room *r, const char *doing, int32_t status);
void room_free(room *r);

/* The order of doubles, for qsort. */
int by_value(const void *a, const void *b);

/* FNV-1a of 64 bits, from where another ended or CHECKSUM_EMPTY. */
#define CHECKSUM_EMPTY UINT64_C(0xcbf29ce484222325)
uint64_t checksum(uint64_t from, const void *bytes, size_t length);

/* An array with room for one more item of `size` bytes: itself, or a larger one in its place, of which *capacity says
 * how large. NULL, after a message, where there is no memory; the array is then as it was. */
void *make_room_for_one(void *items, size_t count, size_t *capacity, size_t size);

/* The next number in [0, 1) of SplitMix64 (Steele, Lea and Flood 2014). */
double random_uniform(uint64_t *state);

/* 0 to count - 1 in a random order (Fisher and Yates 1938). */
void random_order(uint64_t seed, size_t *order, size_t count);

/* A copy of the first `length` characters, NUL-terminated; NULL with a message. */
char *copy_text(const char *text, size_t length);

/* a followed by b; NULL with a message. */
char *join_text(const char *a, const char *b);

/* The commands, and what they say of themselves. */
int demo_command(int argc, char **argv);
int fit_command(int argc, char **argv);
int predict_command(int argc, char **argv);
int compare_command(int argc, char **argv);
int loo_command(int argc, char **argv);
int report_command(int argc, char **argv);
int show_command(int argc, char **argv);
int convert_command(int argc, char **argv);
int doctor_command(int argc, char **argv);
int completions_command(int argc, char **argv);
int manual_command(int argc, char **argv);
int sample_command(int argc, char **argv);
int certify_command(int argc, char **argv);
int theory_command(int argc, char **argv);
int vae_command(int argc, char **argv);
extern const char usage_main[];
extern const char usage_demo[];
extern const char usage_fit[]; /* in three: C99 promises no longer texts */
extern const char usage_fit_methods[];
extern const char usage_fit_data[];
extern const char usage_predict[];
extern const char usage_compare[];
extern const char usage_loo[];
extern const char usage_report[];
extern const char usage_show[];
extern const char usage_convert[];
extern const char usage_doctor[];
extern const char usage_completions[];
extern const char usage_manual[];
extern const char usage_sample[];
extern const char usage_sample_coupled[];
extern const char usage_certify[];
extern const char usage_theory[];
extern const char usage_vae[];

/* All of them, the last without a name. */
typedef struct {
    const char *name;
    int (*run)(int argc, char **argv);
    const char *usage[3]; /* one after the other */
    const char *examples; /* a line each */
} command_entry;
extern const command_entry commands[];

/* The whole command line. */
int lcc_main(int argc, char **argv);

#endif
