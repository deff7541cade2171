/* A library with the functions that BridgeStan gives a Stan program, of this one:
 *     parameters { real<lower=0> sigma; vector[2] z; }
 *     transformed parameters { vector[2] theta = 3 + sigma * z; }
 *     model { sigma ~ gamma(3, 2); z ~ std_normal(); }
 *     generated quantities { real y = normal_rng(sigma, 1); }
 * The data: "reject" refuses the model, "edge" every sigma above 2. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    int edge;
} bs_model;
typedef struct {
    unsigned long long state;
} bs_rng;

static int handed_out; /* error messages that nobody freed */

static int complain(char **error, const char *what)
{
    if (error != NULL) {
        *error = malloc(strlen(what) + 1);
        strcpy(*error, what);
        handed_out++;
    }
    return -1;
}
void bs_free_error_msg(char *error)
{
    free(error);
    handed_out--;
}
bs_model *bs_model_construct(const char *data, unsigned int seed, char **error)
{
    bs_model *m = malloc(sizeof *m);
    (void)seed;
    if (strcmp(data, "reject") == 0) {
        complain(error, "no such data");
        return NULL;
    }
    m->edge = strcmp(data, "edge") == 0;
    return m;
}
void bs_model_destruct(bs_model *m)
{
    if (handed_out != 0) abort();
    free(m);
}
bs_rng *bs_rng_construct(unsigned int seed, char **error)
{
    bs_rng *r = malloc(sizeof *r);
    (void)error;
    r->state = seed;
    return r;
}
void bs_rng_destruct(bs_rng *r) { free(r); }
const char *bs_name(const bs_model *m) { return (void)m, "scaled_model"; }
const char *bs_param_names(const bs_model *m, bool tp, bool gq)
{
    (void)m;
    return tp && gq ? "sigma,z.1,z.2,theta.1,theta.2,y" : "sigma,z.1,z.2";
}
int bs_param_num(const bs_model *m, bool tp, bool gq) { return (void)m, 3 + (tp ? 2 : 0) + (gq ? 1 : 0); }
int bs_param_unc_num(const bs_model *m) { return (void)m, 3; }

static double uniform(bs_rng *r)
{
    r->state = r->state * 6364136223846793005ULL + 1442695040888963407ULL;
    return ((double)(r->state >> 11) + 0.5) / 9007199254740992.0;
}
int bs_param_constrain(const bs_model *m, bool tp, bool gq, const double *x, double *y, bs_rng *r, char **error)
{
    const double sigma = exp(x[0]);
    (void)m;
    if (gq && r == NULL) return complain(error, "generated quantities need random numbers");
    *y++ = sigma, *y++ = x[1], *y++ = x[2];
    if (tp) *y++ = 3 + sigma * x[1], *y++ = 3 + sigma * x[2];
    if (gq) *y++ = sigma + sqrt(-2 * log(uniform(r))) * cos(6.283185307179586 * uniform(r));
    return 0;
}
int bs_log_density_gradient(const bs_model *m, bool propto, bool jacobian, const double *x, double *value, double *grad,
                            char **error)
{
    const double sigma = exp(x[0]), shape = jacobian ? 3 : 2;
    (void)propto;
    if (m->edge && sigma > 2) return complain(error, "sigma is too large");
    *value = shape * x[0] - 2 * sigma - (x[1] * x[1] + x[2] * x[2]) / 2;
    grad[0] = shape - 2 * sigma, grad[1] = -x[1], grad[2] = -x[2];
    return 0;
}
