/*
 * Samples a Stan program: a shared library as BridgeStan builds them of it is loaded, its log density and gradient on the
 * unconstrained space are what is sampled, and what is told are its constrained parameters, transformed parameters and
 * generated quantities.
 *
 *     bridgestan MODEL_model.so [DATA.json [SEED]]
 *
 * The functions are those of BridgeStan 2 (bridgestan.h), looked up by name: neither this nor LCC needs it.
 */
#include <lcc.h>

#include <dlfcn.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct bs_model bs_model;
typedef struct bs_rng bs_rng;

/* The library, and room for one gradient. */
typedef struct {
    bs_model *(*construct)(const char *data, unsigned int seed, char **error);
    void (*destruct)(bs_model *);
    void (*free_error)(char *);
    const char *(*name)(const bs_model *);
    const char *(*param_names)(const bs_model *, bool tp, bool gq);
    int (*param_num)(const bs_model *, bool tp, bool gq);
    int (*param_unc_num)(const bs_model *);
    int (*constrain)(const bs_model *, bool tp, bool gq, const double *x, double *y, bs_rng *, char **error);
    int (*gradient)(const bs_model *, bool propto, bool jacobian, const double *x, double *value,
                    double *gradient, char **error);
    bs_rng *(*rng_construct)(unsigned int seed, char **error);
    void (*rng_destruct)(bs_rng *);
    bs_model *model;
    bs_rng *rng;
    double *spare;
} stan;

static void fail(const char *what, const char *why)
{
    fprintf(stderr, "bridgestan: %s: %s\n", what, why == NULL ? "failed" : why);
    exit(EXIT_FAILURE);
}

static int32_t check(int32_t status, const char *what)
{
    if (status < 0) {
        fail(what, lcc_status_message(status));
    }
    return status;
}

static void *room(size_t bytes)
{
    void *memory = malloc(bytes == 0 ? 1 : bytes); /* aligned to 16 on 64-bit systems */
    if (memory == NULL) {
        fail("memory", "there is none");
    }
    return memory;
}

/* Functions and data have pointers of one kind wherever there is dlsym. */
static void look_up(void *library, const char *name, void *function)
{
    void *found = dlsym(library, name);
    if (found == NULL) {
        fail(name, "is not in the library: was it built by BridgeStan 2?");
    }
    memcpy(function, &found, sizeof found);
}

static void open_model(stan *s, const char *path, const char *data, unsigned int seed)
{
    char *error = NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        fail(path, dlerror());
    }
    look_up(library, "bs_model_construct", &s->construct);
    look_up(library, "bs_model_destruct", &s->destruct);
    look_up(library, "bs_free_error_msg", &s->free_error);
    look_up(library, "bs_name", &s->name);
    look_up(library, "bs_param_names", &s->param_names);
    look_up(library, "bs_param_num", &s->param_num);
    look_up(library, "bs_param_unc_num", &s->param_unc_num);
    look_up(library, "bs_param_constrain", &s->constrain);
    look_up(library, "bs_log_density_gradient", &s->gradient);
    look_up(library, "bs_rng_construct", &s->rng_construct);
    look_up(library, "bs_rng_destruct", &s->rng_destruct);
    s->model = s->construct(data, seed, &error);
    if (s->model == NULL) {
        fail("the model", error);
    }
    s->rng = s->rng_construct(seed, &error);
    if (s->rng == NULL) {
        fail("random numbers", error);
    }
}

/* log p(x) with the Jacobian. What the Stan program rejects is outside the support. */
static int density(size_t n, const double *x, double *grad, double *logp, void *ctx)
{
    const stan *s = (const stan *)ctx;
    char *error = NULL;
    int code = s->gradient(s->model, true, true, x, logp, grad == NULL ? s->spare : grad, &error);
    (void)n;
    if (error != NULL) {
        s->free_error(error);
    }
    return code != 0 || !isfinite(*logp);
}

