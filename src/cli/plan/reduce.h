/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_PLAN_REDUCE_H
#define HS_CLI_PLAN_REDUCE_H

#include <heteroslice/hs_reduction.h>
#include <jansson.h>

/** Draw a schedule as a Gantt chart, an SVG file at path. names are the hosts', as cli_host_name() takes them.
 * @return HS_OK; HS_ERR_IO, HS_ERR_NOMEM with *error */
hs_status cli_reduce_draw(const char *path, const hs_reduction *plan, const double *time, const json_t *names,
                          hs_error *error);

#endif
