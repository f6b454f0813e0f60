/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/ticks.h"
#include <pthread.h>
#include <stdio.h>
#include <string.h>

hs__ticks_clock hs__ticks_self = {0, 1};

#if defined(__x86_64__) && defined(__GNUC__)
#include <cpuid.h>

#define CALIBRATION_NS 2000000
enum { TRIES = 8 };

/* The same moment on both clocks. */
typedef struct moment {
    int64_t counter, ns;
} moment;

/* Of several tries the one that was interrupted least. */
static moment read_both(void)
{
    moment best = {0, 0};
    int64_t narrowest = INT64_MAX;
    for (int k = 0; k < TRIES; k++) {
        int64_t before = (int64_t)__builtin_ia32_rdtsc();
        int64_t ns = hs__clock_ns();
        int64_t width = (int64_t)__builtin_ia32_rdtsc() - before;
        if (width >= 0 && width < narrowest) {
            narrowest = width;
            best = (moment){before + width / 2, ns};
        }
    }
    return best;
}

/* The processor says that the rate never changes, and the kernel uses the counter as its own clock: it would not where
 * the counters of the cores disagree, or where a virtual machine may be moved. */
static int counter_is_safe(void)
{
    unsigned a, b, c, d;
    if (!__get_cpuid(0x80000007, &a, &b, &c, &d) || !(d & 1u << 8))
        return 0;
    char name[16] = "";
    FILE *file = fopen("/sys/devices/system/clocksource/clocksource0/current_clocksource", "re");
    if (!file)
        return 0;
    int safe = fgets(name, sizeof name, file) && strcmp(name, "tsc\n") == 0;
    fclose(file);
    return safe;
}

static void choose(void)
{
    if (!counter_is_safe())
        return;
    moment begin = read_both();
    struct timespec span = {0, CALIBRATION_NS};
    nanosleep(&span, NULL);
    moment end = read_both();
    double rate = (double)(end.ns - begin.ns) / (double)(end.counter - begin.counter);
    if (rate > 0.05 && rate < 20) {
        hs__ticks_self = (hs__ticks_clock){1, rate};
    }
}
#else
static void choose(void)
{
}
#endif

void hs__ticks_start(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, choose);
}

int64_t hs__ticks_ns(int64_t ticks)
{
    return hs__ticks_self.is_counter ? (int64_t)((double)ticks * hs__ticks_self.ns_per_tick) : ticks;
}

int64_t hs__ticks_of_ns(int64_t ns)
{
    return hs__ticks_self.is_counter ? (int64_t)((double)ns / hs__ticks_self.ns_per_tick) : ns;
}
