#include "ladder.h"

#include "args.h"
#include "cli.h"

#include <lcc.h>

#include <stdlib.h>
#include <string.h>

enum { MOST_STAGES = 1000 };

static int wrong(const char *text)
{
    return wrong_usage("--ladder: \"%s\" is none of adaptive, adaptive:SHARE, rows, rows:SHARE, even:K, "
                       "geometric:K:FIRST with at most %d temperatures, and no increasing list of "
                       "temperatures above 0 that ends in 1",
                       text, (int)MOST_STAGES);
}

static int count(const char *text, size_t length, uint32_t *value)
{
    double real = 0.0;
    if (!args_number(text, length, &real) || !(real >= 1.0 && real <= MOST_STAGES)) {
        return 0;
    }
    *value = (uint32_t)real;
    return (double)*value == real;
}

static int given(const char *text, ladder *out)
{
    size_t most = 1;
    double last = 0.0;
    const char *at;
    for (at = text; *at != '\0'; at++) {
        most += *at == ',';
    }
    if (most > MOST_STAGES) {
        return wrong(text);
    }
    out->given = allocate(most, sizeof *out->given);
    if (out->given == NULL) {
        return EXIT_FAILED;
    }
    out->kind = LCC_LADDER_GIVEN;
    for (at = text; out->stages < most; out->stages++) {
        size_t length = strcspn(at, ",");
        double t = 0.0;
        /* In single precision too they must increase. */
        if (!args_number(at, length, &t) || !((float)t > (float)last)) {
            return wrong(text);
        }
        out->given[out->stages] = t;
        last = t;
        at += length + 1;
    }
    return last == 1.0 ? 0 : wrong(text);
}

int ladder_parse(const char *text, ladder *out)
{
    /* NAME or NAME:NUMBER, the number a share below 1 or the first sd up to 1. */
    static const struct {
        const char *name;
        int32_t kind;
        int shares;
    } by_number[] = {
        {"adaptive", LCC_LADDER_ADAPTIVE, 1},
        {"rows", LCC_LADDER_ROWS, 1},
        {"cooling", LCC_LADDER_COOLING, 0},
    };
    static const char even[] = "even:";
    static const char geometric[] = "geometric:";
    lcc_smc_options_f64 defaults;
    int32_t status = lcc_smc_options_default_f64(&defaults);
    const char *rest;
    size_t k;
    memset(out, 0, sizeof *out);
    if (status < 0) {
        return fail("%s", lcc_status_message(status));
    }
    out->kind = LCC_LADDER_ADAPTIVE;
    out->stages = MOST_STAGES;
    out->share = defaults.share;
    out->first = defaults.first;
    if (text == NULL) {
        return 0;
    }
    for (k = 0; k < sizeof by_number / sizeof *by_number; k++) {
        size_t length = strlen(by_number[k].name);
        double *number = by_number[k].shares ? &out->share : &out->first;
        if (strncmp(text, by_number[k].name, length) != 0 || (text[length] != ':' && text[length] != '\0')) {
            continue;
        }
        out->kind = by_number[k].kind;
        if (text[length] == '\0') {
            return 0;
        }
        rest = text + length + 1;
        return args_number(rest, strlen(rest), number) && *number > 0.0 &&
                       (by_number[k].shares ? *number < 1.0 : *number <= 1.0)
                   ? 0
                   : wrong(text);
    }
    if (strncmp(text, even, sizeof even - 1) == 0) {
        rest = text + sizeof even - 1;
        out->kind = LCC_LADDER_EVEN;
        return count(rest, strlen(rest), &out->stages) ? 0 : wrong(text);
    }
    if (strncmp(text, geometric, sizeof geometric - 1) == 0) {
        size_t length;
        rest = text + sizeof geometric - 1;
        length = strcspn(rest, ":");
        out->kind = LCC_LADDER_GEOMETRIC;
        return count(rest, length, &out->stages) && rest[length] == ':' &&
                       args_number(rest + length + 1, strlen(rest + length + 1), &out->first) &&
                       out->first > 0.0 && out->first < 1.0
                   ? 0
                   : wrong(text);
    }
    out->stages = 0;
    return given(text, out);
}

void ladder_free(ladder *l)
{
    free(l->given);
    memset(l, 0, sizeof *l);
}
