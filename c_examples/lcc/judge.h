/* Scores of held-out rows, with their standard errors over rows, beside those of baselines that anyone can
 * have: the mean of the target and linear regression; of counts their rate, of classes their shares. */
#ifndef JUDGE_H
#define JUDGE_H

#include "json.h"
#include "predictions.h"
#include "target.h"

/* What is noted of a row. Of classes: 1 where the largest probability was right, the log probability of the class, the
 * Brier score. */
enum { SCORE_SQUARED, SCORE_LOG, SCORE_CRPS, SCORE_COVERED, SCORE_WIDTH, SCORES };
enum { SCORE_RIGHT = SCORE_SQUARED, SCORE_BRIER = SCORE_CRPS };

/* Of one way to predict, by rows of the file: sums over the times a row was told. */
typedef struct {
    const char *name; /* for programs */
    const char *said; /* for people */
    double *sum; /* rows x SCORES */
} score_sheet;

/* The method and its baselines. Zeroed before the first row. */
typedef struct judgement {
    int classes;
    size_t rows;
    double *times; /* each row was told */
    score_sheet sheets[3];
    size_t count;
    double calibration; /* of classes, summed over parts, as is the next */
    double coverage;
    size_t parts;
    double seconds;
    double *said; /* rows x (2, or classes): what another seed is held against, where `keeps` is set before */
    size_t width;
    size_t trained; /* rows, of the last part */
    int keeps;
} judgement;

/* Means over rows, and their standard errors: rows told more than once count once, by their mean. */
typedef struct {
    size_t n;
    double mean[SCORES];
    double error[SCORES];
    double rmse; /* not of classes */
    double rmse_error;
} score_summary;

/* Takes the predictions of the rows that test, and makes those of the baselines from the rows that train. 0 or
 * EXIT_FAILED. */
int judgement_add(judgement *j, const predictions *p, const dataset *train, const dataset *test,
                  const target_choice *target, const schema *columns);
score_summary judgement_of(const judgement *j, size_t sheet);
void judgement_free(judgement *j);

/* Scores after fewer and fewer of the training rows, the last of all of them. */
enum { CURVE = 5 };
typedef struct {
    judgement at[CURVE - 1];
    size_t rows[CURVE];
    score_summary scores[CURVE];
} learning_curve;
void learning_curve_write(json_writer *json, const learning_curve *c, int classes);
void learning_curve_print(const learning_curve *c, int classes);

/* Members of the present JSON object: the standard errors of an evaluation; a list "baselines"; an object "cv". */
void judgement_write_errors(json_writer *json, const judgement *j);
void judgement_write_baselines(json_writer *json, const judgement *j);
void judgement_write_folds(json_writer *json, const judgement *j, size_t folds, size_t repeats);

/* Lines for people: the errors and the baselines; the folds and the baselines. */
void judgement_print(const judgement *j);
void judgement_print_folds(const judgement *j, size_t folds, size_t repeats, double level);

#endif
