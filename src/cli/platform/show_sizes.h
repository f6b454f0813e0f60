/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_PLATFORM_SHOW_SIZES_H
#define HS_CLI_PLATFORM_SHOW_SIZES_H

#include <heteroslice/hs_speed.h>
#include <jansson.h>

/** Whether anything is known of the speed by size, or of the largest slice. */
int cli_has_sizes(const hs_speed_function *function);

/** Print on one line the speeds by size, and the largest slice. */
void cli_print_sizes(const hs_speed_function *function);

/** Add "speed_by_size" and "max_slice" to a host's object, as far as they are known. */
void cli_add_sizes(json_t *host, const hs_speed_function *function);

#endif
