/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"
#include "runtime/probe/facts.h"
#include "util/array.h"
#include <stdlib.h>
#ifdef HAVE_PAPI
#include <papi.h>

struct hs__counters {
    int set;
    int place[2]; /* of instructions and cycles among the set's values, -1 when there is no such counter */
};

static int open_set(hs__counters *counters)
{
    static const int events[2] = {PAPI_TOT_INS, PAPI_TOT_CYC};
    int n = 0;
    counters->set = PAPI_NULL;
    if (PAPI_create_eventset(&counters->set) != PAPI_OK)
        return -1;
    for (int k = 0; k < 2; k++)
        counters->place[k] = PAPI_add_event(counters->set, events[k]) == PAPI_OK ? n++ : -1;
    return n > 0 && PAPI_start(counters->set) == PAPI_OK ? 0 : -1;
}

static void close_set(hs__counters *counters)
{
    if (counters->set != PAPI_NULL) {
        PAPI_cleanup_eventset(counters->set);
        PAPI_destroy_eventset(&counters->set);
    }
    free(counters);
}

/* PAPI is not shut down: the program may use it as well, and on some machines PAPI 7.0 and 7.1 crash when they are
 * initialised again. */
hs__counters *hs__counters_start(void)
{
    hs__counters *counters = hs__array_new(1, sizeof *counters);
    if (!counters)
        return NULL;
    if (PAPI_is_initialized() == PAPI_NOT_INITED && PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT) {
        free(counters);
        return NULL;
    }
    if (open_set(counters) == 0)
        return counters;
    close_set(counters);
    return NULL;
}

void hs__counters_stop(hs__counters *counters, double *instructions, double *cycles)
{
    long long value[2] = {0, 0};
    *instructions = *cycles = 0;
    if (!counters)
        return;
    if (PAPI_stop(counters->set, value) == PAPI_OK) {
        *instructions = counters->place[0] >= 0 ? (double)value[counters->place[0]] : 0;
        *cycles = counters->place[1] >= 0 ? (double)value[counters->place[1]] : 0;
    }
    close_set(counters);
}
#else
hs__counters *hs__counters_start(void)
{
    return NULL;
}

void hs__counters_stop(hs__counters *counters, double *instructions, double *cycles)
{
    (void)counters;
    *instructions = *cycles = 0;
}
#endif
