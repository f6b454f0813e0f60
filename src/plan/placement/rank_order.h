/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_PLACEMENT_RANK_ORDER_H
#define HS_PLAN_PLACEMENT_RANK_ORDER_H

/* Ranks that run on hosts of a platform, in the order of a ring over these hosts, and what their messages take there. */

#include "plan/placement/curves.h"
#include "plan/ring/subrings.h"

typedef struct hs__rank_order {
    int ranks;
    int *position;     /* [rank as it was] its rank in the order; owned, as all that follow */
    int *host;         /* [rank in the order] the platform's; so are: */
    double *speed;     /* work units a second that the rank gets */
    hs__curves curves; /* and how they depend on the bytes of a slice */
    int memberships;   /* who may take part together, see hs__subrings; the first is everybody */
    double *byte_s;    /* [ends][membership][rank in the order] seconds a byte takes to and from both neighbours;
                       INFINITY: no member */
    double *traffic;   /* [ends][membership] as in hs__subrings */
    int ring_hosts;
    int *ring; /* [ring_hosts] in its order */
} hs__rank_order;

/** Room for so many ranks, without memberships. @return HS_OK; HS_ERR_NOMEM: *order is empty */
hs_status hs__rank_order_create(int ranks, hs__rank_order *order);

/** Room for so many memberships. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__rank_order_reserve(hs__rank_order *order, int memberships);

/** Free what it owns and make it empty. */
void hs__rank_order_free(hs__rank_order *order);

/** Find the order. Ranks of a host stand together, as they were among each other; hosts that cannot compute or be reached
 * come last, too far away to take units. The first rank of a host sends to the previous host of the ring, its last one to
 * the next.
 *
 * @param[in,out] order  as hs__rank_order_create() left it
 * @param[in]  host      [ranks as they were] of each; several may be on one, and none on some
 * @param[in]  most      memberships, as of hs__subrings_create()
 * @param[in]  old       an order of these ranks on this platform, whose links may have changed: its ring is kept, and its
 *                       memberships come first; NULL: find one
 * @return HS_OK; as hs__subrings_create(), with a text */
hs_status hs__rank_order_plan(hs__rank_order *order, const hs_platform *platform, const int *host, int most,
                              const hs__rank_order *old, hs_error *error);

/** Whether each place is taken once, and no speed and no time is negative.
 * @return HS_OK; HS_ERR_INTERNAL with *error saying what is wrong */
hs_status hs__rank_order_check(const hs__rank_order *order, hs_error *error);

/** Seconds of a step's messages when each rank sends so many bytes to each neighbour.
 * @param[out] comm  [membership][rank in the order]; INFINITY: no member */
void hs__rank_order_messages(const hs__rank_order *order, hs__ring_ends ends, double bytes, double *comm);

/** [membership] of a ring with these ends; borrowed. */
const double *hs__rank_order_traffic(const hs__rank_order *order, hs__ring_ends ends);

/** The longest time of a member; 0 without any. @param[in] time  [ranks] INFINITY: no member */
double hs__rank_order_slowest(const double *time, int ranks);

/** What one of the ranks on a host gets of its cores, work units a second.
 * @param[in] host  [ranks] of each rank
 * @param[in] which  the host */
double hs__rank_speed(const hs_platform *platform, const int *host, int ranks, int which);

#endif
