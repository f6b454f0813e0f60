/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_REDUCTION_EXACT_H
#define HS_PLAN_REDUCTION_EXACT_H

/* The exact solver's parts. Backwards in time: an informed host that is free with r seconds to go is a token; a message
 * of class k takes a token with r >= t_k and leaves two with r - t_k. All m_k messages of every class have to be
 * placed. By Lemma 1 a token that took class k gives tokens that take class k or slower ones: so class 1, the fastest,
 * is placed first, then class 2 on the tokens that are left, and so on ("phase k").
 *
 * All that counts of r is which sums of times still fit, so r is the index of a grid of those sums. */

#include "plan/reduction/reduction.h"

/** The sums of times, 0 first, that a path from root to leaf can have. */
typedef struct hs__sums {
    int classes, count;
    const double *time; /* [classes], borrowed */
    const int *size;    /* [classes], borrowed */
    double *value;      /* [count], increasing */
    int *after;         /* after[k * count + i]: index of value[i] - time[k], -1 when that is negative */
    hs__pool pool;
} hs__sums;

enum {
    HS__SUMS_MAX = 60000,
    HS__VALUES_MAX = 2000000, /* classes * sums: 16 MB for each of the price vectors below */
    HS__DUAL_PRICES_MAX = 20,
    HS__VALUES_A_NODE = 100 /* values of a price vector are filled, about, while the search explores a node */
};

/** All sums up to `limit`.
 * @param[out] fits  0 when there are too many of them, or some are lost in rounding; the grid is empty
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__sums_init(hs__sums *grid, const hs__classes *classes, double limit, int *fits);
void hs__sums_free(hs__sums *grid);

/** Prices of the classes' messages, and what a token is worth with them: value[k * count + i] is the largest sum of
 * prices that a token at i can place in phases k and later, without counting how many messages there are. If the first
 * token is worth less than all messages together, the time is too short: the Lagrangian bound. */
typedef struct hs__dual_prices {
    double *price; /* [classes] */
    double *value; /* [(classes + 1) * count], the last row 0 */
    int filled;    /* value[] is filled for indices below */
} hs__dual_prices;

/** Prices of 0, whose arrays belong to the pool. */
hs__dual_prices hs__dual_prices_new(hs__pool *pool, const hs__sums *grid);

/** Fill value[] from price[] for the indices below `end` that are not filled yet. O(classes * end). */
void hs__dual_prices_fill(hs__dual_prices *prices, const hs__sums *grid, int end);

/** Raise *low, an index, to the smallest that no prices met rule out; up to HS__DUAL_PRICES_MAX of the prices that raised
 * it last, or came near, stay in kept[], *count of them. Ends when the steps have taken as long as `budget` nodes.
 * @param[in,out] spent  grows by what the steps took, in nodes */
hs_status hs__dual_prices_bound(const hs__sums *grid, int *low, int high, int64_t budget, hs__dual_prices *kept,
                                int *count, int64_t *spent);

/** What the first token is worth above all messages if the time is value[top]; below 0: too short. value[] is filled
 * there. */
double hs__dual_prices_slack(const hs__dual_prices *prices, const hs__sums *grid, int top);

/** Prices whose slack at top is small, from kept[0] on: they join those in kept[], or take the places of its second
 * half. At least one step, then as hs__dual_prices_bound().
 * @param[out] too_short  1: prices rule out value[top]; else kept[] is filled up to there */
hs_status hs__dual_prices_aim(const hs__sums *grid, int top, int64_t budget, hs__dual_prices *kept, int *count,
                              int64_t *spent, int *too_short);

/** Where the messages go. */
typedef struct hs__placement {
    int index, class_of, count; /* `count` tokens at `index` take a message of the class */
} hs__placement;

typedef enum hs__verdict { HS__FITS, HS__DOES_NOT_FIT, HS__GAVE_UP } hs__verdict;

/** Whether all messages fit into value[top] seconds.
 * @param[out] placement  [most senders] on HS__FITS, by phase; *placements of them
 * @param[in,out] explored  grows by the nodes explored, at most `budget` */
hs_status hs__exact_decide(const hs__sums *grid, int top, const hs__dual_prices *prices, int price_count,
                           int64_t budget, hs__placement *placement, int *placements, int64_t *explored,
                           hs__verdict *verdict);

#endif
