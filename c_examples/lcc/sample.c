#include "sample.h"

#include "args.h"
#include "certify.h"
#include "cli.h"
#include "cmdstan.h"
#include "csv.h"
#include "files.h"
#include "json.h"
#include "names.h"
#include "platform.h"
#include "problem.h"
#include "result.h"
#include "usage.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_QUERIES = 20, FEW_FAMILIES = 10 };

static const uint32_t NOT_GIVEN = UINT32_MAX;

/* The flags as given. */
typedef struct {
    const char *data;
    const char *target;
    problem_flags problem;
    const char *sampler;
    const char *inner_sampler;
    const char *coupling;
    const char *precision;
    const char *query;
    const char *draws_csv;
    const char *json;
    const char *ladder;
    const char *reference;
    int single;
} sample_flags;

/* In the order of the LCC_REFERENCE_ codes. */
static const char *const references[] = {"prior", "gaussian", "student-t", "mixture", NULL};
static const char *const couplings[] = {"one-sided", "two-sided", "none", NULL};

static int parse(sample_flags *flags, sample_settings *s, checkpoint_file *checkpoint, int argc,
                 char **argv)
{
    const arg_option options[] = {
        {"--data", ARG_TEXT, &flags->data, 0, 0},
        {"--target", ARG_TEXT, &flags->target, 0, 0},
        PROBLEM_OPTIONS(&flags->problem, &s->problem),
        {"--sampler", ARG_TEXT, &flags->sampler, 0, 0},
        {"--inner-sampler", ARG_TEXT, &flags->inner_sampler, 0, 0},
        {"--coupling", ARG_TEXT, &flags->coupling, 0, 0},
        {"--reduced", ARG_SWITCH, &s->reduced, 0, 0},
        {"--chains", ARG_COUNT, &s->chains, 1, 4096},
        {"--warmup", ARG_COUNT, &s->warmup, 0, 1e9},
        {"--draws", ARG_COUNT, &s->draws, 1, 1e9},
        {"--particles", ARG_COUNT, &s->particles, 2, 1e8},
        {"--ladder", ARG_TEXT, &flags->ladder, 0, 0},
        {"--reference", ARG_TEXT, &flags->reference, 0, 0},
        {"--antithetic", ARG_SWITCH, &s->antithetic, 0, 0},
        {"--moves", ARG_COUNT, &s->moves, 1, 1e6},
        {"--seed", ARG_SEED, &s->seed, 0, 0},
        {"--threads", ARG_COUNT, &s->threads, 1, 1024},
        {"--precision", ARG_TEXT, &flags->precision, 0, 0},
        {"--query", ARG_TEXT, &flags->query, 0, 0},
        {"--draws-csv", ARG_TEXT, &flags->draws_csv, 0, 0},
        {"--checkpoint", ARG_TEXT, &checkpoint->path, 0, 0},
        {"--resume", ARG_SWITCH, &checkpoint->resume, 0, 0},
        {"--json", ARG_TEXT, &flags->json, 0, 0},
        {"--quiet", ARG_SWITCH, &s->quiet, 0, 0},
        {NULL, ARG_SWITCH, NULL, 0, 0},
    };
    int code = args_parse("sample", options, argc, argv);
    if (code == 0) {
        code = problem_names(&flags->problem, &s->problem);
    }
    if (code == 0) {
        code = names_sampler(flags->sampler, &s->method);
    }
    if (code == 0 && flags->inner_sampler != NULL) {
        code = names_inner_sampler(flags->inner_sampler, &s->inner_method);
    }
    if (code == 0) {
        code = names_choose("--coupling", flags->coupling, couplings, &s->coupling);
    }
    if (code == 0 && flags->reference != NULL) {
        code = names_choose("--reference", flags->reference, references, &s->reference);
    }
    if (code == 0) {
        code = names_precision(flags->precision, &flags->single);
    }
    return code;
}

