/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_BASE_VERBS_H
#define HS_CLI_BASE_VERBS_H

/* One function per verb, each in the file of that name; verbs.c has the table. */

#include "cli/base/cli.h"
#include "cli/base/help.h"

int cli_cache(const cli_verb *verb, int argc, char **argv);
int cli_ring(const cli_verb *verb, int argc, char **argv);
int cli_show(const cli_verb *verb, int argc, char **argv);
int cli_generate(const cli_verb *verb, int argc, char **argv);
int cli_env(const cli_verb *verb, int argc, char **argv);
int cli_lab(const cli_verb *verb, int argc, char **argv);
int cli_probe(const cli_verb *verb, int argc, char **argv);
int cli_scatter(const cli_verb *verb, int argc, char **argv);
int cli_columns(const cli_verb *verb, int argc, char **argv);
int cli_grid(const cli_verb *verb, int argc, char **argv);
int cli_rebalance(const cli_verb *verb, int argc, char **argv);
int cli_run(const cli_verb *verb, int argc, char **argv);
int cli_reduce(const cli_verb *verb, int argc, char **argv);
int cli_replay(const cli_verb *verb, int argc, char **argv);
int cli_report(const cli_verb *verb, int argc, char **argv);
int cli_completion(const cli_verb *verb, int argc, char **argv);
int cli_weights(const cli_verb *verb, int argc, char **argv);

/** What hs lab does, as verbs of two words, ended by a NULL name. */
extern const cli_verb cli_lab_verbs[];

/** The verb of this name in a table; NULL when there is none. */
const cli_verb *cli_find_verb(const cli_verb *verbs, const char *name);

/** The first page from this one on that hs help shows and that belongs to no verb: of a file's format, of a program.
 * NULL when there is none. Begin with cli_pages, and go on with the one after the last. */
const cli_page *cli_other_page(const cli_page *page);

#endif
