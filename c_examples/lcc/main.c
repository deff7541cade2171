#include "certify.h"
#include "cli.h"
#include "demo.h"
#include "fit.h"
#include "names.h"
#include "predict.h"
#include "sample.h"
#include "usage.h"

#include <lcc.h>

#include <stdio.h>
#include <string.h>

static void print_version(void)
{
    uint64_t have = lcc_capabilities();
    printf("lcc %s\n", LCC_VERSION);
    printf("library %s\n", lcc_version());
    printf("ABI %lu\n", (unsigned long)lcc_abi_version());
    printf("precisions%s%s\n", (have & LCC_CAPABILITY_F32) != 0 ? " f32" : "",
           (have & LCC_CAPABILITY_F64) != 0 ? " f64" : "");
    printf("lanes %s\n", (have & LCC_CAPABILITY_AVX2) != 0 ? "avx2" : "portable");
    printf("samplers auto");
    names_print_samplers();
    printf("methods network greedy\n");
    printf("activations");
    names_print_activations();
}

static int dispatch(int argc, char **argv)
{
    const char *command = argc < 2 ? "demo" : argv[1];
    int rest = argc < 2 ? 0 : argc - 2;
    char **arguments = argc < 2 ? argv : argv + 2;
    if (strcmp(command, "--version") == 0 || strcmp(command, "-V") == 0) {
        print_version();
        return EXIT_DONE;
    }
    if (strcmp(command, "--help") == 0 || strcmp(command, "-h") == 0 ||
        strcmp(command, "help") == 0) {
        fputs(usage_main, stdout);
        return EXIT_DONE;
    }
    if (strcmp(command, "demo") == 0) {
        return demo_command(rest, arguments);
    }
    if (strcmp(command, "sample") == 0) {
        return sample_command(rest, arguments);
    }
    if (strcmp(command, "fit") == 0) {
        return fit_command(rest, arguments);
    }
    if (strcmp(command, "predict") == 0) {
        return predict_command(rest, arguments);
    }
    if (strcmp(command, "certify") == 0) {
        return certify_command(rest, arguments);
    }
    return wrong_usage("no command \"%s\" (lcc --help lists them)", command);
}

int lcc_main(int argc, char **argv)
{
    int code;
    if (lcc_abi_version() != LCC_ABI_VERSION) {
        return fail("built for ABI %lu of the library, started with ABI %lu",
                    (unsigned long)LCC_ABI_VERSION, (unsigned long)lcc_abi_version());
    }
    code = dispatch(argc, argv);
    if (fflush(stdout) != 0 && code == EXIT_DONE) {
        code = fail("standard output cannot be written");
    }
    return code;
}
