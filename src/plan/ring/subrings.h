/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_SUBRINGS_H
#define HS_PLAN_RING_SUBRINGS_H

/* One ring of all hosts, and the memberships of it that may be best once the pace of a program is known: speeds give
 * only ratios until then, so each ratio of computing to messages has its own best membership. The order stays: on 17
 * platforms of 6 to 16 hosts, both step models and 11 ratios the best membership in the order of the whole ring took at
 * most 4.6 % longer than the best ring, and as long in the median. */

#include <heteroslice/hs_ring.h>

/** Seconds that a byte takes each way between a member and its neighbours, while all other members send too. */
typedef struct hs__byte_time {
    double prev, next; /* INFINITY: not a member */
} hs__byte_time;

/** Whether the last member is a neighbour of the first. */
typedef enum hs__ring_ends { HS__RING_OPEN, HS__RING_CLOSED, HS__RING_ENDS } hs__ring_ends;

typedef struct hs__subrings {
    int size;                 /* hosts that can compute and be reached */
    int *host;                /* [size] in ring order; an open ring ends at the narrowest path */
    int count;                /* of memberships; the first is all hosts */
    hs__byte_time *byte_time; /* [ends][membership][position], see hs__subrings_at() */
    double *traffic;          /* [ends][membership] bytes over links when each member sends a byte to its neighbours */
} hs__subrings;

enum { HS__MAX_MEMBERSHIPS = 32 };

/** @param[in]  speed  by host, 0: takes no part; only ratios count
 * @param[in]  max_count  memberships, 1 (all hosts only) to HS__MAX_MEMBERSHIPS
 * @return HS_OK; as hs_ring_create() */
hs_status hs__subrings_create(const hs_platform *platform, const double *speed, int max_count, hs__subrings **subrings,
                              hs_error *error);

/** The same, on a platform whose links have changed: the order is kept, and the memberships known come first, with what their
 * messages take now.
 * @param[in] known  size, host, and count of them
 * @param[in] member  [known->count][known->size] whether the host takes part; the first is all hosts
 * @return as hs__subrings_create() */
hs_status hs__subrings_again(const hs_platform *platform, const double *speed, int max_count, const hs__subrings *known,
                             const char *member, hs__subrings **subrings, hs_error *error);
void hs__subrings_free(hs__subrings *subrings);

/** The byte times of a membership, by position. */
const hs__byte_time *hs__subrings_at(const hs__subrings *subrings, hs__ring_ends ends, int membership);

#endif
