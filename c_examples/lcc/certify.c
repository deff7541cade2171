#include "certify.h"

#include "args.h"
#include "cli.h"
#include "files.h"
#include "names.h"
#include "platform.h"
#include "problem.h"
#include "stepping.h"
#include "view.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 256, COLUMNS = 78 };

static const char *const couplings[] = {"one-sided", "two-sided", NULL};

#define IMPL "certify_impl.inc"
#include "both.inc"

static int parse(problem_flags *flags, certify_settings *s, int argc, char **argv)
{
    const arg_option options[] = {
        PROBLEM_OPTIONS(flags, &s->problem),
        {"--probes", ARG_COUNT, &s->probes, 0, 1e6},
        {"--inner", ARG_COUNT, &s->inner, 4, 1e6},
        {NULL, ARG_SWITCH, NULL, 0, 0},
    };
    int code = args_parse("certify", options, argc, argv);
    THEN(code, problem_names(flags, couplings, &s->problem));
    return code;
}

/* What the single options cannot say. */
static int check(const problem_flags *flags, const certify_settings *s)
{
    const problem_settings *p = &s->problem;
    sampler_kind kind = names_kind(p->method);
    if (flags->data == NULL) {
        return wrong_usage("certify: --data is missing");
    }
    if (kind == KIND_SMC || kind == KIND_TEMPERING) {
        return wrong_usage("certify: --sampler auto or chains: %s has none", flags->sampler);
    }
    if (s->probes > 0 && kind == KIND_AUTO &&
        (p->chains < 4 || p->chains % 2 != 0 || p->draws < 8)) {
        return wrong_usage("certify: auto takes an even number of --chains, at least 4, and at least 8 "
                           "--draws; or another --sampler");
    }
    if (p->reduced && p->prior != LCC_PRIOR_GAUSSIAN) {
        return wrong_usage("certify: --reduced needs --prior gaussian");
    }
    return 0;
}

/* The name of an LCC_CONCLUSION_ code. */
static const char *certify_conclusion(int32_t conclusion)
{
    static const char *const names[] = {"already-log-concave", "proved", "conditional",
                                        "empirical", "not-log-concave"};
    return conclusion >= 0 && conclusion < LCC_CONCLUSION_UNKNOWN ? names[conclusion] : "unknown";
}

/* Words of the library; an empty text where it has none. */
static const char *describe(int32_t code, int32_t what, char *words)
{
    size_t length = 0;
    words[0] = '\0';
    (void)lcc_certificate_describe(code, what, words, WORDS, &length);
    return words;
}

static void json_words(json_writer *json, const char *key, int32_t code, int32_t what)
{
    char words[WORDS];
    json_text(json, key, describe(code, what, words));
}

/* The status that a conclusion rests on. */
static int32_t deciding(int32_t conclusion)
{
    return conclusion == LCC_CONCLUSION_UNKNOWN ? LCC_CERTIFIED_NOT_SATISFIED : conclusion;
}

void certify_write_object(json_writer *json, const char *key, const certify_result *result)
{
    const certify_entry *best = NULL;
    size_t k;
    for (k = 0; k < result->count; k++) {
        const certify_entry *own = &result->list[k];
        if (own->status == deciding(result->conclusion) &&
            (best == NULL || own->value / own->threshold < best->value / best->threshold)) {
            best = own;
        }
    }
    json_object(json, key);
    if (best == NULL) {
        json_null(json, "name");
        json_null(json, "value");
        json_null(json, "threshold");
        json_null(json, "status");
    } else {
        json_words(json, "name", best->kind, LCC_DESCRIBE_NAME);
        json_number(json, "value", best->value);
        json_number(json, "threshold", best->threshold);
        json_words(json, "status", best->status, LCC_DESCRIBE_STATUS);
    }
    json_text(json, "conclusion", certify_conclusion(result->conclusion));
    json_text(json, "verdict", result->verdict);
    json_object_end(json);
}

void certify_quick(const problem_settings *problem, const dataset *data, int single,
                   certify_result *result)
{
    certify_settings s;
    size_t least = data->n < data->d ? data->n : data->d;
    /* Singular values of a larger matrix take minutes. */
    int code = (double)least * (double)least * (double)data->d > 3e7;
    memset(&s, 0, sizeof s);
    s.problem = *problem;
    THEN(code, single ? certify_run_f32(&s, data, result) : certify_run_f64(&s, data, result));
    if (code != 0) {
        memset(result, 0, sizeof *result);
        result->conclusion = LCC_CONCLUSION_UNKNOWN;
        (void)snprintf(result->verdict, sizeof result->verdict,
                       "Not evaluated for %lu inputs: ask lcc certify.", (unsigned long)data->d);
    }
}

