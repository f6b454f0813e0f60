/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_START_LAB_RUN_H
#define HS_CLI_START_LAB_RUN_H

#include "cli/base/cli.h"
#include "lab/lab.h"

#define LAB_DEFAULT_NAME "lab"

/** Check the name of a lab. */
int cli_lab_name(const cli_verb *verb, const char *name);

/** hs lab run, hs lab exec */
int cli_lab_run(const cli_verb *verb, int argc, char **argv);
int cli_lab_exec(const cli_verb *verb, int argc, char **argv);

/** Start a job on the hosts of these names (NULL: all). Its lab, hosts and paths are filled in.
 * @return the launcher's exit status; CLI_BAD_INPUT after one line on stderr */
int cli_lab_start(const cli_verb *verb, const char *name, const hs__words *hosts, const lab_job *job);

/** Whether this process was started as a lab's agent, the remote shell of launchers: agent HOST COMMAND ... */
int cli_is_lab_agent(void);
int cli_lab_agent(int argc, char **argv);

/** Started by launchers: hs lab rank LAB PROGRAM ... starts a rank on the host it is run on. */
int cli_lab_rank(int argc, char **argv);

#endif
