/* SPDX-License-Identifier: BSD-3-Clause */
/* hs completion: completion for a shell, from the verbs' names, summaries and usage lines. A word of a usage line that begins
 * with a dash is an option; what follows it is its value, of which "fixed|free" lists what it may be. */
#include "cli/base/cli.h"
#include "cli/base/verbs.h"
#include "util/assert.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

enum { WORD = 96, OPTIONS = 64 };

/** What a verb takes, by its usage line. */
typedef struct offer {
    struct {
        char name[WORD], value[WORD]; /* value "": none */
    } option[OPTIONS];
    int n;
    char first[WORD]; /* the words that may follow the verb, "up|down"; "": a file */
} offer;

/* Whether a value is a choice of given words: letters and dashes, and a bar. */
static int is_choice(const char *value)
{
    int bars = 0;
    for (const char *c = value; *c; c++) {
        if (*c == '|')
            bars++;
        else if (!islower((unsigned char)*c) && *c != '-')
            return 0;
    }
    return bars > 0;
}

static void add_word(offer *o, const char *text, int length, int *open)
{
    char word[WORD];
    snprintf(word, sizeof word, "%.*s", length, text);
    if (word[0] == '-' && word[1] && strcmp(word, "--") != 0 && o->n < OPTIONS) {
        snprintf(o->option[o->n++].name, WORD, "%s", word);
        *open = 1;
    } else {
        if (*open && o->n > 0)
            snprintf(o->option[o->n - 1].value, WORD, "%s", word);
        *open = 0;
    }
}

static void read_usage(const cli_verb *verb, offer *o)
{
    int open = 0;
    const char *text = strstr(verb->usage, verb->name) + strlen(verb->name);
    int first = 1;
    *o = (offer){.n = 0};
    while (*text) {
        size_t blank = strspn(text, " []"), length;
        for (size_t i = 0; i < blank; i++)
            open &= text[i] != ']' && text[i] != '[';
        text += blank;
        length = strcspn(text, " []");
        if (strncmp(text, "--", length) == 0 && length == 2)
            break; /* what follows is another program's */
        if (length == 1 && *text == '|')
            open = 0;
        else if (length > 0)
            add_word(o, text, (int)length, &open);
        if (first && length > 0 && length < WORD)
            snprintf(o->first, WORD, "%.*s", (int)length, text);
        first = first && length == 0;
        text += length;
    }
    if (!is_choice(o->first))
        o->first[0] = '\0';
    HS_ASSERT(o->n < OPTIONS);
}

static void put_words(const char *value)
{
    for (; *value; value++)
        putchar(*value == '|' ? ' ' : *value);
}

/* ---- bash ---- */

static void put_bash_verb(const cli_verb *verb)
{
    offer o;
    read_usage(verb, &o);
    printf("    '%s')\n        case $previous in\n", verb->name);
    for (int i = 0; i < o.n; i++)
        if (is_choice(o.option[i].value)) {
            printf("        %s) words='", o.option[i].name);
            put_words(o.option[i].value);
            printf("' ;;\n");
        }
    printf("        *) options='");
    for (int i = 0; i < o.n; i++)
        printf("%s%s", i ? " " : "", o.option[i].name);
    printf("'");
    if (o.first[0]) {
        printf("; [ $COMP_CWORD -eq 2 ] && words='");
        put_words(o.first);
        putchar('\'');
    }
    printf(" ;;\n        esac ;;\n");
}

