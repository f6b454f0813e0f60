/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/probe/result.h"
#include "runtime/probe/pairs.h"
#include <stdlib.h>

const char *hs_probe_source_name(hs_probe_source source)
{
    static const char *const names[] = {"alone", "together", "inferred", "contended", "estimated"};
    return (unsigned)source < sizeof names / sizeof *names ? names[source] : NULL;
}

void hs_probe_result_free(hs_probe_result *result)
{
    if (!result)
        return;
    for (int i = 0; result->host && i < result->hosts; i++)
        free((char *)result->host[i].name);
    free(result->host);
    free(result->host_of);
    free(result->link);
    free(result->by_size);
    free(result->point);
    free(result->cut);
    free(result->sides);
    hs__discovery_free(result->readings);
    free(result);
}

int hs_probe_hosts(const hs_probe_result *result)
{
    return result->hosts;
}

int hs_probe_ranks(const hs_probe_result *result)
{
    return result->ranks;
}

int hs_probe_host_of(const hs_probe_result *result, int rank)
{
    return result->host_of[rank];
}

const hs_probe_host *hs_probe_host_at(const hs_probe_result *result, int i)
{
    return &result->host[i];
}

const hs_speed_function *hs_probe_speed_by_size(const hs_probe_result *result, int i)
{
    return &result->by_size[i];
}

const hs_probe_link *hs_probe_link_between(const hs_probe_result *result, int i, int j)
{
    return &result->link[hs__pair_number(i, j)];
}

int hs_probe_links_found(const hs_probe_result *result)
{
    return result->cuts;
}

int hs__probe_cut_short(const hs_probe_result *result)
{
    return result->cuts > 0 && result->readings && !hs__discovery_ended(result->readings);
}

int hs__probe_unexplained(const hs_probe_result *result)
{
    return result->cuts == 0 && result->readings && hs__discovery_rounds(result->readings) > 0;
}

void hs__probe_readings(const hs_probe_result *result, FILE *stream)
{
    const hs__probe_flow *flow;
    int rounds = result->readings ? hs__discovery_rounds(result->readings) : 0;
    fputs("round,from,to,bytes_per_second\n", stream);
    for (int r = 0; r < rounds; r++) {
        int n = hs__discovery_round(result->readings, r, &flow);
        for (int k = 0; k < n; k++)
            fprintf(stream, "%d,%s,%s,%.0f\n", r, result->host[flow[k].from].name, result->host[flow[k].to].name,
                    flow[k].rate);
    }
}

hs_probe_kernel hs_probe_kernel_used(const hs_probe_result *result)
{
    return result->kernel;
}

double hs_probe_time(const hs_probe_result *result)
{
    return result->time;
}
