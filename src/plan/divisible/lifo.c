/* SPDX-License-Identifier: BSD-3-Clause */
/* LIFO: results come back in the reverse of the order in which the items went out, by decreasing bandwidth. Its loads
 * are those of a star with (1 + D) c, see star.c; all workers take part. */
#include "plan/divisible/divisible.h"
#include <string.h>

void hs__divisible_lifo_orders(const hs__star *star, hs__schedule *schedule)
{
    schedule->n = star->hosts;
    memcpy(schedule->send, star->by_c, (size_t)star->hosts * sizeof *schedule->send); /* masters, whose c is 0, first */
    for (int k = 0; k < star->hosts; k++)
        schedule->collect[k] = schedule->send[star->hosts - 1 - k];
}
