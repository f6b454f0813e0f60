/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_BASE_PROGRESS_H
#define HS_CLI_BASE_PROGRESS_H

#include "cli/base/cli.h"

/** Show that a verb is still at work: from two seconds on a line of standard error, "hs VERB: what, 5 s", until
 * cli_progress_end(), which erases it. Only on a terminal, and while its foreground job is ours. One at a time. */
void cli_progress_begin(const cli_verb *verb, const char *what);

/** Erase the line; to be called before anything is printed, as cli_fail() and its kin do. Does nothing without a line. */
void cli_progress_end(void);

#endif
