/* lcc certify: is the law of the coupling log-concave? */
#ifndef CERTIFY_H
#define CERTIFY_H

#include "dataset.h"
#include "json.h"
#include "problem.h"

#include <lcc.h>

enum { CERTIFY_TEXT = 2048, CERTIFY_LIST = 16 };

/* What is certified of which posterior, and how its xi are visited. */
typedef struct {
    problem_settings problem;
    int32_t coupling;
    int32_t method; /* what draws w: one of the library's, or names_is_auto */
    int reduced;
    uint32_t chains;
    uint32_t warmup;
    uint32_t draws;
    uint32_t probes;
    uint32_t inner;
    uint64_t seed;
    int quiet;
} certify_settings;

typedef struct {
    int32_t kind;
    int32_t status;
    double value;
    double threshold;
    double error;
} certify_entry;

typedef struct {
    int digits;
    certify_entry list[CERTIFY_LIST];
    size_t count;
    int32_t conclusion;
    uint32_t probes;
    char verdict[CERTIFY_TEXT];
    int was_interrupted;
    double seconds;
} certify_result;

int certify_command(int argc, char **argv);

/* All certificates. 0 or an exit code after a message. */
int certify_run_f64(const certify_settings *settings, const dataset *data, certify_result *result);
int certify_run_f32(const certify_settings *settings, const dataset *data, certify_result *result);

/* Those that need no draws, where they cost no more than a few seconds; elsewhere, and after a
 * message where they fail, `count` is 0 and the verdict says so. */
void certify_quick(const problem_settings *problem, const dataset *data, int single,
                   certify_result *result);

/* The one that decides, as an object of a command's JSON: name, value, threshold, status, conclusion and
 * verdict. */
void certify_write_object(json_writer *json, const char *key, const certify_result *result);

/* The name of an LCC_CONCLUSION_ code. */
const char *certify_conclusion(int32_t conclusion);

#endif
