/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_PLATFORM_PROBE_CHECK_H
#define HS_CLI_PLATFORM_PROBE_CHECK_H

#include "cli/base/cli.h"
#include <heteroslice/hs_probe.h>

/** Whether a platform file agrees with a measurement on rank 0: hosts that it has and that are on, pairs of them that had
 * the network to themselves, and flows at the same time, which the file says to share links. One line on stderr says what does not; nothing when there is no file. */
int cli_probe_holds(const cli_verb *verb, const char *file, const hs_probe_result *result);

#endif
