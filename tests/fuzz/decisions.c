/* SPDX-License-Identifier: BSD-3-Clause */
/* Logs of decisions: read, decided again, by other rules and on another platform. */
#include "config.h"

#include "plan/elsewhere/elsewhere.h"
#include "platform/platform.h"
#include "tests/fuzz/fuzz.h"
#include <math.h>

enum { FEW_RANKS = 8, FEW_PHASES = 100 };

/* Hosts of the names in the log on one switch; NULL where these are no names of hosts. */
static hs_platform *platform_of(const hs__trace *trace)
{
    hs_platform *platform;
    int hub = -1, link;
    char id[16];
    FUZZ_CHECK(hs_platform_create(HS_ROUTING_GRAPH, &platform) == HS_OK);
    hs_status status = hs_platform_add_router(platform, "hub of the switch", &hub, NULL);
    for (int r = 0; r < trace->ranks && status == HS_OK; r++) {
        int host;
        if (hs__platform_find_host(platform, trace->site.host[r]) >= 0)
            continue;
        snprintf(id, sizeof id, "link %d", r);
        status = hs_platform_add_host(platform, trace->site.host[r], r, 1, &host, NULL);
        if (status == HS_OK)
            status = hs_platform_add_link(platform, id, 1e6 * (1 + r), 0, HS_SHARED, &link, NULL);
        if (status == HS_OK)
            status = hs_platform_add_edge(platform, host, hub, link, NULL);
    }
    if (status == HS_OK)
        return platform;
    hs_platform_free(platform);
    return NULL;
}

static void elsewhere(const hs__trace *trace, const hs__decide_rule *rule)
{
    hs_platform *platform = platform_of(trace);
    hs__replay_place there;
    hs__replay_outcome outcome;
    hs_error error;
    if (!platform)
        return;
    if (hs__elsewhere_create(trace, platform, &there, &error) == HS_OK) {
        hs_status status = hs__replay_suppose(trace, &there, rule, 1, &outcome);
        FUZZ_CHECK(status == HS_OK || status == HS_ERR_INFEASIBLE);
        hs__elsewhere_free(&there);
    } else {
        fuzz_check_error(&error);
    }
    hs_platform_free(platform);
}

static void replay(const hs__trace *trace)
{
    static const hs__decide_rule rules[] = {
        {HS__DECIDE_LEAST_GAIN, 1}, {HS__DECIDE_LEAST_GAIN, INFINITY}, {HS__DECIDE_LEAST_GAIN, 0}};
    int line;
    hs__replay_outcome outcome;
    if (trace->ranks > FEW_RANKS || trace->entries > FEW_PHASES)
        return;
    hs__replay_measured(trace);
    FUZZ_CHECK(hs__replay_verify(trace, &line) == HS_OK);
    for (size_t k = 0; k < sizeof rules / sizeof *rules && trace->has_slices; k++)
        FUZZ_CHECK(hs__replay_suppose(trace, NULL, &rules[k], 1, &outcome) == HS_OK);
    if (trace->has_slices && trace->site.host)
        elsewhere(trace, &rules[0]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hs__traces traces;
    hs_error error;
    FILE *stream = fopen(fuzz_file(data, size), "r");
    FUZZ_CHECK(stream);
    hs_status status = hs__traces_read(stream, &traces, &error);
    fclose(stream);
    if (status != HS_OK) {
        fuzz_check_error(&error);
        return 0;
    }
    FUZZ_CHECK(traces.count >= 1);
    for (size_t i = 0; i < traces.count; i++)
        replay(&traces.trace[i]);
    hs__traces_free(&traces);
    return 0;
}
