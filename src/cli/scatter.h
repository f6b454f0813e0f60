/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_SCATTER_H
#define HS_CLI_SCATTER_H

#include <heteroslice/hs_divisible.h>
#include <heteroslice/hs_platform.h>

/** Draw who sends, computes and returns when, as an SVG at path; platform: whose names the hosts have, NULL:
 * numbers. @return HS_OK; HS_ERR_IO, HS_ERR_NOMEM with *error */
hs_status cli_scatter_draw(const char *path, const hs_divisible *plan, const hs_divisible_params *params,
                           const hs_platform *platform, hs_error *error);

#endif
