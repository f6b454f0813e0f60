/* SPDX-License-Identifier: BSD-3-Clause */
/* New partitions for given speeds during a run, for tests. */
#include "config.h"

#include "apps/common.h"
#include "matmul.h"
#include <stdlib.h>

/* Read the speeds of the ranks; the last one holds for all further ranks. */
static void read_speeds(const char *text, double *speed, int ranks)
{
    for (int r = 0; r < ranks; r++) {
        char *end;
        speed[r] = strtod(text, &end);
        text = *end == ',' ? end + 1 : text;
    }
}

hs_status matmul_cut(const matmul_options *o, hs_blocks *layout, int ranks, int64_t step)
{
    hs_status status = HS_UNCHANGED;
    for (int c = 0; c < o->cuts.count && status >= 0; c++) {
        if (o->cuts.event[c].step != step)
            continue;
        double *speed = app_allocate(ranks, sizeof *speed);
        read_speeds(o->cuts.event[c].text, speed, ranks);
        hs_status now = hs_blocks_rebalance(layout, speed);
        status = now == HS_UNCHANGED ? status : now;
        free(speed);
    }
    return status;
}
