#include "fit_report.h"

#include "classes.h"
#include "cli.h"
#include "compare.h"
#include "json.h"
#include "luck.h"
#include "model.h"
#include "note.h"
#include "plot.h"
#include "relevance.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int fit_files_open(const fit_flags *flags, outputs *files, fit_files *to)
{
    int code = outputs_add(files, flags->model, &to->model);
    THEN(code, outputs_add(files, flags->c_array, &to->c_array));
    THEN(code, outputs_add(files, flags->predictions, &to->predictions));
    THEN(code, outputs_add(files, flags->plot, &to->plot));
    THEN(code, outputs_add(files, flags->log_lik, &to->log_lik));
    THEN(code, outputs_add(files, flags->stream_model, &to->stream_model));
    THEN(code, outputs_add(files, flags->json, &to->json));
    THEN(code, outputs_add(files, flags->curve, &to->curve));
    return code;
}

/* What the training rows are remarkable for. */
static void write_remarks(json_writer *json, const fit_outcome *o)
{
    size_t k;
    json_list(json, "remarks");
    for (k = 0; k < o->remarked; k++) {
        const lcc_remark_f64 *r = &o->remarks[k];
        const char *name = r->remark == LCC_REMARK_WIDE       ? NULL
                           : r->remark == LCC_REMARK_REPEATED ? o->train->table->names[o->train->target]
                                                              : o->train->table->names[o->train->source[r->column]];
        json_item(json);
        if (name != NULL) {
            json_text(json, "column", name);
            json_number(json, "value", r->value);
        }
        json_count(json, "rows", r->rows);
        json_text(json, "remark", lcc_remark_message(r->remark));
        json_object_end(json);
    }
    json_list_end(json);
}

static void write_parameters(json_writer *json, const fit_flags *flags)
{
    const network_settings *s = &flags->network;
    json_object(json, "parameters");
    json_text(json, "target", flags->target);
    if (flags->kind == METHOD_RELAXED) {
        relaxed_write_parameters(json, &flags->greedy, flags->update);
    } else if (flags->kind >= METHOD_GREEDY) {
        greedy_write_parameters(json, &flags->greedy, flags->kind == METHOD_PREQUENTIAL);
        if (flags->kind == METHOD_PREQUENTIAL) {
            json_text(json, "averaging", flags->averaging);
        }
    } else {
        if (flags->kind == METHOD_BNN) {
            json_text(json, "layers", flags->bnn.layers);
            json_text(json, "output", lcc_output_name(flags->bnn.output));
            json_count(json, "start", flags->bnn.start);
            json_count(json, "leapfrogs", flags->bnn.leapfrogs);
        } else {
            json_count(json, "neurons", s->neurons);
        }
        json_count(json, "chains", s->chains);
        json_count(json, "warmup", s->warmup);
        json_count(json, "draws", s->draws);
    }
    json_count(json, "keep", s->keep);
    json_count(json, "seed", s->seed);
    json_text(json, "precision", flags->precision);
    json_number(json, "interval", flags->interval);
    json_object_end(json);
}

