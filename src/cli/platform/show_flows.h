/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_PLATFORM_SHOW_FLOWS_H
#define HS_CLI_PLATFORM_SHOW_FLOWS_H

#include "cli/base/cli.h"
#include <heteroslice/hs_platform.h>

/** Print what each flow of `text`, "A:B,C:D,...", gets when all send at once. @return exit status */
int cli_show_flows(const cli_verb *verb, const char *path, const hs_platform *platform, const char *text, int as_json);

#endif
