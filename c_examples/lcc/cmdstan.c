#include "cmdstan.h"

#include "cli.h"

#include <inttypes.h>
#include <stdlib.h>

void cmdstan_head(FILE *out, const cmdstan_run *run, size_t chain)
{
    fprintf(out,
            "# model = %s\n# method = sample (Default)\n#   sample\n#     num_samples = %lu\n"
            "#     num_warmup = %" PRIu32 "\n#     save_warmup = 0 (Default)\n"
            "#     thin = 1 (Default)\n#     adapt\n#       engaged = %d\n#     algorithm = %s\n"
            "#     num_chains = %lu\n# id = %lu\n# random\n#   seed = %" PRIu64 "\n",
            run->model, (unsigned long)run->draws, run->warmup, run->warmup > 0, run->algorithm,
            (unsigned long)run->chains, (unsigned long)chain + 1, run->seed);
}

void cmdstan_names(FILE *out, const cmdstan_run *run, const char *name, size_t count, double step)
{
    size_t i;
    fputs("lp__,accept_stat__,stepsize__", out);
    fputs(run->leapfrogs > 0 ? ",n_leapfrog__,divergent__,energy__" : ",divergent__,energy__", out);
    for (i = 0; i < count; i++) {
        fprintf(out, ",%s.%lu", name, (unsigned long)i + 1);
    }
    fprintf(out, "\n# Adaptation terminated\n# Step size = %.*g\n", run->digits, step);
    for (i = 0; i < run->masses; i++) {
        fputs(i == 0 ? "# Diagonal elements of inverse mass matrix:\n# 1" : ", 1", out);
    }
    if (run->masses > 0) {
        fputc('\n', out);
    }
}

void cmdstan_draw(FILE *out, const cmdstan_run *run, double step, double lp, double accept,
                  int divergent, double energy)
{
    fprintf(out, "%.*g,%.*g,%.*g,", run->digits, lp, run->digits, accept, run->digits, step);
    if (run->leapfrogs > 0) {
        fprintf(out, "%" PRIu32 ",", run->leapfrogs);
    }
    fprintf(out, "%d,%.*g", divergent, run->digits, energy);
}

int cmdstan_open(outputs *files, const char *prefix, size_t chains, FILE ***streams)
{
    size_t chain;
    int code = 0;
    *streams = NULL;
    if (prefix == NULL) {
        return 0;
    }
    *streams = allocate(chains, sizeof **streams);
    if (*streams == NULL) {
        return EXIT_FAILED;
    }
    for (chain = 0; chain < chains && code == 0; chain++) {
        char ending[32];
        char *path;
        (void)snprintf(ending, sizeof ending, "_%lu.csv", (unsigned long)chain + 1);
        path = join_text(prefix, ending);
        code = path == NULL ? EXIT_FAILED : outputs_add(files, path, &(*streams)[chain]);
        free(path);
    }
    return code;
}
