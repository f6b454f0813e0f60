/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_LAB_RUN_H
#define HS_CLI_LAB_RUN_H

#include "cli/cli.h"

#define LAB_DEFAULT_NAME "lab"

/** Check the name of a lab. */
int cli_lab_name(const cli_verb *verb, const char *name);

/** hs lab run, hs lab exec */
int cli_lab_run(const cli_verb *verb, int argc, char **argv);
int cli_lab_exec(const cli_verb *verb, int argc, char **argv);

/** For mpirun only: hs lab agent LAB HOST COMMAND ... is its remote shell, hs lab rank LAB PROGRAM ... starts a rank on
 * the host it is run on. */
int cli_lab_agent(int argc, char **argv);
int cli_lab_rank(int argc, char **argv);

#endif
