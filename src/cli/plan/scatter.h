/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_PLAN_SCATTER_H
#define HS_CLI_PLAN_SCATTER_H

#include <heteroslice/hs_divisible.h>
#include <jansson.h>

/** Draw a schedule as a Gantt chart, an SVG file at path. names are the hosts', as cli_host_name() takes them.
 * @return HS_OK; HS_ERR_IO, HS_ERR_NOMEM with *error */
hs_status cli_scatter_draw(const char *path, const hs_divisible *plan, const hs_divisible_params *params,
                           const json_t *names, hs_error *error);

#endif
