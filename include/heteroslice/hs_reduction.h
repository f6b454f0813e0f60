/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_REDUCTION_H
#define HETEROSLICE_HS_REDUCTION_H

/* Reductions on unequal hosts: who sends its partial result to whom, and when, so that the last one has the answer as
 * early as possible (reduction-schedule, whose model the functions of this header follow). Read from the end to the
 * beginning, each schedule is a broadcast of the same length. */

#include <heteroslice/hs_status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hs_reduction_method {
    HS_REDUCTION_SNF,    /* slowest-node-first, section 4: at most twice the optimum, O(n log n) */
    HS_REDUCTION_PAPER,  /* branch and bound with the exchange lemma, section 6, as published: to compare with */
    HS_REDUCTION_OPTIMAL /* exact, by classes of hosts with equal times; beyond its budget the best schedule met */
} hs_reduction_method;

enum { HS_REDUCTION_PAPER_MAX = 64 }; /* most hosts of HS_REDUCTION_PAPER; it is slow from about 16 on */

/** One message: from sends its partial result to `to`, which combines it with its own. */
typedef struct hs_transfer {
    int from, to;      /* host indices */
    double start, end; /* seconds */
} hs_transfer;

/** A schedule; freed with hs_reduction_free(). */
typedef struct hs_reduction hs_reduction;

/** Schedule a reduction.
 *
 * Model:      host i needs time[i] to send its partial result to any other; sender and receiver do nothing else
 *             meanwhile; each host but the root sends once, after all it receives. The root is the slowest host (the
 *             lowest index among equals), since it need not send.
 * Source:     Liu, Sheng, Yang, "Heuristic Search of Optimal Reduction Schedule in Heterogeneous Cluster Environments",
 *             sections 2 to 6.
 * Differs:    HS_REDUCTION_OPTIMAL is ours, see doc/algorithms/reduction.md.
 * Guarantee:  a valid earliest-possible schedule (inequality 1). HS_REDUCTION_SNF: at most twice the optimum. The
 *             others: optimal when hs_reduction_is_optimal(), else never worse than slowest-node-first and within
 *             hs_reduction_lower_bound(). Deterministic.
 * Cost:       O(n log n) time and O(n) memory for slowest-node-first; the others stop after `budget` search nodes, and
 *             HS_REDUCTION_OPTIMAL counts the work for its bounds as nodes, too; it takes up to 350 MB.
 *
 * @param[in]  time    seconds, array of length hosts, each > 0 and finite, 0 of a single host; borrowed during the call
 * @param[in]  hosts   n >= 1
 * @param[in]  budget  most nodes the search may explore; 0: a default of a second to a few
 * @param[out] plan    on HS_OK a new schedule the caller frees with hs_reduction_free(); else untouched
 * @param[out] error   on failure one line; may be NULL
 * @return HS_OK; HS_ERR_ARG (a bound above broken); HS_ERR_UNSUPPORTED (too many hosts for the method); HS_ERR_NOMEM */
HS_API hs_status hs_reduction_create(const double *time, int hosts, hs_reduction_method method, int64_t budget,
                                     hs_reduction **plan, hs_error *error);

/** The earliest-possible schedule of a given order of sending (algorithm EP, section 3). The host not named is the
 * root.
 *
 * Guarantee:  no schedule in which the hosts start in this order ends earlier.
 * Cost:       O(n log n).
 * @param[in]  order  hosts - 1 distinct host indices
 * @return as hs_reduction_create() */
HS_API hs_status hs_reduction_create_given(const double *time, int hosts, const int *order, hs_reduction **plan,
                                           hs_error *error);

/** Free a schedule; NULL is fine. */
HS_API void hs_reduction_free(hs_reduction *plan);

/** What a schedule says, and how it was found. */
HS_API int hs_reduction_hosts(const hs_reduction *plan);
HS_API int hs_reduction_root(const hs_reduction *plan);
HS_API double hs_reduction_makespan(const hs_reduction *plan);    /* seconds; 0 for one host */
HS_API double hs_reduction_lower_bound(const hs_reduction *plan); /* seconds: no schedule of these hosts is shorter */
HS_API int hs_reduction_is_optimal(const hs_reduction *plan);     /* 1: proven, 0: not known */
HS_API int64_t hs_reduction_explored(const hs_reduction *plan);   /* search nodes: partial schedules looked at */
HS_API int64_t hs_reduction_sequences(const hs_reduction *plan);  /* HS_REDUCTION_PAPER: complete sequences looked at */

/** The hosts - 1 messages by increasing start, in the order of sending. Borrowed until the plan is freed. */
HS_API const hs_transfer *hs_reduction_transfers(const hs_reduction *plan, int *count);

/** Check any schedule against the model: inequality 1 at all times, and each host takes part in one
 * message at a time, sends once, for time[i] seconds (up to rounding), after all it receives; the root never sends.
 * Cost:       O(n log n).
 *
 * @param[in]  transfer  hosts - 1 messages in any order
 * @return HS_OK; HS_ERR_ARG; HS_ERR_INFEASIBLE with *error saying what is wrong; HS_ERR_NOMEM */
HS_API hs_status hs_reduction_check(const double *time, int hosts, int root, const hs_transfer *transfer,
                                    hs_error *error);

#ifdef __cplusplus
}
#endif
#endif
