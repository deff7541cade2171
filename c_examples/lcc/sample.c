#include "sample.h"

#include "args.h"
#include "certify.h"
#include "cli.h"
#include "cmdstan.h"
#include "files.h"
#include "json.h"
#include "names.h"
#include "platform.h"
#include "problem.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_QUERIES = 20, FEW_FAMILIES = 10 };

static const uint32_t NOT_GIVEN = UINT32_MAX;

/* The flags as given. */
typedef struct {
    problem_flags problem;
    const char *inner_sampler;
    const char *query;
    const char *draws_csv;
    const char *ladder;
    const char *reference;
} sample_flags;

/* In the order of the LCC_REFERENCE_ codes. */
static const char *const references[] = {"prior", "gaussian", "student-t", "mixture", NULL};
static const char *const couplings[] = {"one-sided", "two-sided", "none", NULL};

static int parse(sample_flags *flags, sample_settings *s, checkpoint_file *checkpoint, int argc,
                 char **argv)
{
    const arg_option options[] = {
        PROBLEM_OPTIONS(&flags->problem, &s->problem),
        {"--inner-sampler", ARG_TEXT, &flags->inner_sampler, 0, 0},
        {"--inner", ARG_COUNT, &s->coupled.inner, 1, 1e6},
        {"--fresh", ARG_SWITCH, &s->coupled.fresh, 0, 0},
        {"--burn-in", ARG_COUNT, &s->coupled.burn_in, 0, 1e6},
        {"--langevin-step", ARG_REAL, &s->coupled.langevin_step, 0, 2.0000001},
        {"--levels", ARG_COUNT, &s->coupled.levels, 1, 1000},
        {"--diffusion-time", ARG_REAL, &s->coupled.diffusion_time, 0, 4.0000001},
        {"--particles", ARG_COUNT, &s->particles, 2, 1e8},
        {"--ladder", ARG_TEXT, &flags->ladder, 0, 0},
        {"--reference", ARG_TEXT, &flags->reference, 0, 0},
        {"--antithetic", ARG_SWITCH, &s->antithetic, 0, 0},
        {"--moves", ARG_COUNT, &s->moves, 1, 1e6},
        {"--threads", ARG_COUNT, &s->threads, 1, 1024},
        {"--query", ARG_TEXT, &flags->query, 0, 0},
        {"--draws-csv", ARG_TEXT, &flags->draws_csv, 0, 0},
        {"--checkpoint", ARG_TEXT, &checkpoint->path, 0, 0},
        {"--resume", ARG_SWITCH, &checkpoint->resume, 0, 0},
        {NULL, ARG_SWITCH, NULL, 0, 0},
    };
    int code = args_parse("sample", options, argc, argv);
    THEN(code, problem_names(&flags->problem, couplings, &s->problem));
    if (code == 0 && flags->inner_sampler != NULL) {
        code = names_inner_sampler(flags->inner_sampler, &s->inner_method);
    }
    if (code == 0 && flags->reference != NULL) {
        code = names_choose("--reference", flags->reference, references, &s->reference);
    }
    return code;
}

/* Fills in what depends on the sampler. */
static void defaults(sample_settings *s)
{
    problem_settings *p = &s->problem;
    s->reason = "asked for";
    if (names_kind(p->method) == KIND_AUTO && (p->chains < 2 || p->draws < 8)) {
        p->method = LCC_METHOD_SPLIT_HMC;
        s->reason = "auto judges chains: it needs 2, and 8 draws of each";
        warn("%s; split-hmc instead", s->reason);
    }
    if (p->warmup == NOT_GIVEN) {
        p->warmup = names_kind(p->method) == KIND_AUTO ? 100 : 1000;
    }
}

