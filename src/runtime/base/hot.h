/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_HOT_H
#define HS_RUNTIME_BASE_HOT_H

/** A variable that is read in every MPI call: these stand together, so that few lines of the cache and few pages are
 * touched, which counts where processes take turns on a core. */
#define HS__HOT __attribute__((section("hs_hot")))

/** The first of them begins a page. */
#define HS__HOT_PAGE __attribute__((section("hs_hot"), aligned(4096)))

/** Stands behind them. */
#define HS__HOT_SUM __attribute__((section("hs_hot_sum")))

#endif
