/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/counters.h"
#include "config.h"
#ifdef HAVE_PAPI
#include "util/array.h"
#include <linux/perf_event.h>
#include <papi.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

struct hs__counters {
    int set;
    int place[2]; /* of instructions and cycles among the set's values, -1 when there is no such counter */
    int running;
};

static int in_first_thread(void)
{
    return syscall(SYS_gettid) == getpid();
}

static int fill_set(hs__counters *counters)
{
    static const int events[2] = {PAPI_TOT_INS, PAPI_TOT_CYC};
    int n = 0;
    counters->set = PAPI_NULL;
    if (PAPI_create_eventset(&counters->set) != PAPI_OK)
        return -1;
    for (int k = 0; k < 2; k++)
        counters->place[k] = PAPI_add_event(counters->set, events[k]) == PAPI_OK ? n++ : -1;
    return n > 0 ? 0 : -1;
}

/* Whether the kernel counts instructions: in most virtual machines it does not, and PAPI takes 10 ms of CPU time to find
 * that out, and may write to standard error what else it did not find. */
static int kernel_counts(void)
{
    struct perf_event_attr counter = {.type = PERF_TYPE_HARDWARE,
                                      .size = sizeof counter,
                                      .config = PERF_COUNT_HW_INSTRUCTIONS,
                                      .exclude_kernel = 1,
                                      .exclude_hv = 1};
    int file = (int)syscall(SYS_perf_event_open, &counter, 0, -1, -1, 0UL);
    if (file >= 0)
        close(file);
    return file >= 0;
}

/* PAPI is not shut down: the program may use it as well, and on some machines PAPI 7.0 and 7.1 crash when they are
 * initialised again. */
hs__counters *hs__counters_open(void)
{
    if (!in_first_thread())
        return NULL;
    if (PAPI_is_initialized() == PAPI_NOT_INITED &&
        (!kernel_counts() || PAPI_library_init(PAPI_VER_CURRENT) != PAPI_VER_CURRENT))
        return NULL;
    hs__counters *counters = hs__array_new(1, sizeof *counters);
    if (!counters || fill_set(counters) == 0)
        return counters;
    hs__counters_close(counters);
    return NULL;
}

void hs__counters_start(hs__counters *counters)
{
    if (counters && in_first_thread())
        counters->running = PAPI_start(counters->set) == PAPI_OK;
}

hs__counted hs__counters_stop(hs__counters *counters)
{
    long long value[2] = {0, 0};
    if (!counters || !counters->running || PAPI_stop(counters->set, value) != PAPI_OK)
        return (hs__counted){0};
    counters->running = 0;
    return (hs__counted){counters->place[0] >= 0 ? (double)value[counters->place[0]] : 0,
                         counters->place[1] >= 0 ? (double)value[counters->place[1]] : 0};
}

void hs__counters_close(hs__counters *counters)
{
    if (!counters)
        return;
    hs__counters_stop(counters);
    if (counters->set != PAPI_NULL) {
        PAPI_cleanup_eventset(counters->set);
        PAPI_destroy_eventset(&counters->set);
    }
    free(counters);
}
#else
#include <stddef.h>

hs__counters *hs__counters_open(void)
{
    return NULL;
}

void hs__counters_start(hs__counters *counters)
{
    (void)counters;
}

hs__counted hs__counters_stop(hs__counters *counters)
{
    (void)counters;
    return (hs__counted){0};
}

void hs__counters_close(hs__counters *counters)
{
    (void)counters;
}
#endif