/* Refuses what the sampler would pass over. */
static int check_coupled(const sample_flags *flags, const sample_settings *s)
{
    const coupled_settings *c = &s->coupled;
    const char *sampler = flags->problem.sampler;
    int32_t method = s->problem.method;
    int diffuses =
        method == LCC_METHOD_REVERSE_DIFFUSION || method == LCC_METHOD_DIFFUSION_FROM_NOISE;
    int langevin = method == LCC_METHOD_XI_LANGEVIN || method == LCC_METHOD_XI_MALA;
    int averages = langevin || diffuses;
    if (c->inner != 0 && !averages && method != LCC_METHOD_GIBBS) {
        return wrong_usage("sample: --inner is of gibbs, xi-langevin, xi-mala and reverse-diffusion, "
                           "not of %s",
                           sampler);
    }
    if ((c->fresh || c->burn_in != NOT_GIVEN) && !averages) {
        return wrong_usage("sample: --fresh and --burn-in are of xi-langevin, xi-mala and "
                           "reverse-diffusion, not of %s",
                           sampler);
    }
    if (c->burn_in != NOT_GIVEN && !c->fresh) {
        return wrong_usage("sample: --burn-in is of inner chains that start --fresh");
    }
    if (c->langevin_step != 0.0 && !langevin && method != LCC_METHOD_LANGEVIN) {
        return wrong_usage("sample: --langevin-step is of xi-langevin, xi-mala and langevin, not of %s",
                           sampler);
    }
    if (c->langevin_step > 2.0 || c->diffusion_time > 4.0) {
        return wrong_usage("sample: --langevin-step must be at most 2, --diffusion-time at most 4");
    }
    if ((c->levels != 0 || c->diffusion_time != 0.0) && !diffuses) {
        return wrong_usage("sample: --levels and --diffusion-time are of reverse-diffusion, not of %s",
                           sampler);
    }
    return 0;
}

/* What the single options cannot say. */
static int check(const sample_flags *flags, sample_settings *s)
{
    problem_settings *p = &s->problem;
    const char *data = flags->problem.data;
    if (data == NULL) {
        return wrong_usage("sample: --data is missing");
    }
    if (s->checkpoint->resume && s->checkpoint->path == NULL) {
        return wrong_usage("sample: --resume needs --checkpoint FILE");
    }
    if (s->checkpoint->path != NULL &&
        (strcmp(s->checkpoint->path, data) == 0 ||
         (flags->query != NULL && strcmp(s->checkpoint->path, flags->query) == 0))) {
        return wrong_usage("%s: is read by this command and will not be overwritten",
                           s->checkpoint->path);
    }
    if (strcmp(flags->problem.coupling, "none") == 0) {
        if (p->method == LCC_METHOD_GIBBS || p->method == LCC_METHOD_XI_LANGEVIN ||
            p->method == LCC_METHOD_XI_MALA || p->method == LCC_METHOD_REVERSE_DIFFUSION ||
            p->method == LCC_METHOD_DIFFUSION_FROM_NOISE) {
            return wrong_usage("sample: %s works on a coupling: --coupling one-sided or two-sided",
                               names_sampler_name(p->method));
        }
        p->coupling = LCC_COUPLING_ONE_SIDED;
    }
    if (p->reduced && p->prior != LCC_PRIOR_GAUSSIAN) {
        return wrong_usage("sample: --reduced needs --prior gaussian");
    }
    return check_coupled(flags, s);
}

