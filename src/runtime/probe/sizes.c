/* SPDX-License-Identifier: BSD-3-Clause */
/* The speed by the size of the slice: all ranks compute with more data at the same time, one size after another, first what
 * tells most. Taking memory costs more than computing with it, so it is taken once, as much as half of the time allows, and
 * smaller sizes are parts of it. */
#include "runtime/probe/run.h"
#include <math.h>

static const double size_share = 0.05;     /* of the budget: all sizes */
static const double longest_sizes = 1;     /* seconds of all sizes */
static const double shortest_block = 2e-3; /* seconds of one size; shorter ones are rough */

/* The kernel by itself, and all the memory there was time to take. */
enum { OWN, LARGEST };

/* Bytes of a rank, 0 when unknown. Beyond a cache of n bytes, most accesses miss with 4 n and few with n / 2. */
static double wanted(const hs__room *room, int size)
{
    const double bytes[HS__PROBE_SIZES] = {0,
                                           4 * room->last,
                                           room->last / 2,
                                           2 * room->last,
                                           room->last,
                                           room->second < room->last ? 2 * room->second : 0};
    return fmin(bytes[size], room->unused / 2);
}

/* What the ranks of each host reported: bytes, speed. */
static void note(hs__probe *probe, int size)
{
    for (int i = 0; i < probe->hosts; i++) {
        hs_speed_point sum = {0, 0};
        int ranks = 0, complete = 1;
        for (int r = probe->first[i]; r < probe->ranks; r++)
            if (probe->host_of[r] == i) {
                const double *value = probe->report[r].value;
                complete &= value[0] > 0 && value[1] > 0;
                sum.size += value[0];
                sum.speed += value[1];
                ranks++;
            }
        if (complete)
            probe->sized[i * HS__PROBE_SIZES + size] = (hs_speed_point){sum.size, sum.speed / ranks};
    }
}

/* One size of data, at the same time on all ranks. A first half brings it into the caches that have room for it. */
static hs_status measure(hs__probe *probe, hs__kernel *kernel, int size, double seconds)
{
    hs__line share = {0};
    double value[2] = {0};
    const hs__room *room = &probe->room[probe->host_of[probe->rank]];
    if (kernel && (size <= LARGEST || hs__kernel_resize(kernel, wanted(room, size)))) {
        hs__kernel_time(kernel, HS__KERNEL_ANEW, seconds / 2, &share);
        hs__kernel_time(kernel, HS__KERNEL_ANEW, seconds / 2, &share);
        value[0] = hs__kernel_bytes(kernel);
        value[1] = hs__kernel_mean_speed(kernel);
    }
    hs_status status = hs__probe_exchange(probe, value, 2);
    if (status == HS_OK)
        note(probe, size);
    return status;
}

hs_status hs__probe_sizes(hs__probe *probe)
{
    double total = fmin(size_share * probe->budget, longest_sizes), end = probe->elapsed + total;
    double block = total / (2 * HS__PROBE_SIZES);
    if (block < shortest_block)
        return HS_OK;
    double most = wanted(&probe->room[probe->host_of[probe->rank]], LARGEST);
    hs__kernel *large = hs__kernel_create_sized(probe->kernel, most, total / 2);
    hs_status status = hs__probe_exchange(probe, NULL, 0); /* to begin together */
    for (int size = 0; size < HS__PROBE_SIZES && status == HS_OK; size++)
        if (size <= LARGEST || probe->elapsed + block <= end)
            status = measure(probe, size == OWN ? probe->kernels[probe->kernel] : large, size, block);
    hs__kernel_free(large);
    return status;
}
