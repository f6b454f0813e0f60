/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_BASE_BOUNDS_H
#define HS_CLI_BASE_BOUNDS_H

#include "cli/base/cli.h"
#include "platform/bounds.h"

/** Print one line about links that a plan crosses and whose bandwidth is only a lower bound; nothing without any. */
void cli_print_bounds(const hs__bounds *bounds);

/** Add "at_least", the ids of those links, to a plan; nothing without any. */
void cli_name_bounds(json_t *object, const hs__bounds *bounds);

#endif
