#include "args.h"
#include "cli.h"
#include "files.h"
#include "json.h"
#include "model.h"
#include "note.h"

#include <lcc.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *path;
    size_t bytes;
    uint64_t sum;
    lcc_model_info info;
    schema columns; /* where it has them */
    int has;
} shown;

static const char *kind_of(const shown *m)
{
    return model_of_classes(&m->info)                              ? "classes"
           : m->info.output == LCC_OUTPUT_POISSON ||
                   m->info.output == LCC_OUTPUT_NEGATIVE_BINOMIAL ? "counts"
                                                                   : "numbers";
}

static void write_column(json_writer *json, const schema_column *c)
{
    size_t k;
    json_text(json, "name", c->name);
    json_text(json, "kind", c->levels > 0 ? "words" : "number");
    if (c->levels > 0) {
        json_list(json, "words");
        for (k = 0; k < c->levels; k++) {
            json_item(json);
            json_text(json, "word", c->level[k]);
            json_object_end(json);
        }
        json_list_end(json);
    } else if (c->least <= c->greatest) {
        json_number(json, "least", c->least);
        json_number(json, "greatest", c->greatest);
    }
}

static void write_json(FILE *out, const shown *m)
{
    const char *note = m->columns.note;
    note_line line;
    json_writer json;
    layers_text layers;
    char sum[20];
    size_t k;
    (void)snprintf(sum, sizeof sum, "%016" PRIx64, m->sum);
    json_begin(&json, out, 17);
    json_count(&json, "bytes", m->bytes);
    json_text(&json, "checksum", sum);
    json_text(&json, "kind", kind_of(m));
    json_text(&json, "output", lcc_output_name(m->info.output));
    json_text(&json, "layers", model_layers(&m->info, layers));
    json_text(&json, "activation", lcc_activation_name(m->info.activation));
    json_count(&json, "precision", m->info.precision);
    json_count(&json, "draws", m->info.draws);
    json_count(&json, "linearised", m->info.linearised);
    json_count(&json, "values", m->info.values);
    json_count(&json, "inputs", m->info.inputs);
    json_count(&json, "categories", m->info.categories);
    json_number(&json, "temperature", (double)m->info.temperature);
    if (m->has) {
        json_object(&json, "target");
        write_column(&json, &m->columns.target);
        json_object_end(&json);
        json_list(&json, "columns");
        for (k = 0; k < m->columns.count; k++) {
            const schema_column *c = &m->columns.inputs[k];
            json_item(&json);
            write_column(&json, c);
            json_count(&json, "may_be_missing", c->indicator != 0);
            json_count(&json, "exposure", m->columns.exposure && k + 1 == m->columns.count);
            json_object_end(&json);
        }
        json_list_end(&json);
    } else {
        json_null(&json, "columns");
    }
    json_object(&json, "fit");
    while (note_next(&note, &line)) {
        json_text(&json, line.what, line.value);
    }
    json_object_end(&json);
    json_end(&json);
}

static void print_words(const schema_column *c)
{
    size_t k;
    for (k = 0; k < c->levels && k < 6; k++) {
        printf("%s%s", k == 0 ? "" : ", ", c->level[k]);
    }
    printf("%s\n", c->levels > 6 ? ", ..." : "");
}

static void print(const shown *m)
{
    const lcc_model_info *info = &m->info;
    const char *note = m->columns.note;
    note_line line;
    layers_text layers;
    size_t k;
    printf("model       %s: %lu bytes, FNV-1a %016" PRIx64 "\n", m->path, (unsigned long)m->bytes,
           m->sum);
    printf("predicts    %s: %s, by %s\n", m->has ? m->columns.target.name : "y", kind_of(m),
           lcc_output_name(info->output));
    if (m->has && m->columns.target.levels > 0) {
        printf("            ");
        print_words(&m->columns.target);
    }
    printf("network     hidden layers of %s; %s, %lu values, f%lu\n", model_layers(info, layers),
           lcc_activation_name(info->activation), (unsigned long)info->values,
           (unsigned long)info->precision);
    printf("draws       %lu%s\n", (unsigned long)info->draws,
           info->linearised ? ", of the network linearised at the mode" : "");
    if (model_of_classes(info)) {
        printf("temperature %.4g\n", (double)info->temperature);
    }
    while (note_next(&note, &line)) {
        printf("%-11s %s\n", line.what, line.value);
    }
    if (!m->has) {
        printf("inputs      %lu, without names: as they come\n", (unsigned long)info->inputs);
    }
    for (k = 0; m->has && k < m->columns.count; k++) {
        const schema_column *c = &m->columns.inputs[k];
        printf("%s%-20s %s", k == 0 ? "inputs      " : "            ", c->name,
               c->indicator ? "or missing: " : "");
        if (c->levels > 0) {
            print_words(c);
        } else if (c->least <= c->greatest) {
            printf("%g to %g\n", c->least, c->greatest);
        } else {
            puts("a number");
        }
    }
}

int show_command(int argc, char **argv)
{
    const char *json_path = NULL;
    const arg_option options[] = {
        {"--json", ARG_TEXT, &json_path, 0, 0},
        {NULL, ARG_SWITCH, NULL, 0, 0},
    };
    int named = argc > 0 && argv[0][0] != '-';
    unsigned char *image = NULL;
    FILE *json = NULL;
    outputs files;
    shown m;
    int code = args_parse("show", options, argc - named, argv + named);
    memset(&files, 0, sizeof files);
    memset(&m, 0, sizeof m);
    if (code == 0 && !named) {
        return wrong_usage("show: a model is missing");
    }
    if (code == 0) {
        m.path = argv[0];
        outputs_protect(&files, m.path);
        image = file_read(m.path, &m.bytes);
        code = image == NULL ? EXIT_FAILED : checked(m.path, lcc_model_check(image, m.bytes, &m.info));
        m.sum = image == NULL ? 0 : checksum(CHECKSUM_EMPTY, image, m.bytes);
    }
    THEN(code, model_schema(image, m.bytes, m.path, &m.columns, &m.has));
    THEN(code, outputs_add(&files, json_path, &json));
    if (code == 0 && json != NULL) {
        write_json(json, &m);
    }
    THEN(code, outputs_publish(&files));
    if (code == 0 && !files.to_stdout) {
        print(&m);
    }
    outputs_discard(&files);
    schema_free(&m.columns);
    free(image);
    return code;
}
