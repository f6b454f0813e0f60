/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_BENCH_DIVISIBLE_EVERY_ORDER_H
#define HS_BENCH_DIVISIBLE_EVERY_ORDER_H

enum { EVERY_ORDER_MAX = 6 };

/** BRUTEFORCE of sport as published: the smallest T > 0 of Eq. 1 with a load of 1 over all (m!)^2 pairs of sequences,
 * loads of any sign. e[k], c[k]: E_k, C_k; m <= EVERY_ORDER_MAX. *negative tells whether a load of the best pair is
 * negative. */
double every_order_published(int m, const double *e, const double *c, double delta, int *negative);

#endif