static void write_json(FILE *out, const fit_flags *flags, const fit_outcome *o,
                       const evaluation *test, const judgement *judged, const luck_facts *luck,
                       const relevance *inputs)
{
    const network_fit *fit = &o->fit;
    const dataset *train = o->train;
    json_writer json;
    json_begin(&json, out, fit->digits);
    json_text(&json, "method", flags->method);
    if (flags->kind == METHOD_BNN) {
        json_text(&json, "law", lcc_inference_law(flags->bnn.method));
    }
    json_count(&json, "n", train->n);
    json_count(&json, "d", train->d);
    evaluation_write_test(&json, test, judged);
    if (o->crossed.count > 0) {
        judgement_write_folds(&json, &o->crossed, flags->folds,
                              flags->repeats == 0 ? 1 : flags->repeats);
    }
    if (o->crossed.count > 0 || judged->count > 0) {
        judgement_write_baselines(&json, o->crossed.count > 0 ? &o->crossed : judged);
    }
    if (flags->curve != NULL) {
        learning_curve_write(&json, &o->curve, o->target.kind == TARGET_CLASSES);
    }
    relevance_write(&json, inputs);
    stream_write_json(&json, &flags->following, o->followed ? &o->streamed : NULL);
    json_number(&json, "rhat_max", fit->rhat_max);
    json_number(&json, "ess_bulk_min", fit->ess_bulk_min);
    json_number(&json, "acceptance", fit->acceptance);
    if (o->losses.ahead.n > 0) {
        prequential_write(&json, &o->losses, train->y);
    }
    if (flags->kind == METHOD_RELAXED) {
        relaxed_write(&json, &o->last);
    }
    if (flags->choice.count > 0) {
        choose_write(&json, &flags->choice);
    }
    if (flags->kind == METHOD_BNN) {
        if (bnn_climbs(flags->bnn.method)) {
            json_number(&json, "log_joint", fit->log_joint);
            json_number(&json, "log_evidence", fit->log_evidence);
            json_number(&json, "ascent_steps", fit->steps);
        }
        if (bnn_fits(flags->bnn.method)) {
            json_number(&json, "log_evidence_error", fit->error);
        } else if (bnn_climbs(flags->bnn.method)) {
            json_number(&json, "distance_to_mode", fit->distance);
        }
        if (bnn_walks(flags->bnn.method)) {
            json_number(&json, "tempered_at", fit->tempered_at);
            json_number(&json, "step", fit->steps);
            json_number(&json, "variance_of_change", fit->variance);
            json_number(&json, "skewness_of_change", fit->skewness);
            json_number(&json, "kurtosis_of_change", fit->kurtosis);
        }
        json_number(&json, "luck", fit->luck);
        json_number(&json, "luck_median", fit->luck_median);
        json_number(&json, "luck_test", luck->rms);
        json_number(&json, "luck_test_median", luck->median);
        if (fit->temperature > 0.0) {
            json_number(&json, "temperature", fit->temperature);
        }
    }
    if (flags->kind >= METHOD_GREEDY) {
        json_count(&json, "levels_used", fit->levels_used);
    } else {
        json_count(&json, "divergences", fit->divergences);
        json_count(&json, "chains_used", fit->chains_used);
        json_count(&json, "chains_dropped", fit->chains_dropped);
    }
    json_count(&json, "gradients", fit->gradients);
    json_number(&json, "seconds", fit->seconds);
    json_count(&json, "bytes_workspace", fit->workspace_bytes);
    json_count(&json, "bytes_model", fit->model_bytes);
    if (flags->time > 0.0) {
        char options[OPTIONS_TEXT];
        json_object(&json, "time");
        json_number(&json, "limit", flags->time);
        json_text(&json, "options", note_options(flags, options));
        json_object_end(&json);
    }
    write_remarks(&json, o);
    write_parameters(&json, flags);
    json_end(&json);
}

/* Many short chains: none finds all modes, so that what a person should know is what the seed decides. */
static void print_luck(const network_fit *fit, const luck_facts *test)
{
    int tested = test->rms == test->rms;
    printf("luck        another seed would move a prediction by %.2g %% of its uncertainty "
           "(median %.2g %%)\n",
           100.0 * (tested ? test->rms : fit->luck),
           100.0 * (tested ? test->median : fit->luck_median));
    if (tested) {
        printf("            at the test rows, by %.2g %% (median %.2g %%) at training rows\n",
               100.0 * fit->luck, 100.0 * fit->luck_median);
    } else {
        printf("            at training rows; far from them it may be more\n");
    }
    if (fit->temperature > 0.0) {
        printf("calibration temperature %.2f, by held-out rows: %s\n", fit->temperature,
               fit->temperature < 1.0 ? "the posterior alone is too cautious"
                                      : "the posterior alone is too sure");
    }
    printf("chains      %" PRIu32 " used, %" PRIu32 " dropped, acceptance %.3f, %" PRIu64
           " divergent draws\n",
           fit->chains_used, fit->chains_dropped, fit->acceptance, fit->divergences);
    if (fit->rhat_max != fit->rhat_max) {
        return; /* too few draws for one */
    }
    printf("            R-hat %.2f: chains stay in their modes and the model averages over them; "
           "what\n            longer ones would change, the luck does not tell\n",
           fit->rhat_max);
}

