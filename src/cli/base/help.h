/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_BASE_HELP_H
#define HS_CLI_BASE_HELP_H

#include "cli/base/cli.h"

/** A manual page as text, without the sections NAME and SYNOPSIS. */
typedef struct cli_page {
    const char *name;         /* a verb, or "platform" and the like */
    const char *file;         /* the page's own name, hs-ring.1 */
    const char *const *lines; /* ended by NULL */
} cli_page;

/** All pages, ended by a NULL name; gen_help.py makes them from doc/man. */
extern const cli_page cli_pages[];

/** The page of this name; NULL when there is none. */
const cli_page *cli_find_page(const char *name);

/** Print summary and usage of a verb and its manual page on standard output. */
void cli_print_help(const cli_verb *verb);

/** Show a page in the reader of manual pages, when standard output is a terminal and the page is installed; else print it. */
void cli_show_page(const cli_page *page, const cli_verb *verb);

#endif
