/* SPDX-License-Identifier: BSD-3-Clause */
/* The speed by the size of the slice: all ranks compute with more data at the same time, as many sizes as there is time for, first
 * what tells most. Taking memory costs more than computing with it, so it is taken once, as much as half of the time allows, and
 * smaller sizes are parts of it. */
#include "runtime/probe/run.h"
#include <math.h>
#include <string.h>

static const double size_share = 0.05;    /* of the budget: all sizes */
static const double longest_sizes = 1;    /* seconds of all sizes */
static const double shortest_turn = 3e-3; /* seconds of one reading; shorter ones are rough */

/* Readings of a size: those of one are all below those of another of the same speed once in 252 cases. */
enum { TURNS = 5, SUMMARY = 4 /* numbers that tell of a size */ };
_Static_assert((int)SUMMARY *(int)HS__PROBE_SIZES <= (int)HS__REPORT_VALUES, "there is room to tell all");

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

/* The range of the readings of a size. */
static hs__sized_speed summary(double bytes, const hs__samples *speed)
{
    hs__sized_speed sized = {bytes, INFINITY, hs__samples_median(speed), 0};
    for (int k = 0; k < hs__samples_kept(speed); k++) {
        sized.low = fmin(sized.low, speed->value[k]);
        sized.high = fmax(sized.high, speed->value[k]);
    }
    return sized;
}

/* What the ranks of each host reported, as of summary(). */
static void note(hs__probe *probe, int size)
{
    for (int i = 0; i < probe->hosts; i++) {
        hs__sized_speed sum = {0};
        int ranks = 0, complete = 1;
        for (int r = probe->first[i]; r < probe->ranks; r++)
            if (probe->host_of[r] == i) {
                const double *value = probe->report[r].value + size * SUMMARY;
                complete &= value[0] > 0 && value[2] > 0;
                sum = (hs__sized_speed){sum.size + value[0], sum.low + value[1], sum.speed + value[2],
                                        sum.high + value[3]};
                ranks++;
            }
        if (complete)
            probe->sized[i * HS__PROBE_SIZES + size] =
                (hs__sized_speed){sum.size, sum.low / ranks, sum.speed / ranks, sum.high / ranks};
    }
}

/* Tell all hosts' speeds to all. */
static hs_status share(hs__probe *probe, const hs__sized_speed *sized, int sizes)
{
    double value[SUMMARY * HS__PROBE_SIZES];
    for (int size = 0; size < sizes; size++) {
        const double own[SUMMARY] = {sized[size].size, sized[size].low, sized[size].speed, sized[size].high};
        memcpy(value + size * SUMMARY, own, sizeof own);
    }
    hs_status status = hs__probe_exchange(probe, value, SUMMARY * sizes);
    for (int size = 0; size < sizes && status == HS_OK; size++)
        note(probe, size);
    return status;
}

/* One reading of a size; a first half brings its data into the caches that have room for them. */
static double read_speed(hs__kernel *kernel, double seconds)
{
    hs__line share = {0};
    hs__kernel_time(kernel, HS__KERNEL_ANEW, seconds / 2, &share);
    hs__kernel_time(kernel, HS__KERNEL_ANEW, seconds / 2, &share);
    return hs__kernel_mean_speed(kernel);
}

/* All sizes in turn, so that what disturbs one for a while disturbs all. @param[out] sized  [sizes] of this rank */
static void measure(hs__probe *probe, hs__kernel *large, int sizes, double seconds, hs__sized_speed *sized)
{
    const hs__room *room = &probe->room[probe->host_of[probe->rank]];
    hs__samples speed[HS__PROBE_SIZES] = {0};
    double most = large ? hs__kernel_bytes(large) : 0;
    for (int turn = 0; turn < TURNS; turn++)
        for (int size = 0; size < sizes; size++) {
            hs__kernel *kernel = size == OWN ? probe->kernels[probe->kernel] : large;
            if (!kernel || (size != OWN && !hs__kernel_resize(kernel, size == LARGEST ? most : wanted(room, size))))
                continue;
            hs__samples_add(&speed[size], read_speed(kernel, seconds));
            sized[size] = summary(hs__kernel_bytes(kernel), &speed[size]);
        }
}

hs_status hs__probe_sizes(hs__probe *probe)
{
    double half = fmin(size_share * probe->budget, longest_sizes) / 2;
    int sizes = (int)fmin(half / (TURNS * shortest_turn), HS__PROBE_SIZES);
    if (sizes <= LARGEST)
        return HS_OK;
    hs__sized_speed sized[HS__PROBE_SIZES] = {0};
    double most = wanted(&probe->room[probe->host_of[probe->rank]], LARGEST);
    hs__kernel *large = hs__kernel_create_sized(probe->kernel, most, half);
    hs_status status = hs__probe_exchange(probe, NULL, 0); /* to begin together */
    if (status == HS_OK)
        measure(probe, large, sizes, half / (TURNS * sizes), sized);
    if (status == HS_OK)
        status = share(probe, sized, sizes);
    hs__kernel_free(large);
    return status;
}