/* Chains of part of the rows: what law they aim at in this run, and whether their noise allows it. */
static void print_noise(const fit_flags *flags, const network_fit *fit)
{
    printf("tempered    at T = %.4g: likelihood^(1/T) times prior%s; steps of %.3g\n", fit->tempered_at,
           fit->tempered_at > 1.0 ? ", wider than the posterior" : ", the posterior", fit->steps);
    if (fit->variance == fit->variance) {
        printf("noise       of the change of the loss: variance %.3g, skewness %.2g, excess kurtosis %.2g\n",
               fit->variance, fit->skewness, fit->kurtosis);
        if (fit->variance > fit->variance_limit) {
            printf("            too much: chi^2 above %.2g; larger or more minibatches, or shorter steps\n",
                   fit->variance_limit);
        }
    }
    if (flags->bnn.method == LCC_INFERENCE_SGLD || flags->bnn.method == LCC_INFERENCE_BATCHED) {
        printf("            biased: too wide by an amount that this run does not tell\n");
    }
}

/* Where no chains were run. */
static void print_mode(const fit_flags *flags, const network_fit *fit)
{
    if (!bnn_climbs(flags->bnn.method)) {
        printf("members     %" PRIu32 " used, %" PRIu32 " dropped\n", fit->chains_used,
               fit->chains_dropped);
    } else if (bnn_fits(flags->bnn.method)) {
        if (flags->bnn.method == LCC_INFERENCE_SWAG) {
            printf("members     %" PRIu32 " used, %" PRIu32 " dropped; of the best\n", fit->chains_used,
                   fit->chains_dropped);
        }
        printf("bound       log evidence above %.6g +- %.2g, log density %.6g at the mean, %.0f steps\n",
               fit->log_evidence, fit->error, fit->log_joint, fit->steps);
    } else if (fit->log_evidence == fit->log_evidence) {
        printf("mode        log density %.6g, Laplace's log evidence %.6g, %.0f steps\n",
               fit->log_joint, fit->log_evidence, fit->steps);
    } else {
        printf("mode        log density %.6g, %.0f steps\n", fit->log_joint, fit->steps);
    }
    if (bnn_climbs(flags->bnn.method) && fit->distance > 0.03) {
        printf("            not reached: some %.2g posterior sds away; more --ascent, or --start\n",
               fit->distance);
    }
    if (bnn_linearises(&flags->bnn)) {
        printf("            predicts by the network linearised at the mode; by networks of draws: --sampled\n");
    } else if (flags->bnn.sampled) {
        printf("            a Gaussian in weights: its draws may predict worse than map or last-layer\n");
    }
    if (fit->temperature > 0.0) {
        printf("calibration temperature %.2f, by held-out rows\n", fit->temperature);
    }
}

