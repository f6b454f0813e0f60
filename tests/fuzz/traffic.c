/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports of earlier runs, as HS_TRAFFIC names them. */
#include "runtime/reorder/recorded_traffic.h"
#include "tests/fuzz/fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    enum { RANKS = 2 };
    int64_t *first;
    int *to;
    double *bytes;
    hs_error error;
    if (hs__traffic_read(fuzz_file(data, size), RANKS, &first, &to, &bytes, &error) != HS_OK) {
        fuzz_check_error(&error);
        return 0;
    }
    FUZZ_CHECK(first[0] == 0 && first[RANKS] <= (int64_t)RANKS * RANKS);
    for (int64_t e = 0; e < first[RANKS]; e++)
        FUZZ_CHECK(to[e] >= 0 && to[e] < RANKS && bytes[e] > 0);
    free(first);
    free(to);
    free(bytes);
    return 0;
}
