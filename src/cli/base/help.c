/* SPDX-License-Identifier: BSD-3-Clause */
/* hs help VERB: the manual page, which the program carries as text, so that it is there without man and without a terminal. */
#include "cli/base/help.h"
#include "util/assert.h"
#include "util/options.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

const cli_page *cli_find_page(const char *name)
{
    size_t length = strcspn(name, " "); /* "lab up" is on the page of lab */
    for (const cli_page *page = cli_pages; page->name; page++)
        if (strncmp(page->name, name, length) == 0 && !page->name[length])
            return page;
    return NULL;
}

/* Whether standard output may be coloured: it is a terminal, which is not dumb, and NO_COLOR is not set. */
static int may_colour(void)
{
    const char *terminal = hs__options_environment("TERM"), *refused = hs__options_environment("NO_COLOR");
    return isatty(STDOUT_FILENO) && terminal && strcmp(terminal, "dumb") != 0 && !(refused && refused[0]);
}

static void print_page(const cli_page *page)
{
    int colour = may_colour();
    for (const char *const *line = page->lines; *line; line++) {
        int heading = (*line)[0] && (*line)[0] != ' ';
        printf(colour && heading ? "\033[1m%s\033[0m\n" : "%s\n", *line);
    }
}

void cli_print_help(const cli_verb *verb)
{
    const cli_page *page = cli_find_page(verb->name);
    printf("hs %s: %s\nusage: %s\n", verb->name, verb->summary, verb->usage);
    if (page) {
        putchar('\n');
        print_page(page);
    }
}

void cli_show_page(const cli_page *page, const cli_verb *verb)
{
    char path[512], packed[512 + 3];
    HS_ASSERT(page->lines[0] && strlen(page->file) > 2);
    snprintf(path, sizeof path, "%s/man%s/%s", HS_MANDIR, strrchr(page->file, '.') + 1, page->file);
    snprintf(packed, sizeof packed, "%s.gz", path);
    if (isatty(STDOUT_FILENO) && (access(path, R_OK) == 0 || access(packed, R_OK) == 0))
        execlp("man", "man", access(path, R_OK) == 0 ? path : packed, (char *)NULL);
    if (verb)
        cli_print_help(verb);
    else
        print_page(page);
}
