/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_LINKS_LINKS_H
#define HS_PLAN_LINKS_LINKS_H

/* Which link of a known platform has another bandwidth than it had, from a few rounds of flows. Pure: no MPI, no clock.
 *
 * Model. The flows of a round run at the same time and get their max-min fair rates. One link has changed: each that a
 * flow crosses is tried, with the bandwidth that explains all rates best; of a SPLITDUPLEX link each half, and both. All
 * rates may be off by one factor, since programs measure a little less than a file promises.
 * Misfit: the sum over flows of the square of the logarithm of measured over expected, each cut off, so that a flow that was
 * disturbed decides nothing.
 * Limits. Hosts may send and receive less than their links carry, as those do whose share of a core is spent. So what each sent
 * and received at most in any round is taken for its limit, and the links that several hosts share are tried first; a host's
 * own link could not be told from its limit. When none of them explains enough, all links are tried, without limits.
 * Guarantee: the least misfit up to the grid of bandwidths; ties go to the link that flows meet first. What no link
 * explains clearly better than none is not named. On platforms of more than some 90 hosts only the links whose own flows are off
 * most are tried.
 * Cost: O(links x flows), of which MOST_WORK of explain.c bounds the first. */

#include <heteroslice/hs_platform.h>

/** One flow as it was measured. */
typedef struct hs__link_flow {
    int from, to; /* hosts */
    double rate;  /* bytes/s; <= 0: not known */
} hs__link_flow;

typedef struct hs__link_change {
    int link; /* -1: none is named */
    int twin; /* the other half of a SPLITDUPLEX link, changed alike; -1: that has not changed, or there is none */
    int host; /* the only host whose flows cross it; -1: there are several */
    double before, after;           /* bytes/s */
    double twin_before, twin_after; /* likewise: halves that changed alike may have differed before */
} hs__link_change;

enum { HS__LINK_MAX_ROUNDS = 6 };

/** Rounds that show the links between hosts in the order of a ring. */
int hs__link_rounds(int hosts);

/** Who exchanges with the host at this place of the ring, at the same time as all others of the round; itself: nobody.
 * The first rounds have the neighbours, the others have the ring folded, so that many flows cross where it is. */
int hs__link_partner(int hosts, int round, int place);

/** Name the link that has changed.
 * @param[in]  flow    the flows of round r are first[r] <= f < first[r + 1]
 * @param[out] change  written only on HS_OK
 * @return HS_OK; HS_ERR_NOMEM; HS_ERR_UNREACHABLE */
hs_status hs__link_explain(const hs_platform *platform, int rounds, const int *first, const hs__link_flow *flow,
                           hs__link_change *change);

#endif
