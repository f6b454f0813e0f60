/* SPDX-License-Identifier: BSD-3-Clause */
/* Whether counts are slices of N units. */
#include "util/status.h"
#include <heteroslice/hs_slices.h>

hs_status hs_slices_check(const int64_t *count, int hosts, int64_t units, int64_t minimum, hs_error *error)
{
    HS__RETURN_ERROR_IF_NULL(count, error);
    int64_t sum = 0;
    for (int i = 0; i < hosts; i++) {
        if (count[i] < 0 || (count[i] > 0 && count[i] < minimum) || count[i] > units - sum)
            return hs_error_set(error, HS_ERR_INTERNAL, 0,
                                "host %d has %lld of %lld units, at least %lld were asked for", i, (long long)count[i],
                                (long long)units, (long long)minimum);
        sum += count[i];
    }
    if (sum != units)
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the slices have %lld units together, not %lld", (long long)sum,
                            (long long)units);
    return HS_OK;
}
