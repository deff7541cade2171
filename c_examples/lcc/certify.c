#include "certify.h"

#include "args.h"
#include "cli.h"
#include "csv.h"
#include "files.h"
#include "names.h"
#include "platform.h"
#include "problem.h"
#include "result.h"
#include "usage.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORDS = 256, COLUMNS = 78 };

/* The flags as given. */
typedef struct {
    const char *data;
    const char *target;
    problem_flags problem;
    const char *sampler;
    const char *coupling;
    const char *precision;
    const char *json;
    int single;
} certify_flags;

static const char *const couplings[] = {"one-sided", "two-sided", NULL};

static int parse(certify_flags *flags, certify_settings *s, int argc, char **argv)
{
    const arg_option options[] = {
        {"--data", ARG_TEXT, &flags->data, 0, 0},
        {"--target", ARG_TEXT, &flags->target, 0, 0},
        PROBLEM_OPTIONS(&flags->problem, &s->problem),
        {"--sampler", ARG_TEXT, &flags->sampler, 0, 0},
        {"--coupling", ARG_TEXT, &flags->coupling, 0, 0},
        {"--reduced", ARG_SWITCH, &s->reduced, 0, 0},
        {"--chains", ARG_COUNT, &s->chains, 1, 4096},
        {"--warmup", ARG_COUNT, &s->warmup, 0, 1e9},
        {"--draws", ARG_COUNT, &s->draws, 1, 1e9},
        {"--probes", ARG_COUNT, &s->probes, 0, 1e6},
        {"--inner", ARG_COUNT, &s->inner, 4, 1e6},
        {"--seed", ARG_SEED, &s->seed, 0, 0},
        {"--precision", ARG_TEXT, &flags->precision, 0, 0},
        {"--json", ARG_TEXT, &flags->json, 0, 0},
        {"--quiet", ARG_SWITCH, &s->quiet, 0, 0},
        {NULL, ARG_SWITCH, NULL, 0, 0},
    };
    int code = args_parse("certify", options, argc, argv);
    if (code == 0) {
        code = problem_names(&flags->problem, &s->problem);
    }
    if (code == 0) {
        code = names_sampler(flags->sampler, &s->method);
    }
    if (code == 0) {
        code = names_choose("--coupling", flags->coupling, couplings, &s->coupling);
    }
    if (code == 0) {
        code = names_precision(flags->precision, &flags->single);
    }
    return code;
}

/* What the single options cannot say. */
static int check(const certify_flags *flags, const certify_settings *s)
{
    if (flags->data == NULL) {
        return wrong_usage("certify: --data is missing");
    }
    if (names_is_smc(s->method) || names_is_tempering(s->method)) {
        return wrong_usage("certify: --sampler auto or chains: %s has none", flags->sampler);
    }
    if (s->probes > 0 && names_is_auto(s->method) &&
        (s->chains < 4 || s->chains % 2 != 0 || s->draws < 8)) {
        return wrong_usage("certify: auto takes an even number of --chains, at least 4, and at least 8 "
                           "--draws; or another --sampler");
    }
    if (s->reduced && s->problem.prior != LCC_PRIOR_GAUSSIAN) {
        return wrong_usage("certify: --reduced needs --prior gaussian");
    }
    return 0;
}

const char *certify_conclusion(int32_t conclusion)
{
    switch (conclusion) {
    case LCC_CONCLUSION_ALREADY_LOG_CONCAVE:
        return "already-log-concave";
    case LCC_CONCLUSION_PROVED:
        return "proved";
    case LCC_CONCLUSION_CONDITIONAL:
        return "conditional";
    case LCC_CONCLUSION_EMPIRICAL:
        return "empirical";
    case LCC_CONCLUSION_NOT_LOG_CONCAVE:
        return "not-log-concave";
    default:
        return "unknown";
    }
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
    if (code == 0) {
        code = single ? certify_run_f32(&s, data, result) : certify_run_f64(&s, data, result);
    }
    if (code != 0) {
        memset(result, 0, sizeof *result);
        result->conclusion = LCC_CONCLUSION_UNKNOWN;
        (void)snprintf(result->verdict, sizeof result->verdict,
                       "Not evaluated for %lu inputs: ask lcc certify.", (unsigned long)data->d);
    }
}

static void write_json(FILE *out, const certify_flags *flags, const certify_settings *s,
                       const dataset *data, const certify_result *r)
{
    json_writer json;
    size_t k;
    json_begin(&json, out, r->digits);
    json_text(&json, "posterior", flags->problem.posterior);
    json_text(&json, "activation", flags->problem.activation);
    json_text(&json, "prior", flags->problem.prior);
    json_number(&json, "scale", s->problem.scale);
    json_text(&json, "precision", flags->precision);
    json_count(&json, "n", data->n);
    json_count(&json, "d", data->d);
    json_text(&json, "coupling", flags->coupling);
    json_count(&json, "probes", r->probes);
    json_count(&json, "seed", s->seed);
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

static void print_report(const certify_flags *flags, const certify_settings *s,
                         const dataset *data, const certify_result *r)
{
    char name[WORDS];
    char status[WORDS];
    char equation[WORDS];
    size_t k;
    problem_print(&flags->problem, &s->problem, data, flags->precision);
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
static int run(const certify_flags *flags, const certify_settings *s, const dataset *data,
               outputs *files)
{
    certify_result result;
    FILE *json = NULL;
    int code = result_open(files, flags->json, &json);
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
        if (!result_takes_stdout(flags->json)) {
            print_report(flags, s, data, &result);
        }
        if (result.was_interrupted) {
            warn("stopped after %lu of %lu visited xi", (unsigned long)result.probes,
                 (unsigned long)s->probes);
            code = EXIT_INTERRUPTED;
        }
    }
    return code;
}

int certify_command(int argc, char **argv)
{
    certify_flags flags;
    certify_settings s;
    csv_table table;
    dataset data;
    outputs files;
    int code;
    if (args_want_help(argc, argv)) {
        fputs(usage_certify, stdout);
        return 0;
    }
    memset(&flags, 0, sizeof flags);
    flags.target = "y";
    flags.sampler = "auto";
    flags.coupling = "one-sided";
    flags.precision = "f64";
    memset(&s, 0, sizeof s);
    memset(&table, 0, sizeof table);
    memset(&data, 0, sizeof data);
    memset(&files, 0, sizeof files);
    problem_defaults(&flags.problem, &s.problem);
    s.chains = 8;
    s.warmup = 100;
    s.draws = 200;
    s.probes = 8;
    s.inner = 250;
    s.seed = 1;
    code = parse(&flags, &s, argc, argv);
    if (code == 0) {
        code = check(&flags, &s);
    }
    if (code == 0) {
        outputs_protect(&files, flags.data);
        code = csv_read(&table, flags.data);
    }
    if (code == 0) {
        code = dataset_take(&data, &table, flags.target, TARGET_NEEDED);
    }
    if (code == 0 && flags.single) {
        code = dataset_fits_single(&data);
    }
    if (code == 0) {
        code = run(&flags, &s, &data, &files);
    }
    outputs_discard(&files);
    dataset_free(&data);
    csv_free(&table);
    return code;
}