static void print_report(const fit_flags *flags, const fit_outcome *o, const evaluation *scores,
                         const judgement *judged, const luck_facts *luck, const relevance *inputs)
{
    const network_fit *fit = &o->fit;
    const dataset *train = o->train;
    char method[METHOD_TEXT];
    printf("method      %s\n", note_method(flags, method));
    if (flags->kind == METHOD_BNN) {
        char said[240];
        target_say(&o->target, o->columns, said, sizeof said);
        printf("target      %s\n", said);
        printf("aims at     %s\n", lcc_inference_law(flags->bnn.method));
    }
    printf("trained on  %lu rows of %lu inputs\n", (unsigned long)train->n,
           (unsigned long)train->d);
    if (o->test->n > 0) {
        evaluation_print("test        ", scores, flags->interval);
        judgement_print(judged);
    } else if (o->crossed.count == 0 && o->losses.ahead.n == 0 && !o->followed) {
        evaluation_print("fitted      ", scores, flags->interval);
        printf("            these rows trained, others are told less well: --cv 5 or --test-share .2 "
               "tells\n            how much\n");
    }
    if (o->crossed.count > 0) {
        judgement_print_folds(&o->crossed, flags->folds, flags->repeats == 0 ? 1 : flags->repeats,
                              flags->interval);
    }
    if (flags->curve != NULL) {
        learning_curve_print(&o->curve, o->target.kind == TARGET_CLASSES);
    }
    if (o->losses.ahead.n > 0) {
        prequential_print(&o->losses, train->y);
    }
    stream_print(&flags->following, o->followed ? &o->streamed : NULL);
    choose_print(&flags->choice);
    relevance_print(inputs);
    if (flags->kind == METHOD_BNN && bnn_walks(flags->bnn.method)) {
        print_noise(flags, fit);
        print_luck(fit, luck);
    } else if (flags->kind == METHOD_BNN && flags->bnn.method != LCC_INFERENCE_CHAINS) {
        print_mode(flags, fit);
    } else if (flags->kind == METHOD_BNN) {
        print_luck(fit, luck);
    } else if (flags->kind == METHOD_RELAXED) {
        relaxed_print(&o->last, fit->levels_used);
    } else if (flags->kind != METHOD_NETWORK) {
        printf("levels      %" PRIu32 " used, of mean acceptance %.3f\n", fit->levels_used,
               fit->acceptance);
    } else {
        printf("chains      R-hat of the predictions %.3f, ESS %.0f, acceptance %.3f; %" PRIu32
           " used, %" PRIu32 " dropped,\n            %" PRIu64 " divergent draws\n",
           fit->rhat_max, fit->ess_bulk_min, fit->acceptance, fit->chains_used,
           fit->chains_dropped, fit->divergences);
    }
    if (flags->time > 0.0) {
        char options[OPTIONS_TEXT];
        printf("time        of %g s; the same bytes without --time: %s\n", flags->time,
               note_options(flags, options));
    }
    printf("cost        %.1f s, %" PRIu64 " gradients, %lu bytes of workspace, model of %lu bytes\n",
           fit->seconds, fit->gradients, (unsigned long)fit->workspace_bytes,
           (unsigned long)fit->model_bytes);
}

static void write_plot(FILE *out, const fit_flags *flags, const dataset *rows,
                       const predictions *p, const evaluation *scores, const char *kind)
{
    char title[160];
    char subtitle[160];
    plot_words words;
    (void)snprintf(title, sizeof title, "%s: predicted against measured", flags->target);
    (void)snprintf(subtitle, sizeof subtitle,
                   "%lu %s rows: RMSE %.4g, %g %% intervals cover %.1f %%",
                   (unsigned long)p->n, kind, scores->rmse,
                   100.0 * flags->interval, 100.0 * scores->coverage);
    words.title = title;
    words.subtitle = subtitle;
    words.quantity = flags->target;
    words.unit = NULL;
    plot_write(out, &words, p, rows->y);
}

static void rows_write(FILE *out, const fit_outcome *o, const predictions *p, const dataset *rows)
{
    if (p->classes > 0) {
        classes_write(out, p, &o->columns->target, rows);
    } else {
        predictions_write(out, p, rows);
    }
}

/* The last of the curve is what is known already; then its figure. */
static void end_curve(FILE *out, const fit_flags *flags, fit_outcome *o, const judgement *judged)
{
    compared lines[CURVE];
    char names[CURVE][32];
    size_t k;
    memset(lines, 0, sizeof lines);
    o->curve.rows[CURVE - 1] = o->crossed.count > 0 ? o->crossed.trained : o->train->n;
    o->curve.scores[CURVE - 1] = judgement_of(o->crossed.count > 0 ? &o->crossed : judged, 0);
    for (k = 0; k < CURVE; k++) {
        (void)snprintf(names[k], sizeof names[k], "%lu rows", (unsigned long)o->curve.rows[k]);
        lines[k].name = names[k];
        lines[k].scores = o->curve.scores[k];
    }
    compare_plot(out, flags->target, "scores by the training rows",
                 o->target.kind == TARGET_CLASSES, lines, CURVE);
}

