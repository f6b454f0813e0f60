/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/blocks.h"

hs_status hs_blocks_balance(hs_blocks *layout)
{
    layout->stats.steps++;
    return HS_UNCHANGED;
}

int hs_blocks_may_move(const hs_blocks *layout)
{
    (void)layout;
    return 0;
}

void hs_blocks_compute_begin(hs_blocks *layout)
{
    (void)layout;
}

void hs_blocks_compute_end(hs_blocks *layout)
{
    (void)layout;
}
