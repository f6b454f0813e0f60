/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a layout's ranks ran, in the log of decisions. Files of earlier versions have nothing of it. */
#include "plan/decision/trace.h"
#include "util/pool.h"
#include <string.h>

int hs__trace_site_write(json_t *line, int ranks, const hs__trace_site *site)
{
    json_t *hosts = json_array(), *speeds = json_array();
    for (int r = 0; r < ranks; r++) {
        json_array_append_new(hosts, json_string(site->host[r]));
        json_array_append_new(speeds, json_real(site->speed[r]));
    }
    return json_object_set_new(line, "site",
                               json_pack("{s:o, s:o, s:f, s:b}", "hosts", hosts, "speeds", speeds, "halo", site->halo,
                                         "periodic", site->periodic));
}

hs_status hs__trace_site_read(const json_t *line, hs__trace *trace)
{
    hs__trace_site *site = &trace->site;
    size_t ranks = (size_t)trace->ranks;
    const json_t *object = json_object_get(line, "site"), *hosts = json_object_get(object, "hosts"),
                 *speeds = json_object_get(object, "speeds"), *halo = json_object_get(object, "halo"),
                 *periodic = json_object_get(object, "periodic");
    if (!object)
        return HS_OK;
    site->halo = json_number_value(halo);
    site->periodic = json_is_true(periodic);
    if (json_array_size(hosts) != ranks || json_array_size(speeds) != ranks || !json_is_number(halo) ||
        !(site->halo >= 0) || !json_is_boolean(periodic))
        return HS_ERR_PARSE;
    site->host = hs__pool_new(&trace->pool, ranks, sizeof *site->host);
    site->speed = hs__pool_new(&trace->pool, ranks, sizeof *site->speed);
    for (size_t r = 0; r < ranks && hs__pool_status(&trace->pool) == HS_OK; r++) {
        const json_t *speed = json_array_get(speeds, r), *name = json_array_get(hosts, r);
        site->speed[r] = json_number_value(speed);
        if (!json_is_string(name) || !json_is_number(speed) || !(site->speed[r] >= 0))
            return HS_ERR_PARSE;
        site->host[r] = hs__pool_new(&trace->pool, json_string_length(name) + 1, 1);
        if (site->host[r])
            memcpy(site->host[r], json_string_value(name), json_string_length(name));
    }
    return hs__pool_status(&trace->pool);
}
