/* SPDX-License-Identifier: BSD-3-Clause */
#include <heteroslice/hs_probe.h>
#include <stdio.h>

static hs_status add_clique(const hs_probe_result *result, hs_platform *platform, hs_error *error)
{
    hs_status status = HS_OK;
    for (int j = 1; j < hs_probe_hosts(result) && status == HS_OK; j++)
        for (int i = 0; i < j && status == HS_OK; i++) {
            char id[48];
            int link;
            const hs_probe_link *measured = hs_probe_link_between(result, i, j);
            snprintf(id, sizeof id, "link_%d_%d", i, j);
            status =
                hs_platform_add_link(platform, id, measured->bandwidth, measured->latency, HS_SHARED, &link, error);
            if (status == HS_OK)
                status = hs_platform_add_route(platform, i, j, &link, 1, 1, error);
        }
    return status;
}

hs_status hs_probe_platform(const hs_probe_result *result, hs_platform **platform, hs_error *error)
{
    hs_platform *made = NULL;
    hs_status status = hs_platform_create(HS_ROUTING_FULL, &made);
    if (status != HS_OK)
        return hs_error_set(error, status, 0, "%s", hs_status_text(status));
    for (int i = 0; i < hs_probe_hosts(result) && status == HS_OK; i++) {
        const hs_probe_host *host = hs_probe_host_at(result, i);
        status =
            hs_platform_add_host(made, host->name, host->speed[hs_probe_kernel_used(result)], host->ranks, NULL, error);
    }
    if (status == HS_OK)
        status = add_clique(result, made, error);
    if (status == HS_OK)
        *platform = made;
    else
        hs_platform_free(made);
    return status;
}
