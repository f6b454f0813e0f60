/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_PROBE_PAIRS_H
#define HS_RUNTIME_PROBE_PAIRS_H

/* What is known of the network between hosts so far, and what to measure next. No MPI, no clock: every rank feeds it
 * the same readings and draws the same conclusions. */

#include "runtime/probe/stats.h"
#include <heteroslice/hs_probe.h>
#include <stddef.h>

/** A reading of one pair i < j. */
typedef struct hs__reading {
    int i, j;
    double value;
} hs__reading;

typedef struct hs__pair {
    hs__samples together, alone; /* bandwidth, bytes/s, with and without other pairs sending */
    hs__samples latency;         /* seconds */
    double others;               /* bytes/s of the other pairs in the round measured last */
    double inferred;             /* bandwidth of a shared link that explains a doubtful reading, 0 when none does */
    int i, j, round;             /* round of that reading, -1 when there was none */
} hs__pair;

typedef struct hs__pairs {
    int hosts;
    int *place;             /* of pair i < j in pair[] by its number j (j - 1) / 2 + i, -1 when not measured; owned */
    hs__pair *pair;         /* owned */
    size_t count, capacity; /* of pair[] */
    double *top;            /* highest bandwidth seen of each host, 0 when none; owned */
    double *sum;            /* scratch, by round; owned */
} hs__pairs;

/** Nothing known of the pairs of n >= 1 hosts. @return HS_OK; HS_ERR_NOMEM. Start with {0}. */
hs_status hs__pairs_init(hs__pairs *pairs, int n);
void hs__pairs_free(hs__pairs *pairs);

/** Add the bandwidths of all pairs that sent at the same time, n >= 0, in round number `round`. */
hs_status hs__pairs_add(hs__pairs *pairs, int round, const hs__reading *readings, int n);
hs_status hs__pairs_add_latency(hs__pairs *pairs, const hs__reading *reading);

/** Whether each pair is in its place, and none is said to be faster than what its hosts have shown.
 * @return HS_OK; HS_ERR_INTERNAL with the defect in *error */
hs_status hs__pairs_check(const hs__pairs *pairs, hs_error *error);

/** Whether a pair may be measured along with others: nothing hints that they slow it down. */
int hs__pairs_joins(const hs__pairs *pairs, int i, int j);

/** Which readings alone are wanted now. */
typedef enum hs__urgency {
    HS__URGENT, /* of doubtful readings that no shared link explains, and of one pair that looks unhindered */
    HS__USEFUL  /* also of all that were only measured along with others, or fewer than `wanted` times alone */
} hs__urgency;

/** The pair most worth a reading with the network to itself, of those with fewer than `wanted` such readings: doubtful
 * ones first, by how much they could gain; then those that others slow down; then those that show best what a host can
 * do; then what else was never measured but along with others. Ties: lowest j, then i.
 * @return 1 with *i < *j set; 0 when there is none */
int hs__pairs_next_alone(const hs__pairs *pairs, hs__urgency urgency, int wanted, int *i, int *j);

/** How often the pair has been measured alone. */
int hs__pairs_alone_count(const hs__pairs *pairs, int i, int j);

/** Median latency of the pair; 0 when it is not known. */
double hs__pairs_latency(const hs__pairs *pairs, int i, int j);

/** Whether every measured pair has three readings in a row within the tolerance of their median. */
int hs__pairs_steady(const hs__pairs *pairs, double tolerance);

/** The best estimate for every pair, in the order of pair numbers; array of length hosts (hosts - 1) / 2. Readings of 0 tell
 * nothing. @return HS_OK; HS_ERR_UNREACHABLE: no pair has another reading; HS_ERR_NOMEM */
hs_status hs__pairs_conclude(const hs__pairs *pairs, hs_probe_link *link);

/** Number of the pair i != j in any order. */
size_t hs__pair_number(int i, int j);

#endif
