/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_PLATFORM_SHOW_GROUPS_H
#define HS_CLI_PLATFORM_SHOW_GROUPS_H

#include "cli/base/cli.h"

/** How flows share a link, in one word. */
const char *cli_sharing_name(const hs_platform *platform, int link);

/** Print one row for all hosts alike, and one for all links alike. @return CLI_OK, or CLI_BAD_INPUT without memory */
int cli_show_groups(const cli_verb *verb, const hs_platform *platform);

#endif