/* Fills in what depends on the sampler. */
static void defaults(sample_settings *s)
{
    s->reason = "asked for";
    if (names_is_auto(s->method) && (s->chains < 2 || s->draws < 8)) {
        s->method = LCC_METHOD_SPLIT_HMC;
        s->reason = "auto judges chains: it needs 2, and 8 draws of each";
        warn("%s; split-hmc instead", s->reason);
    }
    if (s->warmup == NOT_GIVEN) {
        s->warmup = names_is_auto(s->method) ? 100 : 1000;
    }
}

/* What the single options cannot say. */
static int check(const sample_flags *flags, sample_settings *s)
{
    if (flags->data == NULL) {
        return wrong_usage("sample: --data is missing");
    }
    if (s->checkpoint->resume && s->checkpoint->path == NULL) {
        return wrong_usage("sample: --resume needs --checkpoint FILE");
    }
    if (s->checkpoint->path != NULL &&
        (strcmp(s->checkpoint->path, flags->data) == 0 ||
         (flags->query != NULL && strcmp(s->checkpoint->path, flags->query) == 0))) {
        return wrong_usage("%s: is read by this command and will not be overwritten",
                           s->checkpoint->path);
    }
    if (strcmp(flags->coupling, "none") == 0) {
        if (s->method == LCC_METHOD_GIBBS || s->method == LCC_METHOD_XI_LANGEVIN ||
            s->method == LCC_METHOD_REVERSE_DIFFUSION) {
            return wrong_usage("sample: %s works on a coupling: --coupling one-sided or two-sided",
                               names_sampler_name(s->method));
        }
        s->coupling = LCC_COUPLING_ONE_SIDED;
    }
    if (s->reduced && s->problem.prior != LCC_PRIOR_GAUSSIAN) {
        return wrong_usage("sample: --reduced needs --prior gaussian");
    }
    return 0;
}

/* Fills in what smc and tempering run on, and refuses it to the others. */
static int climb(const sample_flags *flags, sample_settings *s)
{
    int smc = names_is_smc(s->method);
    int chooses = names_is_auto(s->method) || names_is_tempering(s->method);
    if (s->threads > 1 && (smc || chooses)) {
        return wrong_usage("sample: --threads is of samplers that run chains apart, not of %s: name one "
                           "by --sampler",
                           flags->sampler);
    }
    if (chooses && (flags->reference != NULL || s->antithetic)) {
        return wrong_usage("sample: --reference and --antithetic are not of %s", flags->sampler);
    }
    if (smc && s->reference > LCC_REFERENCE_GAUSSIAN) {
        return wrong_usage("sample: smc moves about --reference prior or gaussian, not %s",
                           flags->reference);
    }
    if (smc && s->antithetic) {
        return wrong_usage("sample: --antithetic is of chains, not of smc");
    }
    if (!smc && !names_is_tempering(s->method)) {
        if (flags->ladder != NULL || s->moves != 0) {
            return wrong_usage("sample: --ladder and --moves are of smc and tempering, not of %s",
                               flags->sampler);
        }
        if (s->particles != 0 && s->reference == LCC_REFERENCE_PRIOR) {
            return wrong_usage("sample: --particles are of smc and tempering, and of chains with a "
                               "fitted --reference, not of %s",
                               flags->sampler);
        }
        if (s->reference == LCC_REFERENCE_PRIOR) {
            return 0;
        }
        /* What the reference is fitted to. */
        s->particles = s->particles == 0 ? 512 : s->particles;
        s->moves = 2;
        return ladder_parse(NULL, &s->ladder);
    }
    if (flags->ladder != NULL && strlen(flags->ladder) > 2000) {
        return wrong_usage("--ladder: longer than 2000 characters");
    }
    if (s->particles == 0) {
        s->particles = smc ? 1024 : 256;
    }
    if (s->moves == 0) {
        s->moves = smc ? 2 : 1;
    }
    if (smc) {
        /* The particles are reported as the draws of one chain. */
        s->chains = 1;
        s->warmup = 0;
        s->draws = s->particles;
    }
    return ladder_parse(flags->ladder, &s->ladder);
}

