/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_HOT_H
#define HS_RUNTIME_HOT_H

/** A variable that is read in every MPI call: these stand together, so that few lines of the cache and few pages are
 * touched, which counts where processes take turns on a core. */
#define HS__HOT __attribute__((section("hs_hot")))

#endif
