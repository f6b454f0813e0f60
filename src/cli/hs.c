/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/cli.h"
#include "cli/base/help.h"
#include "cli/start/lab_run.h"
#include "config.h"
#include "util/assert.h"
#include "util/suggest.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const cli_verb *find_verb(const char *name)
{
    for (const cli_verb *verb = cli_verbs; verb->name; verb++)
        if (strcmp(verb->name, name) == 0)
            return verb;
    return NULL;
}

static void print_overview(FILE *stream)
{
    fputs("usage: hs VERB [ARGUMENT ...]     (hs help VERB: the manual page of a verb)\n\n", stream);
    for (const cli_verb *verb = cli_verbs; verb->name; verb++)
        fprintf(stream, "  %-12s%s\n", verb->name, verb->summary);
}

static int unknown_verb(const char *name)
{
    hs__suggestion s = {.word = name};
    for (const cli_verb *verb = cli_verbs; verb->name; verb++)
        hs__suggest(&s, verb->name);
    hs__suggest(&s, "help");
    if (s.nearest)
        fprintf(stderr, "hs: unknown verb '%s'; did you mean '%s'?\n", name, s.nearest);
    else
        fprintf(stderr, "hs: unknown verb '%s' ('hs help' lists all verbs)\n", name);
    return CLI_USAGE;
}

static int help(int argc, char **argv)
{
    if (argc < 3) {
        print_overview(stdout);
        return CLI_OK;
    }
    if (argc > 3) {
        fprintf(stderr, "hs help: unexpected argument '%s'\nusage: hs help [VERB]\n", argv[3]);
        return CLI_USAGE;
    }
    const cli_verb *verb = find_verb(argv[2]);
    const cli_page *page = cli_find_page(argv[2]);
    if (!verb && !page)
        return unknown_verb(argv[2]);
    if (page)
        cli_show_page(page, verb);
    else
        cli_print_help(verb);
    return CLI_OK;
}

/* What was printed has to arrive: a full disk or a closed pipe is a failure. */
static int close_stdout(int code)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return code;
    if (code == CLI_OK)
        fprintf(stderr, "hs: cannot write standard output: %s\n", strerror(errno));
    return code == CLI_OK ? CLI_BAD_INPUT : code;
}

/* Whether each verb is found by its name, and says what it does and how. */
static int verbs_are_sound(void)
{
    for (const cli_verb *verb = cli_verbs; verb->name; verb++)
        if (find_verb(verb->name) != verb || !verb->run || !verb->summary[0] || !strstr(verb->usage, verb->name))
            return 0;
    return 1;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stderr);
        return CLI_USAGE;
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(argc, argv);
    if (strcmp(argv[1], "--version") == 0) {
        puts("hs " PACKAGE_VERSION);
        return CLI_OK;
    }
    HS_ASSERT(verbs_are_sound());
    const cli_verb *verb = find_verb(argv[1]);
    return verb ? verb->run(verb, argc - 1, argv + 1) : unknown_verb(argv[1]);
}

int main(int argc, char **argv)
{
    signal(SIGCHLD, SIG_DFL); /* where it was ignored, the exit statuses of children are lost */
    if (cli_is_lab_agent())
        return cli_lab_agent(argc, argv);
    return close_stdout(run(argc, argv));
}
