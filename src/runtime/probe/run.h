/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_PROBE_RUN_H
#define HS_RUNTIME_PROBE_RUN_H

/* A measurement in progress and its phases. Every phase is collective, and its outcome is the same on all
 * ranks: they feed the same gathered numbers to the same rules. */

#include "plan/discover/discover.h"
#include "runtime/base/peers.h"
#include "runtime/probe/facts.h"
#include "runtime/probe/kernels.h"
#include "runtime/probe/pairs.h"
#include "runtime/probe/stats.h"
#include "runtime/probe/stream.h"
#include <heteroslice/hs_probe.h>

enum { HS__REPORT_VALUES = 24 };

/** What each rank tells all others at the end of a slot of measuring. */
typedef struct hs__probe_report {
    double value[HS__REPORT_VALUES];
    double elapsed; /* seconds since the beginning, by the rank's own clock */
    double status;  /* of the rank, an hs_status */
} hs__probe_report;

/** Flows that are measured at the same time. */
typedef struct hs__probe_round {
    int flows;
    hs__probe_flow *flow; /* room for one a host; owned */
} hs__probe_round;

typedef struct hs__probe {
    hs__peers peers; /* on a duplicate; owned */
    int rank, ranks, hosts;
    int *host_of, *first; /* of ranks, of hosts (lowest rank); owned */
    int *partner;         /* of each host in the slot being measured, -1 none; owned */
    double budget, begin; /* seconds; begin by this rank's clock */
    double elapsed;       /* rank 0's, as of the last exchange: the same on all ranks */
    hs_probe_kernel kernel;
    hs__kernel *kernels[HS_PROBE_KERNELS];    /* those to measure; owned */
    hs__samples *speed[HS_PROBE_KERNELS];     /* by host, flop/s of one rank; owned */
    hs__samples *cpu_speed[HS_PROBE_KERNELS]; /* likewise by CPU time; owned */
    double *instruction_rate, *cycle_rate;    /* by host; owned */
    hs__room *room;                           /* by host; owned */
    hs__sized_speed *
        sized; /* host * HS__PROBE_SIZES + size: bytes of all ranks, and the means of their flop/s of CPU time; owned */
    hs__pairs pairs;
    hs__discovery *discovery; /* on rank 0; owned */
    hs__probe_round round;
    int network;               /* the links found explain the readings: the same on all ranks */
    hs__stream_memory *memory; /* for the links, on first ranks only; owned, left to MPI when peers are broken */
    hs__probe_report *report;  /* of all ranks, from the last exchange, and last what this one tells; likewise */
    hs_status status;          /* what went wrong on this rank since the last exchange */
} hs__probe;

/** Tell n <= HS__REPORT_VALUES numbers to all and learn theirs in report[]; also agrees on the status. */
hs_status hs__probe_exchange(hs__probe *probe, const double *values, int n);

/** This rank's flow with the first rank of another host, watched in at most so many slices from the first arrival on. */
hs__stream hs__probe_stream(const hs__probe *probe, int partner, double slice, int most);

/** Add one reading of the speed of each kernel on each host, each computing for so many seconds. */
hs_status hs__probe_speeds(hs__probe *probe, const double *seconds);

/** Whether the speeds of the kernel used are steady. */
int hs__probe_speeds_steady(const hs__probe *probe, double tolerance);

/** Measure the kernel used with more data: in memory, in the largest caches, and between, as time permits. */
hs_status hs__probe_sizes(hs__probe *probe);

/** Measure latencies, in at most so many rounds of pairs; sweep counts from 0. */
hs_status hs__probe_latencies(hs__probe *probe, int sweep, int most);

/** Find the links that hosts share, in rounds of flows that plan/discover/ chooses, until nothing more is worth a round or
 * the time for it is up; sets probe->network. Below four hosts there is nothing to find. */
hs_status hs__probe_network(hs__probe *probe);

/** Measure all links once, in rounds, and then what needs a reading alone, as long as the budget lasts; sweep counts
 * from 0, and only the first is certain to measure anything. */
hs_status hs__probe_links(hs__probe *probe, int sweep);

/** Make the result from all readings. */
hs_status hs__probe_conclude(hs__probe *probe, hs_probe_result *result);

#endif