int fit_report(const fit_flags *flags, fit_outcome *o, const fit_files *to, outputs *files)
{
    const dataset *train = o->train;
    const dataset *test = o->test;
    const network_fit *fit = &o->fit;
    const stream_run *streamed = o->followed ? &o->streamed : NULL;
    const dataset *rows = test->n > 0 ? test : train;
    const char *kind = test->n > 0 ? "test" : "training";
    predictions p;
    noise_trial trial;
    judgement judged;
    relevance inputs;
    luck_facts luck = {(double)NAN, (double)NAN};
    evaluation scores;
    const evaluation *tested = test->n > 0 ? &scores : NULL;
    /* What is written and drawn: the stream's where there is one. */
    const predictions *shown = &p;
    const dataset *shown_rows = rows;
    const evaluation *shown_scores = &scores;
    int code = model_predict(fit->model, fit->model_bytes, rows, flags->interval, &p);
    if (code != 0) {
        return code;
    }
    scores = predictions_evaluate(&p, rows->y);
    memset(&trial, 0, sizeof trial);
    memset(&judged, 0, sizeof judged);
    memset(&inputs, 0, sizeof inputs);
    code = p.classes == 0 ? 0
                          : noise_judge(&trial, fit, train, rows, &p, flags->network.seed,
                                        &scores.noise);
    if (flags->kind == METHOD_BNN && tested != NULL) {
        THEN(code, luck_tell(fit->model, fit->model_bytes, rows, flags->network.keep, &p, &luck));
    }
    if (tested != NULL) {
        THEN(code, judgement_add(&judged, &p, train, rows, &o->target, o->columns));
    }
    THEN(code, relevance_tell(fit->model, fit->model_bytes, train, o->columns, flags->network.seed,
                              &inputs));
    if (streamed != NULL) {
        shown = &streamed->before;
        shown_rows = o->stream_rows;
        shown_scores = &streamed->scores;
        kind = "streamed";
    }
    if (to->model != NULL) {
        (void)fwrite(fit->model, 1, fit->model_bytes, to->model);
    }
    if (to->stream_model != NULL) {
        (void)fwrite(streamed == NULL ? fit->model : streamed->model, 1,
                     streamed == NULL ? fit->model_bytes : streamed->model_bytes,
                     to->stream_model);
    }
    if (to->predictions != NULL) {
        /* Where nothing tests, a row's forecast is worth more than its fit. */
        int ahead = shown == &p && tested == NULL && o->losses.ahead.n > 0;
        rows_write(to->predictions, o, ahead ? &o->losses.ahead : shown, shown_rows);
    }
    if (code == 0 && to->plot != NULL && p.classes > 0) {
        noise_plot(to->plot, flags->target, kind, &trial, &p);
    } else if (to->plot != NULL && p.classes == 0) {
        write_plot(to->plot, flags, shown_rows, shown, shown_scores, kind);
    }
    if (code == 0 && to->log_lik != NULL) {
        code = model_write_log_likelihood(to->log_lik, fit->model, fit->model_bytes, train);
    }
    if (code == 0 && to->curve != NULL) {
        end_curve(to->curve, flags, o, &judged);
    }
    if (code == 0 && to->json != NULL) {
        write_json(to->json, flags, o, tested, &judged, &luck, &inputs);
    }
    THEN(code, outputs_publish(files));
    if (code == 0 && !files->to_stdout) {
        print_report(flags, o, &scores, &judged, &luck, &inputs);
    }
    relevance_free(&inputs);
    judgement_free(&judged);
    noise_free(&trial);
    predictions_free(&p);
    return code;
}