/* Everything that decides the draws, one line each: a checkpoint belongs to these. */
static void describe(const sample_flags *flags, sample_settings *s, const dataset *data)
{
    const problem_flags *names = &flags->problem;
    const problem_settings *p = &s->problem;
    int used = snprintf(s->checkpoint->settings, sizeof s->checkpoint->settings,
                   "precision %s\nposterior %s\nactivation %s\nprior %s\nscale %.17g\n"
                   "alpha %.17g\nneurons %" PRIu32 "\nouter %.17g\nbeta %.17g\nsigns %s\n"
                   "sampler %s%s%s\ncoupling %s%s\nchains %s%" PRIu32 "\nwarmup %" PRIu32
                   "\ndraws %" PRIu32 "\nseed %" PRIu64 "\nrows %lu\ninputs %lu\n",
                   flags->precision, names->posterior, names->activation, names->prior, p->scale,
                   p->alpha, p->neurons, p->outer, p->beta, names->signs,
                   names_sampler_name(s->method), flags->inner_sampler == NULL ? "" : " of ",
                   flags->inner_sampler == NULL ? "" : flags->inner_sampler, flags->coupling,
                   s->reduced ? " reduced" : "", s->antithetic ? "pairs " : "", s->chains, s->warmup, s->draws,
                   s->seed, (unsigned long)data->n, (unsigned long)data->d);
    if (s->particles != 0 && used > 0 && (size_t)used < sizeof s->checkpoint->settings) {
        (void)snprintf(s->checkpoint->settings + used, sizeof s->checkpoint->settings - (size_t)used,
                       "particles %" PRIu32 "\nmoves %" PRIu32 "\nladder %s\nreference %s\n",
                       s->particles, s->moves, flags->ladder == NULL ? "adaptive" : flags->ladder,
                       references[s->reference]);
    }
}

static void write_json(FILE *out, const sample_flags *flags, const sample_settings *s,
                       const dataset *data, const sample_result *r,
                       const certify_result *certified)
{
    json_writer json;
    json_begin(&json, out, r->digits);
    json_text(&json, "posterior", flags->problem.posterior);
    json_text(&json, "sampler", r->sampler);
    json_text(&json, "sampler_reason", r->reason);
    json_text(&json, "precision", flags->precision);
    json_count(&json, "n", data->n);
    json_count(&json, "d", data->d);
    json_count(&json, "chains", r->chains);
    json_count(&json, "draws", r->draws);
    json_count(&json, "seed", s->seed);
    json_number(&json, "seconds_warmup", r->seconds_warmup);
    json_number(&json, "seconds_sampling", r->seconds_sampling);
    json_count(&json, "gradients", r->gradients);
    json_number(&json, "acceptance", r->acceptance);
    json_count(&json, "divergences", r->divergences);
    json_number(&json, "rhat_max", r->rhat_max);
    json_number(&json, "ess_bulk_min", r->ess_bulk_min);
    json_number(&json, "ess_tail_min", r->ess_tail_min);
    json_numbers(&json, "expectation", r->expectation, r->queries);
    json_numbers(&json, "mcse", r->mcse, r->queries);
    json_numbers(&json, "variance", r->variance, r->dim);
    json_numbers(&json, "mean", r->mean, r->dim);
    json_number(&json, "log_evidence", r->log_evidence);
    json_number(&json, "log_evidence_standard_error", r->log_evidence_error);
    if (names_is_smc(s->method)) {
        json_count(&json, "families", r->families);
    }
    if (names_is_tempering(s->method)) {
        json_count(&json, "restarts_min", r->restarts);
        json_number(&json, "swap_min", r->swap);
    }
    if (r->stages > 0) {
        json_numbers(&json, "ladder", r->temperatures, r->stages);
    }
    certify_write_object(&json, "certificate", certified);
    json_end(&json);
}

