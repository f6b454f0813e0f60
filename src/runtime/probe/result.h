/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_PROBE_RESULT_H
#define HS_RUNTIME_PROBE_RESULT_H

#include "plan/discover/discover.h"
#include <heteroslice/hs_probe.h>
#include <stdio.h>
#include <time.h>

struct hs_probe_result {
    int hosts, ranks;
    int *host_of;               /* host of each rank; owned */
    hs_probe_host *host;        /* owned, with the names */
    hs_probe_link *link;        /* by pair number, see hs__pair_number(); owned */
    hs_speed_function *by_size; /* of each host; owned */
    hs_speed_point *point;      /* of all functions; owned */
    hs_probe_kernel kernel;
    double time;
    int64_t when;            /* it ended, seconds since 1970 */
    hs__cut *cut;            /* the network found; owned */
    unsigned char *sides;    /* of all cuts; owned */
    int cuts;                /* 0: a clique of pairs */
    hs__discovery *readings; /* the rounds of flows, on rank 0 only; NULL: none; owned */
};

/** Let the platform's file say when, where and how it was measured. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__probe_comment(const hs_probe_result *result, hs_platform *platform);

/** Let it say that speeds were refreshed then, in the place of an earlier time. @return HS_OK; HS_ERR_NOMEM: it is as it was */
hs_status hs__probe_comment_refreshed(hs_platform *platform, time_t when);

/** Whether the time was up while links were still looked for; known on rank 0. */
int hs__probe_cut_short(const hs_probe_result *result);

/** Whether links were looked for, and none explained what the flows got; known on rank 0. */
int hs__probe_unexplained(const hs_probe_result *result);

/** Write all readings of concurrent flows: "round,from,to,bytes_per_second", on rank 0. */
void hs__probe_readings(const hs_probe_result *result, FILE *stream);

#endif
