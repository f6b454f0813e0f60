/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_PLAN_REDUCE_H
#define HS_CLI_PLAN_REDUCE_H

#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_reduction.h>

/** Draw a schedule as a Gantt chart, an SVG file at path. platform gives the hosts' names; NULL: numbers.
 * @return HS_OK; HS_ERR_IO, HS_ERR_NOMEM with *error */
hs_status cli_reduce_draw(const char *path, const hs_reduction *plan, const double *time, const hs_platform *platform,
                          hs_error *error);

#endif
