/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_PLATFORM_SHOW_RING_H
#define HS_CLI_PLATFORM_SHOW_RING_H

#include "platform/draw.h"

/** The parts of a plan (`hs ring --json`) that a drawing shows. */
typedef struct cli_ring_plan {
    int *hosts;     /* node indices in ring order */
    double *shares; /* their shares of the work */
    size_t count;
    double *load;          /* bytes/s on each link, for a duplex pair that of the busier direction */
    unsigned char *hollow; /* [host] 1: not in the ring */
    hs__pool pool;         /* has all arrays */
} cli_ring_plan;

/** Read a plan for a platform. On failure *error has the reason and *plan is not changed. */
hs_status cli_ring_plan_read(const char *path, const hs_platform *platform, cli_ring_plan *plan, hs_error *error);
void cli_ring_plan_free(cli_ring_plan *plan);

/** Draw shares as areas, loads as widths and the ring as a loop, with its hosts around the drawing. The plan must live as long
 * as the drawing. @return HS_OK; HS_ERR_NOMEM */
hs_status cli_ring_plan_draw(const cli_ring_plan *plan, hs__drawing *drawing);

#endif
