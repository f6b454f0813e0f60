/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether a placement puts every rank on a host that has room for it. */
#include "plan/placement/placement.h"
#include <math.h>

hs_status hs__placement_check(const hs__placement_host *host, int hosts, int64_t ranks, const int64_t *count,
                              double slowest, hs_error *error)
{
    int64_t sum = 0;
    double longest = 0;
    for (int i = 0; i < hosts; i++) {
        if (count[i] < 0 || count[i] > host[i].max_ranks || (count[i] > 0 && !(host[i].speed > 0)) ||
            count[i] > ranks - sum)
            return hs_error_set(error, HS_ERR_INTERNAL, 0,
                                "host %d of speed %g has %lld of %lld ranks, at most %lld fit", i, host[i].speed,
                                (long long)count[i], (long long)ranks, (long long)host[i].max_ranks);
        sum += count[i];
        longest = fmax(longest, hs__placement_time(&host[i], count[i]));
    }
    if (sum != ranks || longest != slowest)
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "%lld of %lld ranks are placed, the slowest takes %g s, not %g",
                            (long long)sum, (long long)ranks, longest, slowest);
    return HS_OK;
}