static void write_json(FILE *out, const problem_flags *flags, const certify_settings *s,
                       const dataset *data, const certify_result *r)
{
    json_writer json;
    size_t k;
    json_begin(&json, out, r->digits);
    json_text(&json, "posterior", flags->posterior);
    json_text(&json, "activation", flags->activation);
    json_text(&json, "prior", flags->prior);
    json_number(&json, "scale", s->problem.scale);
    json_text(&json, "precision", flags->precision);
    json_count(&json, "n", data->n);
    json_count(&json, "d", data->d);
    json_text(&json, "coupling", flags->coupling);
    json_count(&json, "probes", r->probes);
    json_count(&json, "visited", r->visited);
    json_count(&json, "seed", s->problem.seed);
    json_number(&json, "seconds", r->seconds);
    json_text(&json, "conclusion", certify_conclusion(r->conclusion));
    json_text(&json, "verdict", r->verdict);
    json_list(&json, "certificates");
    for (k = 0; k < r->count; k++) {
        const certify_entry *own = &r->list[k];
        json_item(&json);
        json_words(&json, "name", own->kind, LCC_DESCRIBE_NAME);
        json_words(&json, "equation", own->kind, LCC_DESCRIBE_EQUATION);
        json_number(&json, "value", own->value);
        json_number(&json, "threshold", own->threshold);
        json_number(&json, "margin", own->threshold - own->value);
        json_number(&json, "mcse", own->error);
        json_words(&json, "status", own->status, LCC_DESCRIBE_STATUS);
        json_words(&json, "assumption", own->kind, LCC_DESCRIBE_ASSUMPTION);
        json_object_end(&json);
    }
    json_list_end(&json);
    json_end(&json);
}

/* A paragraph, broken at blanks. */
static void print_wrapped(const char *text)
{
    while (*text != '\0') {
        size_t length = strlen(text);
        size_t end = length;
        if (length > COLUMNS) {
            for (end = COLUMNS; end > 0 && text[end] != ' '; end--) {
            }
            end = end == 0 ? COLUMNS : end;
        }
        printf("%.*s\n", (int)end, text);
        text += end;
        text += *text == ' ';
    }
}

static void print_report(const problem_flags *flags, const certify_settings *s,
                         const dataset *data, const certify_result *r)
{
    char name[WORDS];
    char status[WORDS];
    char equation[WORDS];
    size_t k;
    problem_print(flags, &s->problem, data);
    printf("\n");
    printf("  %-24s %12s %10s  %s\n", "certificate", "value", "threshold", "status");
    for (k = 0; k < r->count; k++) {
        const certify_entry *own = &r->list[k];
        printf("  %-24s ", describe(own->kind, LCC_DESCRIBE_NAME, name));
        if (isfinite(own->value)) {
            printf("%12.6g ", own->value);
        } else {
            printf("%12s ", "-");
        }
        printf("%10.4g  %s", own->threshold, describe(own->status, LCC_DESCRIBE_STATUS, status));
        if (own->error > 0.0) {
            printf(" (+- %.2g)", own->error);
        }
        printf("\n      %s\n", describe(own->kind, LCC_DESCRIBE_EQUATION, equation));
    }
    printf("\n");
    print_wrapped(r->verdict);
}

/* Runs, and writes all results or none. */
static int run(const problem_flags *flags, const certify_settings *s, const dataset *data,
               outputs *files)
{
    certify_result result;
    FILE *json = NULL;
    int code = outputs_add(files, flags->json, &json);
    if (code != 0) {
        return code;
    }
    interrupts_catch();
    code = flags->single ? certify_run_f32(s, data, &result) : certify_run_f64(s, data, &result);
    if (code == 0) {
        if (json != NULL) {
            write_json(json, flags, s, data, &result);
        }
        code = outputs_publish(files);
    }
    if (code == 0) {
        if (!files->to_stdout) {
            print_report(flags, s, data, &result);
        }
        if (result.was_interrupted) {
            warn("stopped after %lu of %lu probes", (unsigned long)result.probes,
                 (unsigned long)s->probes);
            code = EXIT_INTERRUPTED;
        }
    }
    return code;
}

int certify_command(int argc, char **argv)
{
    problem_flags flags;
    certify_settings s;
    row_file data;
    outputs files;
    int code;
    memset(&data, 0, sizeof data);
    memset(&files, 0, sizeof files);
    problem_defaults(&flags, &s.problem);
    s.problem.warmup = 100;
    s.problem.draws = 200;
    s.probes = 8;
    s.inner = 250;
    code = parse(&flags, &s, argc, argv);
    THEN(code, check(&flags, &s));
    if (code == 0) {
        outputs_protect(&files, flags.data);
        code = row_file_read(&data, flags.data, flags.delimiter, flags.target, TARGET_NEEDED, NULL,
                             flags.single);
    }
    THEN(code, run(&flags, &s, &data.rows, &files));
    outputs_discard(&files);
    row_file_free(&data);
    return code;
}