/* Mean, error, sd and quantiles of each element, by name. */
static void report(const stan *s, const lcc_auto_f64 *run, size_t dim)
{
    const size_t elements = (size_t)s->param_num(s->model, true, true);
    const char *name = s->param_names(s->model, true, true);
    lcc_draws_f64 shape, values;
    double *x = room(dim * sizeof *x), *y = room(elements * sizeof *y), *all, *spare;
    double quantile[3], ess;
    static const double p[3] = {0.05, 0.5, 0.95};
    lcc_average_f64 average;
    size_t total, bytes, c, t, j, k;
    check(lcc_read_draws_f64(run, 0, &shape), "draws");
    total = shape.chains * shape.draws;
    check(lcc_draws_scratch_f64(shape.chains, shape.draws, &bytes), "draws");
    all = room(elements * total * sizeof *all);
    spare = room(bytes);
    for (c = 0; c < shape.chains; c++) {
        for (t = 0; t < shape.draws; t++) {
            char *error = NULL;
            for (j = 0; j < dim; j++) {
                check(lcc_read_draws_f64(run, j, &shape), "draws");
                x[j] = shape.data[c * shape.chain_stride + t * shape.draw_stride];
            }
            if (s->constrain(s->model, true, true, x, y, s->rng, &error) != 0) {
                fail("constrained parameters", error);
            }
            for (k = 0; k < elements; k++) {
                all[k * total + c * shape.draws + t] = y[k];
            }
        }
    }
    printf("%-20s %12s %10s %12s %12s %12s %12s\n", "parameter", "mean", "error", "sd", "5%", "50%", "95%");
    for (k = 0; k < elements; k++) {
        const size_t length = strcspn(name, ",");
        values.data = all + k * total;
        values.chains = shape.chains, values.draws = shape.draws;
        values.chain_stride = shape.draws, values.draw_stride = 1;
        check(lcc_auto_average_f64(run, &values, spare, 2 * total, &average), "average");
        for (j = 0; j < 3; j++) {
            check(lcc_draws_quantile_f64(&values, p[j], (uint8_t *)spare, bytes, &quantile[j], &ess), "quantile");
        }
        printf("%-20.*s %12.6g %10.2g %12.6g %12.6g %12.6g %12.6g\n", (int)length, name, average.mean,
               average.standard_error, sqrt(average.variance), quantile[0], quantile[1], quantile[2]);
        name += name[length] == ',' ? length + 1 : length;
    }
    free(spare), free(all), free(y), free(x);
}

int main(int argc, char **argv)
{
    stan s;
    lcc_problem_f64 problem;
    lcc_auto_options_f64 options;
    lcc_gradient_check_f64 seen;
    lcc_auto_f64 *run;
    char text[512];
    void *memory, *scratch;
    size_t bytes, length;
    unsigned long seed = 1;
    if (argc < 2 || argc > 4 || (argc == 4 && sscanf(argv[3], "%lu", &seed) != 1)) {
        fprintf(stderr, "bridgestan MODEL_model.so [DATA.json [SEED]]\n");
        return 2;
    }
    open_model(&s, argv[1], argc > 2 ? argv[2] : "", (unsigned int)seed);

    check(lcc_problem_default_f64(&problem, 1), "problem");
    problem.posterior = LCC_POSTERIOR_USER;
    problem.density = density;
    problem.context = &s;
    problem.dim = (size_t)s.param_unc_num(s.model);
    s.spare = room(problem.dim * sizeof *s.spare);
    check(lcc_problem_scratch_f64(&problem, NULL, &bytes), s.name(s.model));
    scratch = room(bytes);
    check(lcc_density_check_f64(&problem, NULL, 4, seed, scratch, bytes, &seen), "gradient");
    printf("%s: %lu unconstrained parameters; gradient wrong at %lu of %lu\n", s.name(s.model),
           (unsigned long)problem.dim, (unsigned long)seen.wrong,
           (unsigned long)(problem.dim * (seen.points - seen.outside)));

    check(lcc_auto_options_default_f64(&options), "options");
    options.seed = seed;
    options.lanes = 1; /* the callback is for one chain at a time */
    check(lcc_auto_size_f64(&options, &problem, NULL, &bytes), "size");
    memory = room(bytes);
    check(lcc_auto_init_f64(memory, bytes, &options, &problem, NULL, &run), "init");
    while (check(lcc_auto_step_f64(run, &problem, NULL, 1000000), "sampling") != LCC_DONE) {
    }
    check(lcc_auto_explain_f64(run, text, sizeof text, &length), "report");
    printf("%s\n", text);
    report(&s, run, problem.dim);
    free(memory), free(scratch), free(s.spare);
    s.rng_destruct(s.rng);
    s.destruct(s.model);
    return EXIT_SUCCESS;
}
