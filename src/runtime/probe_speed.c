/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/clock.h"
#include "runtime/probe_facts.h"
#include "runtime/probe_run.h"

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

/* A CPU quota lets a thread run and stop in turns of some ten milliseconds, so the part of a processor it gets takes
 * longer to see than its speed while it runs. The part is the same for all kernels: it is read off all blocks as one.
 */
hs_status hs__probe_speeds(hs__probe *probe, const double *seconds)
{
    hs__line share = {0};
    double value[HS__REPORT_VALUES] = {0}, instructions, cycles;
    int count = probe->speed[probe->kernel][0].count == 0;
    hs__counters *counters = count ? hs__counters_start() : NULL;
    /* Setting counters up takes some hosts longer than others: begin together. */
    hs_status status = hs__probe_exchange(probe, NULL, 0);
    for (int i = 0; i < HS_PROBE_KERNELS && status == HS_OK; i++) {
        int k = (i + (int)probe->kernel) % HS_PROBE_KERNELS;
        double begin = hs__clock_cpu();
        if (probe->kernels[k])
            value[2 * k + 1] = hs__kernel_time(probe->kernels[k], seconds[k], &share);
        if (i > 0)
            continue;
        double cpu_time = hs__clock_cpu() - begin;
        hs__counters_stop(counters, &instructions, &cycles);
        value[2 * HS_PROBE_KERNELS] = cpu_time > 0 ? instructions / cpu_time : 0;
        value[2 * HS_PROBE_KERNELS + 1] = cpu_time > 0 ? cycles / cpu_time : 0;
    }
    for (int k = 0; k < HS_PROBE_KERNELS; k++)
        value[2 * k] = value[2 * k + 1] * hs__line_slope(&share);
    if (status == HS_OK)
        status = hs__probe_exchange(probe, value, HS__REPORT_VALUES);
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
