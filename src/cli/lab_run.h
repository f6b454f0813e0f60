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

/** What mpirun starts: LAB HOST COMMAND ..., a remote shell; and LAB PROGRAM ..., a rank on the host it is started on.
 * Neither is for people. */
int cli_lab_agent(int argc, char **argv);
int cli_lab_rank(int argc, char **argv);

#endif
