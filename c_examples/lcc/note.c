#include "note.h"

#include "cli.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *note_method(const fit_flags *flags, char text[METHOD_TEXT])
{
    const network_settings *s = &flags->network;
    int length;
    if (flags->kind == METHOD_BNN && !bnn_samples(flags->bnn.method)) {
        length = snprintf(text, METHOD_TEXT, "%s: layers of %.60s; %" PRIu32 " starts, %" PRIu32 " draws of each",
                          flags->method, flags->bnn.layers, s->chains, s->draws);
    } else if (flags->kind == METHOD_BNN) {
        length = snprintf(text, METHOD_TEXT, "%s: layers of %.60s; %" PRIu32 " chains of %" PRIu32 " + %" PRIu32 " draws",
                          flags->method, flags->bnn.layers, s->chains, s->warmup, s->draws);
    } else if (flags->kind == METHOD_RELAXED) {
        length = snprintf(text, METHOD_TEXT, "relaxed (%s): %" PRIu32 " levels", flags->update, flags->greedy.levels);
    } else if (flags->kind != METHOD_NETWORK) {
        length = snprintf(text, METHOD_TEXT, "%s: %" PRIu32 " levels of %" PRIu32 " particles", flags->method,
                          flags->greedy.levels, flags->greedy.particles);
    } else {
        length = snprintf(text, METHOD_TEXT, "%s: %" PRIu32 " neurons, %" PRIu32 " chains of %" PRIu32 " + %" PRIu32 " draws",
                          flags->method, s->neurons, s->chains, s->warmup, s->draws);
    }
    (void)snprintf(text + length, METHOD_TEXT - (size_t)length, ", %s, seed %" PRIu64, flags->precision, s->seed);
    return text;
}

const char *note_options(const fit_flags *flags, char text[OPTIONS_TEXT])
{
    int length = snprintf(text, OPTIONS_TEXT, "--chains %" PRIu32 " --start %" PRIu32, flags->network.chains,
                          flags->bnn.start);
    if (bnn_samples(flags->bnn.method)) {
        (void)snprintf(text + length, OPTIONS_TEXT - (size_t)length, " --leapfrogs %" PRIu32, flags->bnn.leapfrogs);
    }
    return text;
}

uint32_t note_kept(const fit_flags *flags, const network_fit *fit)
{
    const network_settings *s = &flags->network;
    int chains = flags->kind == METHOD_NETWORK ||
                 (flags->kind == METHOD_BNN && bnn_samples(flags->bnn.method));
    return !chains || fit->was_interrupted ? 0 : s->keep < s->draws ? s->keep : s->draws;
}

PRINTF_LIKE(2, 3) static void line(char text[NOTE_TEXT], const char *format, ...)
{
    size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text + length, NOTE_TEXT - length, format, arguments);
    va_end(arguments);
}

void note_write(const fit_flags *flags, const fit_outcome *o, char text[NOTE_TEXT])
{
    const network_fit *fit = &o->fit;
    char part[METHOD_TEXT];
    text[0] = '\0';
    line(text, "method\t%s\n", note_method(flags, part));
    if (flags->kind == METHOD_BNN) {
        line(text, "options\t%s\n", note_options(flags, part));
        if (flags->bnn.members != NULL) {
            line(text, "members\t--network %.300s\n", flags->bnn.members);
        }
    }
    if (fit->was_interrupted) {
        line(text, "stopped\tearly: what was drawn until then\n");
    }
    line(text, "trained on\t%lu rows of %lu inputs, checksum %016" PRIx64 "\n", (unsigned long)o->train->n,
         (unsigned long)o->train->d, dataset_checksum(o->train));
    if (note_kept(flags, fit) > 0) {
        line(text, "chains\t%" PRIu32 " used, %" PRIu32 " dropped, acceptance %.3f, %" PRIu64 " divergent draws\n",
             fit->chains_used, fit->chains_dropped, fit->acceptance, fit->divergences);
        if (flags->kind == METHOD_BNN && fit->luck == fit->luck) {
            line(text, "luck\tanother seed would move a prediction by %.2g %% of its uncertainty (median %.2g %%)\n",
                 100.0 * fit->luck, 100.0 * fit->luck_median);
        }
        if (fit->rhat_max == fit->rhat_max) {
            line(text, "R-hat\t%.2f at most, of predictions\n", fit->rhat_max);
        }
    }
    if (fit->gradients > 0) {
        line(text, "gradients\t%" PRIu64 "\n", fit->gradients);
    }
    line(text, "fitted by\tlcc %s\n", lcc_version());
}

int note_next(const char **note, note_line *line)
{
    const char *at = *note;
    size_t what;
    size_t value;
    if (at == NULL || *at == '\0') {
        return 0;
    }
    what = strcspn(at, "\t\n");
    (void)snprintf(line->what, sizeof line->what, "%.*s", (int)what, at);
    at += what + (at[what] == '\t');
    value = strcspn(at, "\n");
    (void)snprintf(line->value, sizeof line->value, "%.*s", (int)value, at);
    *note = at + value + (at[value] == '\n');
    return 1;
}

int note_find(const char *note, const char *what, note_line *line)
{
    while (note_next(&note, line)) {
        if (strcmp(line->what, what) == 0) {
            return 1;
        }
    }
    return 0;
}
