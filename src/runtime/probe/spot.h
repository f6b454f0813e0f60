/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_PROBE_SPOT_H
#define HS_RUNTIME_PROBE_SPOT_H

/* Whether an earlier measurement still holds, by a look of some 35 ms: all ranks compute for 20 ms at the same time, then each host
 * takes part in one flow of about 10 ms, those of one round of the tournament at the same time. Which round changes with
 * the time of day, so that one start after another sees all pairs. When something does not agree, a look ten times as
 * long decides. Where only speeds differ then, and by little, those seen can take the place of those measured. */

#include "plan/discover/discover.h"
#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_probe.h>
#include <mpi.h>
#include <stddef.h>

/** The part by which a host's speed may differ from the measurement's, either way. A planner that believes a speed that is off
 * by as much makes the step at most so much longer; and two measurements differ by up to 5 %. Of a quota the first look sees a few
 * periods, or none, so where hosts have quotas the second one often decides. */
#define HS__SPOT_SPEED 1.25

/** The factor by which a speed may differ for the measurement to be refreshed: a busy hardware thread, another virtual machine or
 * the clock's frequency slow a host by less with slices of any size. A host that differs by more is measured anew. */
#define HS__SPOT_REFRESH 2.0

/** How many times slower than expected a flow may be. A link matters to a plan by where the ring crosses it, and ends
 * that sleep, or whose quota is spent, lose some of 10 ms. Up to a third of the flows may be slower. A faster flow
 * tells nothing: buckets and buffers let the first milliseconds of any flow pass faster than what lasts. */
#define HS__SPOT_RATE 2.0

/** What was seen. */
typedef struct hs__spot {
    int hosts, flows;
    const char *const *name;    /* [hosts] */
    const int *ranks;           /* [hosts] that computed there */
    const double *speed;        /* [hosts] flop/s of one rank, the mean */
    const hs__probe_flow *flow; /* [flows] that ran at the same time */
    const double *expected;     /* [flows] bytes/s by the platform */
} hs__spot;

/** What the platform says that the flows of a round get at the same time. @param[out] rate  [n] bytes/s
 * @return HS_OK; HS_ERR_UNREACHABLE: two hosts have no route; HS_ERR_NOMEM */
hs_status hs__spot_expect(const hs_platform *platform, const char *const *name, const hs__probe_flow *flow, int n,
                          double *rate);

/** Whether all hosts are in the platform and it agrees with what was seen of those that are on in it.
 * @param[in]  file  the platform's name in the text
 * @param[out] why   one line when not, "a1: 1.2 Gf now, 8 Gf in FILE" */
int hs__spot_agrees(const hs__spot *spot, const hs_platform *platform, const char *file, char *why, size_t size);

/** Where only speeds differ, and none by more than HS__SPOT_REFRESH, let those that differ be the ones seen; the platform's comment
 * says when.
 * @return whether the platform agrees now; else it is as it was */
int hs__spot_refresh(const hs__spot *spot, hs_platform *platform);

/** How a platform fares. */
typedef enum hs__holds { HS__HOLDS_NOT, HS__HOLDS, HS__HOLDS_REFRESHED } hs__holds;

/** Look whether a platform still holds. Collective over comm, on a duplicate; all ranks are there.
 *
 * @param[in]  params    kernel, host_name and timeout count
 * @param[in,out] platform  rank 0's counts, and is refreshed as hs__spot_refresh() does after the longer look
 * @param[in]  file      as of hs__spot_agrees()
 * @param[out] holds     the same on all ranks
 * @param[out] why       on rank 0, one line when it did not hold as it was
 * @return the same on all ranks: HS_OK; HS_ERR_NOMEM; HS_ERR_MPI; HS_ERR_TIMEOUT, which has been reported */
hs_status hs__probe_holds(MPI_Comm comm, const hs_probe_params *params, hs_platform *platform, const char *file,
                          hs__holds *holds, char *why, size_t size, hs_error *error);

#endif