static void print_report(const sample_flags *flags, const sample_settings *s, const dataset *data,
                         const sample_result *r)
{
    int joint = s->problem.posterior == LCC_POSTERIOR_JOINT;
    size_t i;
    problem_print(&flags->problem, &s->problem, data, flags->precision);
    printf("sampler     %s (%s)\n", r->sampler, r->reason);
    if (r->families > 0) {
        printf("draws       %lu particles of %" PRIu64 " families, seed %" PRIu64 "\n",
               (unsigned long)r->draws, r->families, s->seed);
    } else {
        printf("draws       %lu chains of %lu after %" PRIu32 " of warm-up, seed %" PRIu64 "\n",
               (unsigned long)r->chains, (unsigned long)r->draws, s->warmup, s->seed);
    }
    if (names_is_smc(s->method)) {
        printf("acceptance  %.3f at the last of %lu temperatures\n", r->acceptance,
               (unsigned long)r->stages);
    } else if (r->families == 0) {
        printf("acceptance  %.3f, ", r->acceptance);
        if (names_is_tempering(s->method)) {
            printf("of swaps between %lu temperatures %.3f at least; %" PRIu32
                   " restarts of every chain\n",
                   (unsigned long)r->stages, r->swap, r->restarts);
        } else {
            printf("%" PRIu64 " divergences\n", r->divergences);
        }
        printf("R-hat       %.4f at worst; ESS %.0f (bulk), %.0f (tail) at least\n", r->rhat_max,
               r->ess_bulk_min, r->ess_tail_min);
    }
    if (isfinite(r->log_evidence)) {
        printf("evidence    log %.4f +- %.4f\n", r->log_evidence, r->log_evidence_error);
    }
    printf("cost        %" PRIu64 " gradients, %.2f s of warm-up, %.2f s of sampling\n\n",
           r->gradients, r->seconds_warmup, r->seconds_sampling);
    printf("%s at the queries\n  row          mean         mcse\n",
           joint ? "f(x)" : "psi(x.w)");
    for (i = 0; i < r->queries; i++) {
        printf("  %3lu  %12.6f  %11.6f\n", (unsigned long)i + 1, r->expectation[i], r->mcse[i]);
    }
    if (!joint) {
        printf("\nweights\n    j          mean           sd\n");
        for (i = 0; i < r->dim; i++) {
            printf("  %3lu  %12.6f  %11.6f\n", (unsigned long)i + 1, r->mean[i],
                   sqrt(r->variance[i]));
        }
    }
}

/* Runs, and writes all results or none. */
static int run(const sample_flags *flags, const sample_settings *s, const dataset *data,
               const dataset *queries, outputs *files)
{
    sample_result result;
    certify_result certified;
    FILE *json = NULL;
    FILE **draws = NULL;
    int code = result_open(files, flags->json, &json);
    if (code == 0) {
        code = cmdstan_open(files, flags->draws_csv, s->chains, &draws);
    }
    if (code != 0) {
        free(draws);
        return code;
    }
    interrupts_catch();
    code = flags->single ? sample_run_f32(s, data, queries, draws, &result)
                         : sample_run_f64(s, data, queries, draws, &result);
    free(draws);
    if (code == 0 && result.was_interrupted && result.draws == 0) {
        warn("stopped during warm-up: there are no draws to report");
        sample_result_free(&result);
        return EXIT_INTERRUPTED;
    }
    if (code == 0) {
        if (json != NULL) {
            /* What is proved of the posterior that is sampled, draws apart. */
            certify_quick(&s->problem, data, flags->single, &certified);
            write_json(json, flags, s, data, &result, &certified);
        }
        code = outputs_publish(files);
    }
    if (code == 0) {
        if (!result_takes_stdout(flags->json)) {
            print_report(flags, s, data, &result);
        }
        if (names_is_smc(s->method) && result.families < FEW_FAMILIES) {
            warn("the particles descend from %" PRIu64 " draws of the prior: too few to trust these "
                 "numbers; take more --particles",
                 result.families);
        }
        if (result.unreliable) {
            warn("nothing mixes on this posterior: do not trust these numbers");
        } else if (result.rhat_max > (names_is_auto(s->method) ? 1.05 : 1.01)) {
            warn("the chains disagree: R-hat %.3f; do not trust these numbers", result.rhat_max);
        }
        if (result.was_interrupted) {
            warn("stopped after %lu of %" PRIu32 " draws", (unsigned long)result.draws, s->draws);
            code = EXIT_INTERRUPTED;
        }
    }
    sample_result_free(&result);
    return code;
}

