/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_REDUCTION_H
#define HS_PLAN_REDUCTION_H

/* What the planners of reductions share. The words of reduction-schedule: t(p) seconds to send from p, P a sequence of
 * senders, s(p) the start of p, c(s, p) = s(p) + t(p) its completion.
 *
 * Read backwards in time, a schedule is a binary tree on the n - 1 senders: a message can begin (backwards) when an
 * informed host is free, and when it is over there are two. The makespan is the heaviest path from the root of the
 * tree, and Lemma 1 says that some best tree has no child faster than its parent. */

#include "util/pool.h"
#include <heteroslice/hs_reduction.h>
#include <stddef.h>

struct hs_reduction {
    int hosts, root, optimal;
    double makespan, lower_bound;
    int64_t explored, sequences;
    hs_transfer *transfer; /* [hosts - 1] in the order of sending; owned */
};

/** Hosts by decreasing time, lowest index first among equals: the root, then slowest-node-first's sequence. */
hs_status hs__reduction_slowest_first(const double *time, int hosts, int *order);

/** Algorithm EP: the starts of senders[0 .. n-2] in the order given, their receivers, and the makespan.
 * @param[out] transfer  [hosts - 1]; from, to, start and end */
hs_status hs__reduction_earliest(const double *time, int hosts, int root, const int *senders, hs_transfer *transfer,
                                 double *makespan);

/** A plan without messages and with a makespan of INFINITY. @return NULL when memory is out */
hs_reduction *hs__reduction_new(int hosts);

/** Schedule this sequence by algorithm EP, and accept the schedule if it is shorter than the plan's. */
hs_status hs__reduction_accept(hs_reduction *plan, const double *time, const int *senders);

/** Check that the plan is a schedule, ends at its makespan, and that its lower bound is no higher.
 * @return HS_OK; HS_ERR_INTERNAL with *error saying what is wrong; HS_ERR_NOMEM */
hs_status hs__reduction_verify(const hs_reduction *plan, const double *time, hs_error *error);

/* ---- Classes: hosts with the same time are interchangeable ---- */

/** The senders by class, fastest class first. */
typedef struct hs__classes {
    int senders, count;
    double *time; /* [count], increasing */
    int *size;    /* [count], adds up to senders */
    int *first;   /* [count], of its hosts in host[] */
    int *host;    /* [senders], by class, lowest index first */
    hs__pool pool;
} hs__classes;

/** Allocate the arrays for up to `count` classes, all empty. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__classes_create(hs__classes *classes, int senders, int count);

/** Group order[1 .. hosts-1], which is by decreasing time. */
hs_status hs__classes_init(hs__classes *classes, const double *time, int hosts, const int *order);
void hs__classes_free(hs__classes *classes);

/** Branch and bound as published; *plan holds slowest-node-first. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__reduction_paper(hs_reduction *plan, const double *time, const hs__classes *classes, int64_t budget);

/** Exact by classes; *plan holds slowest-node-first. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__reduction_exact(hs_reduction *plan, const double *time, const hs__classes *classes, int64_t budget);

#endif
