/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/cli.h"
#include "cli/base/help.h"
#include "cli/base/verbs.h"
#include "cli/start/lab_run.h"
#include "config.h"
#include "util/assert.h"
#include "util/printable.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void print_overview(FILE *stream)
{
    fputs("usage: hs VERB [ARGUMENT ...]     (hs help VERB: the manual page of a verb)\n\n", stream);
    for (const cli_verb *verb = cli_verbs; verb->name; verb++)
        fprintf(stream, "  %-12s%s\n", verb->name, verb->summary);
    fputs("\nOther pages: hs help", stream);
    for (const cli_page *page = cli_pages; (page = cli_other_page(page)); page++)
        fprintf(stream, "%c%s", page == cli_other_page(cli_pages) ? ' ' : '|', page->name);
    fputc('\n', stream);
}

static int tell_unknown(const char *what, const hs__suggestion *s)
{
    char word[80];
    snprintf(word, sizeof word, "%s", s->word);
    hs__make_printable(word);
    if (s->nearest)
        fprintf(stderr, "hs: unknown %s '%s'; did you mean '%s'?\n", what, word, s->nearest);
    else
        fprintf(stderr, "hs: unknown %s '%s' ('hs help' lists all verbs)\n", what, word);
    return CLI_USAGE;
}

static void consider_verbs(hs__suggestion *s)
{
    for (const cli_verb *verb = cli_verbs; verb->name; verb++)
        hs__suggest(s, verb->name);
    hs__suggest(s, "help");
}

static int unknown_word(const char *word)
{
    hs__suggestion s = {.word = word};
    if (word[0] != '-') {
        consider_verbs(&s);
        return tell_unknown("verb", &s);
    }
    hs__suggest(&s, "--help");
    hs__suggest(&s, "--version");
    return tell_unknown("option", &s);
}

static int unknown_page(const char *name)
{
    hs__suggestion s = {.word = name};
    consider_verbs(&s);
    for (const cli_page *page = cli_pages; page->name; page++)
        hs__suggest(&s, page->name);
    for (const cli_verb *verb = cli_lab_verbs; verb->name; verb++)
        hs__suggest(&s, verb->name);
    return tell_unknown("verb or page", &s);
}

static int asks_for_help(const char *word)
{
    return strcmp(word, "help") == 0 || strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0;
}

/* hs help [NAME], or the two words of what hs lab does. */
static int help(int argc, char **argv)
{
    char two_words[64] = "";
    if (argc < 3) {
        print_overview(stdout);
        return CLI_OK;
    }
    const char *name = asks_for_help(argv[2]) ? "hs" : argv[2];
    const cli_verb *verb = cli_find_verb(cli_verbs, name);
    const cli_page *page = cli_find_page(name);
    if (argc > 3 && strcmp(name, "lab") == 0) {
        snprintf(two_words, sizeof two_words, "%s %s", name, argv[3]);
        verb = cli_find_verb(cli_lab_verbs, two_words);
    }
    int words = two_words[0] ? 4 : 3;
    if (argc > words) {
        fprintf(stderr, "hs help: unexpected argument '%s'\nusage: hs help [VERB]\n", argv[words]);
        return CLI_USAGE;
    }
    if (two_words[0] && !verb)
        return unknown_page(two_words);
    if (!verb && !page)
        return unknown_page(name);
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
        if (cli_find_verb(cli_verbs, verb->name) != verb || !verb->run || !verb->summary[0] ||
            !strstr(verb->usage, verb->name))
            return 0;
    return 1;
}

static int run(int argc, char **argv)
{
    if (argc < 2) {
        print_overview(stderr);
        return CLI_USAGE;
    }
    if (asks_for_help(argv[1]))
        return help(argc, argv);
    if (strcmp(argv[1], "--version") == 0) {
        if (argc > 2) {
            fprintf(stderr, "hs --version: unexpected argument '%s'\nusage: hs --version\n", argv[2]);
            return CLI_USAGE;
        }
        puts("hs " PACKAGE_VERSION);
        return CLI_OK;
    }
    HS_ASSERT(verbs_are_sound());
    const cli_verb *verb = cli_find_verb(cli_verbs, argv[1]);
    int code = verb ? verb->run(verb, argc - 1, argv + 1) : unknown_word(argv[1]);
    return code == CLI_DONE ? CLI_OK : code;
}

/* What is opened later, such as the pipe by which a launcher is asked its version, must not take the number of a standard stream
 * that is closed. Reading or writing such a stream fails as before. */
static void occupy_closed_streams(void)
{
    static const int useless[] = {[STDIN_FILENO] = O_WRONLY, [STDOUT_FILENO] = O_RDONLY, [STDERR_FILENO] = O_RDONLY};
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) /* open() takes the lowest number that is free */
        if (fcntl(stream, F_GETFD) < 0 && open("/dev/null", useless[stream]) < 0)
            return;
}

int main(int argc, char **argv)
{
    occupy_closed_streams();
    signal(SIGCHLD, SIG_DFL); /* where it was ignored, the exit statuses of children are lost */
    if (cli_is_lab_agent())
        return cli_lab_agent(argc, argv);
    return close_stdout(run(argc, argv));
}