static void put_bash(void)
{
    puts("_hs() {\n"
         "    local word=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]}\n"
         "    local verb=${COMP_WORDS[1]} words= options=\n"
         "    if [ \"$word\" = = ]; then word=; fi # --option=value is three words\n"
         "    if [ \"$previous\" = = ]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi");
    fputs("    local verbs='", stdout);
    for (const cli_verb *verb = cli_verbs; verb->name; verb++)
        printf(" %s", verb->name);
    fputs("' pages='", stdout);
    for (const cli_page *page = cli_pages; (page = cli_other_page(page)); page++)
        printf(" %s", page->name);
    puts("'\n"
         "    case $COMP_CWORD-$verb in\n"
         "    1-*) COMPREPLY=($(compgen -W \"$verbs help --version\" -- \"$word\")); return ;;\n"
         "    2-help) COMPREPLY=($(compgen -W \"$verbs $pages\" -- \"$word\")); return ;;\n"
         "    esac\n"
         "    [ \"$verb\" != lab ] || [ $COMP_CWORD -eq 2 ] || verb=\"lab ${COMP_WORDS[2]}\"\n"
         "    case $verb in");
    for (const cli_verb *verb = cli_verbs; verb->name; verb++)
        put_bash_verb(verb);
    for (const cli_verb *verb = cli_lab_verbs; verb->name; verb++)
        put_bash_verb(verb);
    puts("    esac\n"
         "    case $word in -*) words=\"$options --help\" ;; esac\n"
         "    COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) # nothing: a file, which bash completes and quotes\n"
         "}\n"
         "complete -o default -F _hs hs");
}

/* ---- zsh ---- */

/* Text between single quotes, where a colon or a bracket means something to zsh. */
static void put_zsh_text(const char *text)
{
    for (; *text; text++) {
        if (strchr(":[]\\", *text))
            putchar('\\');
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
}

static void put_zsh_verb(const cli_verb *verb)
{
    offer o;
    read_usage(verb, &o);
    printf("    '%s') _arguments", verb->name);
    for (int i = 0; i < o.n; i++) {
        int is_long = o.option[i].name[1] == '-' && o.option[i].value[0]; /* its value may follow a '=' */
        printf(" '%s%s", o.option[i].name, is_long ? "=" : "");
        if (is_choice(o.option[i].value)) {
            printf(":choice:(");
            put_words(o.option[i].value);
            putchar(')');
        } else if (o.option[i].value[0]) {
            putchar(':');
            put_zsh_text(o.option[i].value);
            fputs(":_files", stdout);
        }
        putchar('\'');
    }
    if (o.first[0]) {
        printf(" '1:what:(");
        put_words(o.first);
        printf(")'");
    }
    printf(" '--help' '*:file:_files' ;;\n");
}

static void put_zsh(void)
{
    puts("_hs() {\n    local -a verbs\n    verbs=('help:the manual page of a verb'");
    for (const cli_verb *verb = cli_verbs; verb->name; verb++) {
        printf("        '%s:", verb->name);
        put_zsh_text(verb->summary);
        puts("'");
    }
    fputs("    )\n    local -a pages\n    pages=(", stdout);
    for (const cli_page *page = cli_pages; (page = cli_other_page(page)); page++)
        printf(" '%s:a manual page'", page->name);
    puts(" )\n"
         "    if (( CURRENT == 2 )); then _describe verb verbs; return; fi\n"
         "    if [[ $words[2] == help ]]; then _describe verb verbs; _describe page pages; return; fi\n"
         "    shift words; (( CURRENT-- ))\n"
         "    if [[ $words[1] == lab ]] && (( CURRENT > 2 )); then\n"
         "        words[2]=\"lab $words[2]\"; shift words; (( CURRENT-- ))\n"
         "    fi\n"
         "    case $words[1] in");
    for (const cli_verb *verb = cli_verbs; verb->name; verb++)
        put_zsh_verb(verb);
    for (const cli_verb *verb = cli_lab_verbs; verb->name; verb++)
        put_zsh_verb(verb);
    puts("    esac\n}\ncompdef _hs hs");
}

int cli_completion(const cli_verb *verb, int argc, char **argv)
{
    const char *shell = NULL;
    const cli_option options[] = {{.name = NULL}};
    int code = cli_parse(verb, argc, argv, options, &shell, 1, NULL);
    if (code != CLI_OK)
        return code;
    if (!shell)
        return cli_usage(verb, "no shell given (expected bash or zsh)");
    if (strcmp(shell, "bash") == 0)
        put_bash();
    else if (strcmp(shell, "zsh") == 0)
        put_zsh();
    else
        return cli_bad_value(verb, "no completion for '%s' (expected bash or zsh)", shell);
    return CLI_OK;
}
