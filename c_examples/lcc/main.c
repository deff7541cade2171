#include "cli.h"
#include "fit_flags.h"
#include "names.h"
#include "platform.h"

#include <lcc.h>

#include <stdio.h>
#include <string.h>

static void print_version(void)
{
    const char *const *method;
    uint64_t have = lcc_capabilities();
    printf("lcc %s\n", LCC_VERSION);
    printf("library %s\n", lcc_version());
    printf("ABI %lu\n", (unsigned long)lcc_abi_version());
    printf("precisions%s%s\n", (have & LCC_CAPABILITY_F32) != 0 ? " f32" : "",
           (have & LCC_CAPABILITY_F64) != 0 ? " f64" : "");
    printf("lanes %s%s\n", (have & LCC_CAPABILITY_AVX2) != 0 ? "avx2" : "portable",
           (have & LCC_CAPABILITY_AVX512) != 0 ? " avx512" : "");
    printf("samplers auto");
    names_print_samplers();
    printf("methods");
    for (method = fit_methods; *method != NULL; method++) {
        printf(" %s", *method);
    }
    putchar('\n');
    printf("activations");
    names_print_activations();
}

static int wants_help(int argc, const char *const *argv)
{
    int i;
    for (i = 0; i < argc; i++) {
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0) {
            return 1;
        }
    }
    return 0;
}

const command_entry commands[] = {
    {"demo", demo_command, {usage_demo, "", ""}, "  lcc demo --out results --seed 2\n"},
    {"fit", fit_command, {usage_fit, usage_fit_methods, usage_fit_data},
     "  lcc fit --data train.csv --model m.lcc\n"
     "  lcc fit --data export.csv --target price --drop id,date --test-share .2\n"
     "  lcc fit --data train.csv --cv 5 --time 2m --json fit.json\n"
     "  lcc fit --data claims.csv --exposure years --layers 0 --predictions -\n"},
    {"compare", compare_command, {usage_compare, "", ""},
     "  lcc compare --data train.csv --methods bnn,map,ensemble --plot methods.svg\n"},
    {"predict", predict_command, {usage_predict, "", ""},
     "  lcc predict --model m.lcc --data new.csv --predictions p.csv\n"
     "  lcc predict --model m.lcc --data - --quantiles .05,.5,.95 --draws 100\n"},
    {"loo", loo_command, {usage_loo, "", ""}, "  lcc loo --model m.lcc --than other.lcc --data train.csv\n"},
    {"report", report_command, {usage_report, "", ""}, "  lcc report --model m.lcc --data new.csv -o r.html\n"},
    {"sample", sample_command, {usage_sample, usage_sample_coupled, ""},
     "  lcc sample --data residuals.csv --json expectations.json\n"
     "  lcc sample --data residuals.csv --sampler smc --seed 2\n"},
    {"certify", certify_command, {usage_certify, "", ""},
     "  lcc certify --data residuals.csv --prior l1 --scale 3\n"},
    {"theory", theory_command, {usage_theory, "", ""}, "  lcc theory --inputs 9 --rows 500 --variation 3\n"},
    {"vae", vae_command, {usage_vae, "", ""},
     "  lcc vae fit --data digits.csv --image 8x8 --model d.vae --plot p\n"
     "  lcc vae encode --model d.vae --data digits.csv --out z.csv\n"},
    {"show", show_command, {usage_show, "", ""}, "  lcc show m.lcc --json -\n"},
    {"convert", convert_command, {usage_convert, "", ""}, "  lcc convert m.lcc --to onnx -o m.onnx\n"},
    {"doctor", doctor_command, {usage_doctor, "", ""}, "  lcc doctor\n"},
    {"completions", completions_command, {usage_completions, "", ""},
     "  lcc completions bash > ~/.local/share/bash-completion/completions/lcc\n"},
    {"manual", manual_command, {usage_manual, "", ""}, "  lcc manual > ~/.local/share/man/man1/lcc.1\n"},
    {NULL, NULL, {"", "", ""}, ""},
};

static int dispatch(int argc, char **argv)
{
    /* "help fit" is "fit --help". */
    int help = argc == 3 && strcmp(argv[1], "help") == 0;
    const char *command = argc < 2 ? "demo" : argv[1 + help];
    int rest = argc < 2 ? 0 : argc - 2 - help;
    char **arguments = argc < 2 ? argv : argv + 2 + help;
    size_t k;
    if (strcmp(command, "--version") == 0 || strcmp(command, "-V") == 0) {
        print_version();
        return EXIT_DONE;
    }
    if (strcmp(command, "help") == 0 || wants_help(1, &command)) {
        fputs(usage_main, stdout);
        return EXIT_DONE;
    }
    for (k = 0; commands[k].name != NULL; k++) {
        if (strcmp(command, commands[k].name) == 0) {
            if (!help && !wants_help(rest, (const char *const *)arguments)) {
                return commands[k].run(rest, arguments);
            }
            printf("%s%s%s\nExamples:\n%s", commands[k].usage[0], commands[k].usage[1], commands[k].usage[2],
                   commands[k].examples);
            return EXIT_DONE;
        }
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
    writes_fail_softly();
    code = dispatch(argc, argv);
    code = code == EXIT_LISTED ? EXIT_DONE : code;
    if ((fflush(stdout) != 0 || ferror(stdout)) && code == EXIT_DONE && !reader_left(stdout)) {
        code = fail("standard output cannot be written");
    }
    return code;
}
