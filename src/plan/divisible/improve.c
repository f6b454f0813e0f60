/* SPDX-License-Identifier: BSD-3-Clause */
/* Local search over pairs of orders: one host moves to another place in the send or in the collect order, near places
 * first; each pair is judged by its linear program (fixed.c). The first improvement is taken; it ends when no
 * move helps. Hosts that were left out stand last in both orders and may come in by a move. */
#include "plan/divisible/divisible.h"
#include <string.h>

void hs__divisible_complete(const hs__star *star, hs__schedule *orders, const hs__schedule *from)
{
    hs__schedule_copy(orders, from, star->hosts);
    for (int k = 0; k < star->hosts; k++) {
        int i = star->by_c[k];
        if (from->load[i] > 0.0)
            continue;
        orders->send[orders->n] = orders->collect[orders->n] = i;
        orders->n++;
    }
    hs__schedule_settle_masters(orders, star);
}

void hs__divisible_move(int *hosts, int from, int to)
{
    int host = hosts[from];
    if (to < from)
        memmove(hosts + to + 1, hosts + to, (size_t)(from - to) * sizeof *hosts);
    else
        memmove(hosts + from, hosts + from + 1, (size_t)(to - from) * sizeof *hosts);
    hosts[to] = host;
}

typedef struct improver {
    hs__fixed *fixed;
    const hs__star *star;
    hs__schedule *best, *orders, *trial;
    int64_t max_programs;
} improver;

/* Tries one move; keeps it when the schedule gets shorter. */
static int try_move(improver *x, int collecting, int from, int to)
{
    int masters = x->star->hosts - x->star->workers, first = collecting ? 0 : masters;
    int *hosts = (collecting ? x->orders->collect : x->orders->send) + first;
    hs__divisible_move(hosts, from, to);
    hs__schedule_copy(x->trial, x->orders, x->star->hosts);
    hs__fixed_loads(x->fixed, x->star, x->trial);
    if (x->trial->makespan < x->best->makespan * (1.0 - 1e-10)) {
        hs__schedule_copy(x->best, x->trial, x->star->hosts);
        return 1;
    }
    hs__divisible_move(hosts, to, from);
    return 0;
}

/* All moves over a distance; returns whether one helped. */
static int sweep(improver *x, int distance)
{
    int helped = 0;
    for (int collecting = 0; collecting <= (x->star->results > 0.0); collecting++)
        for (int from = 0; from < x->star->workers; from++)
            for (int side = -1; side <= 1; side += 2) {
                int to = from + side * distance;
                if (to < 0 || to >= x->star->workers || (distance == 1 && side < 0))
                    continue;
                if (x->fixed->solved >= x->max_programs)
                    return 0;
                helped |= try_move(x, collecting, from, to);
            }
    return helped;
}

void hs__divisible_improve(hs__fixed *fixed, const hs__star *star, hs__schedule *schedule, hs__schedule *orders,
                           hs__schedule *trial, int64_t max_programs)
{
    int64_t most = max_programs < INT64_MAX - fixed->solved ? fixed->solved + max_programs : INT64_MAX;
    improver x = {fixed, star, schedule, orders, trial, most};
    hs__divisible_complete(star, orders, schedule);
    for (int distance = 1; distance < star->workers && fixed->solved < x.max_programs; distance++)
        if (sweep(&x, distance))
            distance = 0;
}