static int with_queries(const sample_flags *flags, const sample_settings *s, const dataset *data,
                        outputs *files)
{
    size_t first[DEFAULT_QUERIES];
    size_t count = data->n < DEFAULT_QUERIES ? data->n : DEFAULT_QUERIES;
    csv_table table;
    dataset queries;
    size_t i;
    int code;
    memset(&table, 0, sizeof table);
    memset(&queries, 0, sizeof queries);
    if (flags->query == NULL) {
        for (i = 0; i < count; i++) {
            first[i] = i;
        }
        code = dataset_rows(&queries, data, first, count);
    } else {
        code = csv_read(&table, flags->query);
        if (code == 0) {
            code = dataset_take(&queries, &table, flags->target, TARGET_OPTIONAL);
        }
        if (code == 0) {
            code = dataset_same_inputs(data, &queries);
        }
        if (code == 0 && flags->single) {
            code = dataset_fits_single(&queries);
        }
    }
    if (code == 0) {
        code = run(flags, s, data, &queries, files);
    }
    dataset_free(&queries);
    csv_free(&table);
    return code;
}

int sample_command(int argc, char **argv)
{
    sample_flags flags;
    checkpoint_file checkpoint;
    sample_settings s;
    csv_table table;
    dataset data;
    outputs files;
    int code;
    if (args_want_help(argc, argv)) {
        fputs(usage_sample, stdout);
        return 0;
    }
    memset(&flags, 0, sizeof flags);
    flags.target = "y";
    flags.sampler = "auto";
    flags.coupling = "one-sided";
    flags.precision = "f64";
    memset(&checkpoint, 0, sizeof checkpoint);
    memset(&s, 0, sizeof s);
    memset(&table, 0, sizeof table);
    memset(&data, 0, sizeof data);
    memset(&files, 0, sizeof files);
    problem_defaults(&flags.problem, &s.problem);
    s.chains = 8;
    s.warmup = NOT_GIVEN;
    s.draws = 1000;
    s.seed = 1;
    s.threads = 1;
    s.checkpoint = &checkpoint;
    code = parse(&flags, &s, &checkpoint, argc, argv);
    if (code == 0) {
        defaults(&s);
        code = check(&flags, &s);
    }
    if (code == 0) {
        code = climb(&flags, &s);
    }
    if (code == 0) {
        outputs_protect(&files, flags.data);
        outputs_protect(&files, flags.query);
        outputs_protect(&files, checkpoint.path);
        code = csv_read(&table, flags.data);
    }
    if (code == 0) {
        code = dataset_take(&data, &table, flags.target, TARGET_NEEDED);
    }
    if (code == 0 && flags.single) {
        code = dataset_fits_single(&data);
    }
    if (code == 0) {
        describe(&flags, &s, &data);
        code = with_queries(&flags, &s, &data, &files);
    }
    outputs_discard(&files);
    dataset_free(&data);
    csv_free(&table);
    ladder_free(&s.ladder);
    return code;
}