/* Fills in what smc and tempering run on, and refuses it to the others. */
static int climb(const sample_flags *flags, sample_settings *s)
{
    problem_settings *p = &s->problem;
    const char *sampler = flags->problem.sampler;
    sampler_kind kind = names_kind(p->method);
    int smc = kind == KIND_SMC;
    int chooses = kind == KIND_AUTO || kind == KIND_TEMPERING;
    if (s->threads > 1 && (smc || chooses)) {
        return wrong_usage("sample: --threads is of samplers that run chains apart, not of %s: name one "
                           "by --sampler",
                           sampler);
    }
    if (chooses && (flags->reference != NULL || s->antithetic)) {
        return wrong_usage("sample: --reference and --antithetic are not of %s", sampler);
    }
    if (smc && s->reference > LCC_REFERENCE_GAUSSIAN) {
        return wrong_usage("sample: smc moves about --reference prior or gaussian, not %s",
                           flags->reference);
    }
    if (smc && s->antithetic) {
        return wrong_usage("sample: --antithetic is of chains, not of smc");
    }
    if (!smc && kind != KIND_TEMPERING) {
        if (flags->ladder != NULL || s->moves != 0) {
            return wrong_usage("sample: --ladder and --moves are of smc and tempering, not of %s",
                               sampler);
        }
        if (s->particles != 0 && s->reference == LCC_REFERENCE_PRIOR) {
            return wrong_usage("sample: --particles are of smc and tempering, and of chains with a "
                               "fitted --reference, not of %s",
                               sampler);
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
    if (!smc && flags->ladder != NULL && strncmp(flags->ladder, "rows", 4) == 0) {
        return wrong_usage("sample: --ladder rows is of smc: chains are tempered, not predicted");
    }
    if (!smc && flags->ladder != NULL && strncmp(flags->ladder, "cooling", 7) == 0) {
        return wrong_usage("sample: --ladder cooling is of smc: chains are tempered");
    }
    if (smc) {
        /* The particles are reported as the draws of one chain. */
        p->chains = 1;
        p->warmup = 0;
        p->draws = s->particles;
    }
    return ladder_parse(flags->ladder, &s->ladder);
}

/* Of what a method on xi was given; nothing where nothing was. */
static void describe_coupled(const coupled_settings *c, checkpoint_file *checkpoint)
{
    size_t used = strlen(checkpoint->settings);
    int given = c->inner != 0 || c->fresh || c->langevin_step != 0.0 || c->levels != 0 ||
                c->diffusion_time != 0.0;
    if (given) {
        (void)snprintf(checkpoint->settings + used, sizeof checkpoint->settings - used,
                       "inner %" PRIu32 "\nfresh %d\nburn-in %" PRIu32
                       "\nstep %.17g\nlevels %" PRIu32 "\ntime %.17g\n",
                       c->inner, c->fresh, c->burn_in, c->langevin_step, c->levels,
                       c->diffusion_time);
    }
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
                   names->precision, names->posterior, names->activation, names->prior, p->scale,
                   p->alpha, p->neurons, p->outer, p->beta, names->signs,
                   names_sampler_name(p->method), flags->inner_sampler == NULL ? "" : " of ",
                   flags->inner_sampler == NULL ? "" : flags->inner_sampler, names->coupling,
                   p->reduced ? " reduced" : "", s->antithetic ? "pairs " : "", p->chains,
                   p->warmup, p->draws, p->seed, (unsigned long)data->n, (unsigned long)data->d);
    if (s->particles != 0 && used > 0 && (size_t)used < sizeof s->checkpoint->settings) {
        (void)snprintf(s->checkpoint->settings + used, sizeof s->checkpoint->settings - (size_t)used,
                       "particles %" PRIu32 "\nmoves %" PRIu32 "\nladder %s\nreference %s\n",
                       s->particles, s->moves, flags->ladder == NULL ? "adaptive" : flags->ladder,
                       references[s->reference]);
    }
    describe_coupled(&s->coupled, s->checkpoint);
}

static void write_json(FILE *out, const sample_flags *flags, const sample_settings *s,
                       const dataset *data, const sample_result *r,
                       const certify_result *certified)
{
    sampler_kind kind = names_kind(s->problem.method);
    json_writer json;
    json_begin(&json, out, r->digits);
    json_text(&json, "posterior", flags->problem.posterior);
    json_text(&json, "sampler", r->sampler);
    json_text(&json, "sampler_reason", r->reason);
    json_text(&json, "precision", flags->problem.precision);
    json_count(&json, "n", data->n);
    json_count(&json, "d", data->d);
    json_count(&json, "chains", r->chains);
    json_count(&json, "draws", r->draws);
    json_count(&json, "seed", s->problem.seed);
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
    if (kind == KIND_SMC) {
        json_count(&json, "families", r->families);
    }
    if (kind == KIND_TEMPERING) {
        json_count(&json, "restarts_min", r->restarts);
        json_number(&json, "swap_min", r->swap);
    }
    if (r->stages > 0) {
        json_numbers(&json, "ladder", r->temperatures, r->stages);
    }
    online_write(&json, &s->problem, &r->online, data);
    certify_write_object(&json, "certificate", certified);
    json_end(&json);
}

static void print_report(const sample_flags *flags, const sample_settings *s, const dataset *data,
                         const sample_result *r)
{
    sampler_kind kind = names_kind(s->problem.method);
    int joint = s->problem.posterior == LCC_POSTERIOR_JOINT;
    size_t i;
    problem_print(&flags->problem, &s->problem, data);
    printf("sampler     %s (%s)\n", r->sampler, r->reason);
    if (r->families > 0) {
        printf("draws       %lu particles of %" PRIu64 " families, seed %" PRIu64 "\n",
               (unsigned long)r->draws, r->families, s->problem.seed);
    } else {
        printf("draws       %lu chains of %lu after %" PRIu32 " of warm-up, seed %" PRIu64 "\n",
               (unsigned long)r->chains, (unsigned long)r->draws, s->problem.warmup,
               s->problem.seed);
    }
    if (kind == KIND_SMC) {
        printf("acceptance  %.3f at the last of %lu temperatures\n", r->acceptance,
               (unsigned long)r->stages);
    } else if (r->families == 0) {
        printf("acceptance  %.3f, ", r->acceptance);
        if (kind == KIND_TEMPERING) {
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
    online_print(&s->problem, &r->online, data);
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
    sampler_kind kind = names_kind(s->problem.method);
    int code = outputs_add(files, flags->problem.json, &json);
    THEN(code, cmdstan_open(files, flags->draws_csv, s->problem.chains, &draws));
    if (code != 0) {
        free(draws);
        return code;
    }
    interrupts_catch();
    code = flags->problem.single ? sample_run_f32(s, data, queries, draws, &result)
                         : sample_run_f64(s, data, queries, draws, &result);
    free(draws);
    THEN(code, online_compare(&s->problem, data, &result.online));
    if (code == 0 && result.was_interrupted && result.draws == 0) {
        warn("stopped during warm-up: there are no draws to report");
        sample_result_free(&result);
        return EXIT_INTERRUPTED;
    }
    if (code == 0) {
        if (json != NULL) {
            /* What is proved of the posterior that is sampled, draws apart. */
            certify_quick(&s->problem, data, flags->problem.single, &certified);
            write_json(json, flags, s, data, &result, &certified);
        }
        code = outputs_publish(files);
    }
    if (code == 0) {
        if (!files->to_stdout) {
            print_report(flags, s, data, &result);
        }
        if (kind == KIND_SMC && result.families < FEW_FAMILIES) {
            warn("the particles descend from %" PRIu64 " draws of the prior: too few to trust these "
                 "numbers; take more --particles",
                 result.families);
        }
        if (result.unreliable) {
            warn("nothing mixes on this posterior: do not trust these numbers");
        } else {
            (void)warn_of_rhat(result.rhat_max, "the chains disagree",
                               "do not trust these numbers: more --warmup and --draws may help, or "
                               "--sampler auto, smc or tempering, which cross between modes");
        }
        if (result.was_interrupted) {
            warn("stopped after %lu of %" PRIu32 " draws", (unsigned long)result.draws,
                 s->problem.draws);
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
    row_file queries;
    size_t i;
    int code;
    memset(&queries, 0, sizeof queries);
    for (i = 0; i < count; i++) {
        first[i] = i;
    }
    code = flags->query == NULL ? dataset_rows(&queries.rows, data, first, count)
                                : row_file_read(&queries, flags->query, flags->problem.delimiter,
                                                flags->problem.target, TARGET_OPTIONAL, data,
                                                flags->problem.single);
    THEN(code, run(flags, s, data, &queries.rows, files));
    row_file_free(&queries);
    return code;
}

int sample_command(int argc, char **argv)
{
    sample_flags flags;
    checkpoint_file checkpoint;
    sample_settings s;
    row_file data;
    outputs files;
    int code;
    memset(&flags, 0, sizeof flags);
    memset(&checkpoint, 0, sizeof checkpoint);
    memset(&s, 0, sizeof s);
    memset(&data, 0, sizeof data);
    memset(&files, 0, sizeof files);
    problem_defaults(&flags.problem, &s.problem);
    s.problem.warmup = NOT_GIVEN;
    s.problem.draws = 1000;
    s.coupled.burn_in = NOT_GIVEN;
    s.checkpoint = &checkpoint;
    code = parse(&flags, &s, &checkpoint, argc, argv);
    if (code == 0) {
        defaults(&s);
        code = check(&flags, &s);
    }
    THEN(code, climb(&flags, &s));
    if (code == 0) {
        outputs_protect(&files, flags.problem.data);
        outputs_protect(&files, flags.query);
        outputs_protect(&files, checkpoint.path);
        code = row_file_read(&data, flags.problem.data, flags.problem.delimiter, flags.problem.target,
                             TARGET_NEEDED, NULL, flags.problem.single);
    }
    if (code == 0) {
        describe(&flags, &s, &data.rows);
        code = with_queries(&flags, &s, &data.rows, &files);
    }
    outputs_discard(&files);
    row_file_free(&data);
    ladder_free(&s.ladder);
    return code;
}
