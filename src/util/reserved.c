/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/reserved.h"
#include <heteroslice/hs_version.h>

hs_status hs__reserved_check(const int64_t *reserved, int n, hs_error *error)
{
    for (int i = 0; i < n; i++)
        if (reserved[i] != 0)
            return hs_error_set(error, HS_ERR_ARG, 0, "reserved[%d] is %lld, expected 0 by version %s of the library",
                                i, (long long)reserved[i], hs_library_version());
    return HS_OK;
}
