/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_FARM_REMAINING_H
#define HS_RUNTIME_FARM_REMAINING_H

#include <stdint.h>

/** Workers that are already at work, seen by a master in mid-run. */
typedef struct hs__remaining {
    int ranks;
    const double *busy;       /* seconds from now until the rank has computed what it was sent; >= 0 */
    const double *cycle_time; /* seconds per item */
    const double *comm_time;  /* seconds to send an item; 0: needs no message */
    int rounds;               /* installments to come, >= 1 */
    int one_port; /* the master sends one message at a time: an item holds it for its comm_time; 0: to all at once */
} hs__remaining;

/** Share n more items so that all end as early as possible; messages overlap with the work that the ranks have.
 *
 * Model:      until T rank i can take (T - busy_i) / w_i more items, and in R installments not more than
 *             T / (max(w_i, c_i) + min(w_i, c_i) / R), since it computes no item before that has arrived; one port can
 *             send for T seconds. For a given T the cheapest messages first are best (a fractional knapsack), and T follows
 *             by bisection.
 * @param[out] share  array of ranks, real numbers >= 0 that add up to n
 * @return T, seconds from now */
double hs__remaining_share(const hs__remaining *remaining, int64_t n, const int *by_comm_time, double *share);

/** When all ranks have computed share[]: the end of the latest rank, or of the port's last message. */
double hs__remaining_end(const hs__remaining *remaining, const double *share);

/** Whole numbers near share[], adding up to n: cumulative sums are rounded. */
void hs__remaining_round(int ranks, const double *share, int64_t n, int64_t *count);

#endif
