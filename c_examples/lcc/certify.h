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
    uint32_t probes;
    uint32_t inner;
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
    uint32_t visited;
    char verdict[CERTIFY_TEXT];
    int was_interrupted;
    double seconds;
} certify_result;

/* Those that need no draws, where they cost no more than a few seconds; elsewhere, and after a
 * message where they fail, `count` is 0 and the verdict says so. */
void certify_quick(const problem_settings *problem, const dataset *data, int single,
                   certify_result *result);

/* The one that decides, as an object of a command's JSON: name, value, threshold, status, conclusion and
 * verdict. */
void certify_write_object(json_writer *json, const char *key, const certify_result *result);

#endif
