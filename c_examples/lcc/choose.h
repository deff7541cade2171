/* Choosing levels and V by description length: the prequential log loss of each candidate. */
#ifndef CHOOSE_H
#define CHOOSE_H

#include "greedy.h"

enum { MOST_CANDIDATES = 64 };

typedef struct {
    uint32_t levels;
    double outer;
    double nats;        /* what the targets take, each told given those before it */
    double probability; /* of the candidate, all being as likely beforehand */
} candidate;

typedef struct {
    size_t count; /* 0 where nothing is to be chosen */
    size_t best;
    candidate all[MOST_CANDIDATES];
} choice;

/* The candidates of two lists of numbers, either of which may be NULL: then the settings' own. 0, or
 * EXIT_USAGE after a message. */
int choose_parse(const char *levels, const char *outers, const greedy_settings *settings,
                 choice *out);

/* Runs every candidate over the rows in their order, and puts the best one's values into the settings. 0,
 * EXIT_FAILED after a message, or EXIT_INTERRUPTED. */
int choose_run(choice *which, greedy_settings *settings, const dataset *train);

/* The list "choice" of a report, and the same in words. */
void choose_write(json_writer *json, const choice *which);
void choose_print(const choice *which);

#endif
