/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_PROBE_ROUNDS_H
#define HS_RUNTIME_PROBE_ROUNDS_H

/* Who is measured with whom. No MPI. */

/** Group ranks by the name of their host.
 * Cost:       O(ranks log ranks).
 *
 * @param[in]  names    `ranks` NUL-terminated names, `stride` bytes apart
 * @param[out] host_of  array of length ranks: host of each rank; hosts are numbered in the order of their lowest rank
 * @param[out] first    array of length ranks: the lowest rank of each host; entries behind the last host untouched
 * @return number of hosts; -1 when memory is out */
int hs__group_hosts(const char *names, int stride, int ranks, int *host_of, int *first);

/** Rounds of a tournament in which each of n players meets each other once: n - 1 when n is even, n when it is odd, 0
 * below two players. */
int hs__tournament_rounds(int n);

/** Whom player i meets in a round, -1 when it sits out. Circle method: those meet whose numbers add up to the round
 * modulo the number of rounds; of an even number of players, the last one meets the one who would meet himself. */
int hs__tournament_partner(int n, int round, int i);

/** The k-th of `some` rounds spread evenly over a whole tournament. */
int hs__tournament_spread(int n, int some, int k);

#endif
