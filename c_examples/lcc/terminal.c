#include "cli.h"

#include <lcc.h>

#include <stdio.h>
#include <string.h>

/* The commands after the word "lcc", and what the program itself says are the options of one. */
static const char bash[] =
    "_lcc() {\n"
    "  local now=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} words=\n"
    "  if [ \"$COMP_CWORD\" = 1 ]; then words=\"%s--help --version\"\n"
    "  elif [ \"$before\" = completions ]; then words=\"bash zsh fish\"\n"
    "  elif [ \"${now:0:1}\" = - ]; then\n"
    "    words=$(\"${COMP_WORDS[0]}\" \"${COMP_WORDS[1]}\" --list-options 2>/dev/null)\" --help\"\n"
    "  fi\n"
    "  COMPREPLY=($(compgen -W \"$words\" -- \"$now\"))\n"
    "}\n"
    "complete -o default -F _lcc lcc\n";
static const char zsh[] =
    "#compdef lcc\n"
    "if (( CURRENT == 2 )); then compadd -- %s--help --version\n"
    "elif [[ $words[CURRENT-1] == completions ]]; then compadd bash zsh fish\n"
    "elif [[ $words[CURRENT] == -* ]]; then\n"
    "  compadd -- ${(f)\"$($words[1] $words[2] --list-options 2>/dev/null)\"} --help\n"
    "else _files\n"
    "fi\n";
static const char fish[] =
    "complete -c lcc -n __fish_use_subcommand -f -a '%s--help --version'\n"
    "complete -c lcc -n '__fish_seen_subcommand_from completions' -f -a 'bash zsh fish'\n"
    "complete -c lcc -n 'not __fish_use_subcommand; and string match -q -- \"-*\" (commandline -ct)' \\\n"
    "  -a '(lcc (commandline -opc)[2] --list-options 2>/dev/null) --help'\n";

int completions_command(int argc, char **argv)
{
    static const struct {
        const char *name;
        const char *script;
    } shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
    size_t k;
    size_t c;
    for (k = 0; argc == 1 && k < sizeof shells / sizeof *shells; k++) {
        const char *names = strstr(shells[k].script, "%s");
        if (strcmp(argv[0], shells[k].name) == 0) {
            (void)fwrite(shells[k].script, 1, (size_t)(names - shells[k].script), stdout);
            for (c = 0; commands[c].name != NULL; c++) {
                printf("%s ", commands[c].name);
            }
            fputs(names + 2, stdout);
            return EXIT_DONE;
        }
    }
    return wrong_usage("completions: of bash, zsh or fish");
}

/* Text as it stands, for roff. */
static void verbatim(const char *text)
{
    int begins = 1;
    fputs(".nf\n", stdout);
    for (; *text != '\0'; text++) {
        if (begins && (*text == '.' || *text == '\'')) {
            fputs("\\&", stdout);
        }
        begins = *text == '\n';
        if (*text == '\\' || *text == '-') {
            fputs(*text == '-' ? "\\-" : "\\e", stdout);
        } else {
            putchar(*text);
        }
    }
    fputs(".fi\n", stdout);
}

int manual_command(int argc, char **argv)
{
    size_t k;
    size_t part;
    if (argc > 0) {
        return wrong_usage("manual: unexpected \"%s\"", argv[0]);
    }
    printf(".TH LCC 1 \"\" \"lcc %s\"\n.SH NAME\nlcc \\- Bayesian neural networks from the command line\n"
           ".SH SYNOPSIS\n.B lcc\n.I command\n[options]\n.SH DESCRIPTION\n",
           LCC_VERSION);
    verbatim(usage_main);
    puts(".SH COMMANDS");
    for (k = 0; commands[k].name != NULL; k++) {
        printf(".SS %s\n", commands[k].name);
        for (part = 0; part < 3 && commands[k].usage[part][0] != '\0'; part++) {
            verbatim(commands[k].usage[part]);
        }
        verbatim("Examples:\n");
        verbatim(commands[k].examples);
    }
    fputs(".SH EXIT STATUS\n.TP\n.B 0\ndone\n.TP\n.B 1\nfailed; the message names the file, row and column where "
          "there is one\n.TP\n.B 2\nwrong usage\n.TP\n.B 130\ninterrupted; what was drawn so far is kept\n",
          stdout);
    return EXIT_DONE;
}
