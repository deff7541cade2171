#include "cmdstan.h"

#include "cli.h"

#include <inttypes.h>
#include <stdlib.h>

void cmdstan_head(FILE *out, const cmdstan_run *run, size_t chain)
{
    fprintf(out,
            "# model = %s\n# method = sample (Default)\n#   sample\n#     num_samples = %lu\n"
            "#     num_warmup = %" PRIu32 "\n#     save_warmup = 0 (Default)\n"
            "#     thin = 1 (Default)\n#     algorithm = %s\n# id = %lu\n# random\n"
            "#   seed = %" PRIu64 "\n",
            run->model, (unsigned long)run->draws, run->warmup, run->algorithm,
            (unsigned long)chain + 1, run->seed);
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
