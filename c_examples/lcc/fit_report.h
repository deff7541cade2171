/* What lcc fit writes and says of a fit. */
#ifndef FIT_REPORT_H
#define FIT_REPORT_H

#include "encode.h"
#include "files.h"
#include "fit_flags.h"
#include "judge.h"
#include "target.h"

/* The files to write; NULL where not asked for. */
typedef struct {
    FILE *model;
    FILE *c_array;
    FILE *predictions;
    FILE *plot;
    FILE *log_lik;
    FILE *stream_model;
    FILE *json;
    FILE *curve;
} fit_files;

/* Everything that a run came to. */
typedef struct {
    const dataset *train;
    const dataset *test; /* without rows where there are none */
    const schema *columns;
    target_choice target;
    network_fit fit;
    relaxed_level last;         /* of greedy least squares */
    prequential_losses losses;  /* of one that predicts; without rows elsewhere */
    const dataset *stream_rows; /* of --stream, or NULL */
    stream_run streamed;
    int followed; /* some of them were */
    judgement crossed; /* by folds; empty without */
    learning_curve curve;
    lcc_remark_f64 remarks[16]; /* of the training rows */
    size_t remarked;
} fit_outcome;

/* All before the run, so that a folder that is not there is found out at once. 0 or an exit code. */
int fit_files_open(const fit_flags *flags, outputs *files, fit_files *to);

/* Predicts what is to be shown, writes all files or none, and reports. 0 or an exit code after a message. */
int fit_report(const fit_flags *flags, fit_outcome *o, const fit_files *to, outputs *files);

#endif
