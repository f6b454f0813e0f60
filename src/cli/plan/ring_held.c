/* SPDX-License-Identifier: BSD-3-Clause */
/* hs ring --held: the plan whose units are held. */
#include "cli/plan/ring_held.h"
#include "cli/base/cli.h"
#include "plan/ring/turn.h"
#include "util/array.h"
#include "util/status.h"
#include <jansson.h>
#include <stdlib.h>

enum { NOT_LISTED = -1 }; /* the first unit of a host that is not in the ring so far */

/* Which units each host of the platform holds. Hosts that are gone hold units, too, which have to move. */
static hs_status read_units(const json_t *ring, const hs_platform *platform, int64_t units, hs__ring_held *of_host,
                            hs_error *error)
{
    int64_t next = 0;
    for (int v = 0; v < hs_platform_hosts(platform); v++)
        of_host[v].first = NOT_LISTED;
    for (size_t k = 0; k < json_array_size(ring); k++) {
        const json_t *member = json_array_get(ring, k), *count = json_object_get(member, "units");
        const char *id = json_string_value(json_object_get(member, "host"));
        if (!id || !json_is_integer(count) || json_integer_value(count) < 0 || json_integer_value(count) > units - next)
            return hs_error_set(error, HS_ERR_PARSE, 0,
                                "member %zu of the ring has no \"host\", or \"units\" that are not 0 to %lld", k + 1,
                                (long long)(units - next));
        int host = hs_platform_find_node(platform, id);
        if (host >= 0 && host < hs_platform_hosts(platform)) {
            if (of_host[host].first != NOT_LISTED)
                return hs_error_set(error, HS_ERR_PARSE, 0, "host '%.80s' is in the ring twice", id);
            of_host[host] = (hs__ring_held){next, json_integer_value(count)};
        }
        next += json_integer_value(count);
    }
    if (next != units)
        return hs_error_set(error, HS_ERR_PARSE, 0, "the ring has %lld units, not the %lld of --units", (long long)next,
                            (long long)units);
    return HS_OK;
}

static hs_status turn_ring(hs_ring *ring, const hs__ring_held *of_host, int64_t units, int64_t *moved)
{
    size_t size = (size_t)hs_ring_size(ring);
    int64_t *count = hs__array_new(size, sizeof *count);
    hs__ring_held *held = hs__array_new(size, sizeof *held);
    hs_status status = count && held ? HS_OK : HS_ERR_NOMEM;
    for (size_t k = 0; k < size && status == HS_OK; k++) {
        count[k] = hs_ring_units(ring, (int)k);
        held[k] = of_host[hs_ring_host(ring, (int)k)];
    }
    hs__turn turn;
    if (status == HS_OK)
        status = hs__ring_nearest_turn((int)size, count, held, &turn);
    if (status == HS_OK)
        status = hs__ring_apply_turn(ring, &turn);
    if (status == HS_OK)
        *moved = units - turn.stays;
    free(count);
    free(held);
    return status;
}

hs_status cli_ring_turn_to_held(const char *path, const hs_platform *platform, hs_ring *ring, int64_t units,
                                int64_t *moved, hs_error *error)
{
    json_t *root = cli_read_json(path, error);
    if (!root)
        return HS_ERR_PARSE;
    const json_t *members = json_object_get(root, "ring");
    hs__ring_held *of_host = hs__array_new((size_t)hs_platform_hosts(platform), sizeof *of_host);
    hs_status status = HS_ERR_NOMEM;
    if (of_host && json_is_array(members))
        status = read_units(members, platform, units, of_host, error);
    else if (of_host)
        status = hs_error_set(error, HS_ERR_PARSE, 0, "no array \"ring\": expected a plan written by hs ring --json");
    if (status == HS_OK)
        status = turn_ring(ring, of_host, units, moved);
    if (status == HS_ERR_NOMEM)
        hs__error_status(error, status);
    free(of_host);
    json_decref(root);
    return status;
}
