/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/counters.h"
#include "runtime/probe/run.h"
#include "util/clock.h"

enum { TURNS = 5, VALUES = 2 * HS_PROBE_KERNELS + 2 };
_Static_assert((int)VALUES <= (int)HS__REPORT_VALUES, "there is room to tell all");

/* Mean over the ranks of a host of one of the numbers they reported. */
static double mean(const hs__probe *probe, int host, int which)
{
    double sum = 0;
    int n = 0;
    for (int r = probe->first[host]; r < probe->ranks; r++)
        if (probe->host_of[r] == host) {
            sum += probe->report[r].value[which];
            n++;
        }
    return sum / n;
}

/* Speeds by wall clock and CPU time of all kernels, then what the counters saw in a second of CPU time. */
static void note(hs__probe *probe, int counted)
{
    for (int i = 0; i < probe->hosts; i++) {
        for (int k = 0; k < HS_PROBE_KERNELS; k++) {
            if (!probe->kernels[k])
                continue;
            hs__samples_add(&probe->speed[k][i], mean(probe, i, 2 * k));
            hs__samples_add(&probe->cpu_speed[k][i], mean(probe, i, 2 * k + 1));
        }
        if (counted) {
            probe->instruction_rate[i] = mean(probe, i, 2 * HS_PROBE_KERNELS);
            probe->cycle_rate[i] = mean(probe, i, 2 * HS_PROBE_KERNELS + 1);
        }
    }
}

/* All kernels in turn, the one used first. With counters, these watch the first turn of the kernel used. */
static void compute(hs__probe *probe, const double *seconds, hs__line *share, hs__counters *counters, double *value)
{
    for (int turn = 0; turn < TURNS; turn++)
        for (int i = 0; i < HS_PROBE_KERNELS; i++) {
            int k = (i + (int)probe->kernel) % HS_PROBE_KERNELS;
            double begin = hs__clock_cpu();
            if (!probe->kernels[k])
                continue;
            hs__kernel_time(probe->kernels[k], turn == 0 ? HS__KERNEL_ANEW : HS__KERNEL_ON, seconds[k] / TURNS, share);
            if (turn + i > 0)
                continue;
            double cpu_time = hs__clock_cpu() - begin;
            hs__counted counted = hs__counters_stop(counters);
            value[2 * HS_PROBE_KERNELS] = cpu_time > 0 ? counted.instructions / cpu_time : 0;
            value[2 * HS_PROBE_KERNELS + 1] = cpu_time > 0 ? counted.cycles / cpu_time : 0;
        }
}

/* A CPU quota lets a thread run and stop in turns of some ten milliseconds, so the part of a processor it gets takes
 * longer to see than its speed while it runs. The part is the same for all kernels: it is read off all of them as one.
 * Disturbances that last are spread over the kernels by their taking turns. */
hs_status hs__probe_speeds(hs__probe *probe, const double *seconds)
{
    hs__line share = {0};
    double value[VALUES] = {0};
    int count = probe->speed[probe->kernel][0].count == 0;
    hs__counters *counters = count ? hs__counters_open() : NULL;
    hs__counters_start(counters);
    /* Setting counters up takes some hosts longer than others: begin together. */
    hs_status status = hs__probe_exchange(probe, NULL, 0);
    compute(probe, seconds, &share, counters, value);
    hs__counters_close(counters);
    for (int k = 0; k < HS_PROBE_KERNELS; k++) {
        value[2 * k + 1] = probe->kernels[k] ? hs__kernel_speed(probe->kernels[k]) : 0;
        value[2 * k] = value[2 * k + 1] * hs__line_slope(&share);
    }
    if (status == HS_OK)
        status = hs__probe_exchange(probe, value, VALUES);
    if (status == HS_OK)
        note(probe, count);
    return status;
}

int hs__probe_speeds_steady(const hs__probe *probe, double tolerance)
{
    for (int i = 0; i < probe->hosts; i++)
        if (!hs__samples_steady(&probe->speed[probe->kernel][i], tolerance))
            return 0;
    return 1;
}
