/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_BASE_SPEEDS_H
#define HS_CLI_BASE_SPEEDS_H

#include "cli/base/cli.h"

/** Refuse --speeds together with --speeds-file.
 * @return CLI_OK, or CLI_USAGE with one line on stderr */
int cli_check_speeds(const cli_verb *verb, const char *list, const char *path);

/** Read the speeds of hosts from --speeds (a comma-separated list) or --speeds-file (quantities separated by blanks,
 * commas or line ends; # begins a comment). A speed of 0 is allowed. Call cli_check_speeds() first.
 * @return CLI_OK with a new array; CLI_BAD_INPUT after one line on stderr */
int cli_read_speeds(const cli_verb *verb, const char *list, const char *path, double **speed, int *hosts);

#endif
