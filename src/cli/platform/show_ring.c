/* SPDX-License-Identifier: BSD-3-Clause */
/* hs show --ring: draws a ring plan over its platform. */
#include "cli/platform/show_ring.h"
#include "cli/base/cli.h"
#include "platform/labels.h"
#include "util/status.h"
#include <heteroslice/hs_units.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

void cli_ring_plan_free(cli_ring_plan *plan)
{
    hs__pool_free(&plan->pool);
}

static hs_status read_members(const json_t *root, const hs_platform *platform, cli_ring_plan *plan, hs_error *error)
{
    const json_t *ring = json_object_get(root, "ring");
    if (!json_is_array(ring) || json_array_size(ring) == 0)
        return hs_error_set(error, HS_ERR_PARSE, 0, "no array \"ring\": expected a plan written by hs ring --json");
    size_t count = json_array_size(ring);
    plan->hosts = hs__pool_new(&plan->pool, count, sizeof *plan->hosts);
    plan->shares = hs__pool_new(&plan->pool, count, sizeof *plan->shares);
    if (hs__pool_status(&plan->pool) != HS_OK)
        return hs__error_status(error, HS_ERR_NOMEM);
    for (size_t k = 0; k < count; k++) {
        const json_t *member = json_array_get(ring, k), *share = json_object_get(member, "share");
        const char *id = json_string_value(json_object_get(member, "host"));
        if (!id || !json_is_number(share) || !(json_number_value(share) >= 0 && json_number_value(share) <= 1))
            return hs_error_set(error, HS_ERR_PARSE, 0,
                                "member %zu of the ring has no \"host\" or no \"share\" from 0 to 1", k + 1);
        int host = hs_platform_find_node(platform, id);
        if (host < 0 || host >= hs_platform_hosts(platform))
            return hs_error_set(error, HS_ERR_PARSE, 0, "the platform has no host '%.80s'", id);
        if (!plan->hollow[host])
            return hs_error_set(error, HS_ERR_PARSE, 0, "host '%.80s' is in the ring twice", id);
        plan->hollow[host] = 0;
        plan->hosts[k] = host;
        plan->shares[k] = json_number_value(share);
    }
    plan->count = count;
    return HS_OK;
}

/* Adds the bandwidth of a path to its links. A path of unlimited bandwidth adds nothing. */
static hs_status add_path(const json_t *path, const hs_platform *platform, double *load, hs_error *error)
{
    const json_t *links = json_object_get(path, "links"), *bandwidth = json_object_get(path, "bandwidth");
    if (!json_is_array(links) || !(json_is_number(bandwidth) || json_is_null(bandwidth)))
        return hs_error_set(error, HS_ERR_PARSE, 0, "a path without \"links\" or \"bandwidth\"");
    for (size_t m = 0; m < json_array_size(links); m++) {
        const char *id = json_string_value(json_array_get(links, m));
        int link = id ? hs_platform_find_link(platform, id) : -1;
        if (link < 0)
            return hs_error_set(error, HS_ERR_PARSE, 0, "the platform has no link '%.80s'", id ? id : "");
        load[link] += json_is_null(bandwidth) ? 0.0 : json_number_value(bandwidth);
    }
    return HS_OK;
}

static hs_status read_loads(const json_t *root, const hs_platform *platform, cli_ring_plan *plan, hs_error *error)
{
    const json_t *paths = json_object_get(root, "paths");
    if (!json_is_array(paths))
        return hs_error_set(error, HS_ERR_PARSE, 0, "no array \"paths\": expected a plan written by hs ring --json");
    for (size_t f = 0; f < json_array_size(paths); f++) {
        hs_status status = add_path(json_array_get(paths, f), platform, plan->load, error);
        if (status != HS_OK)
            return status;
    }
    for (int l = 0; l < hs_platform_links(platform); l++) {
        int twin = hs_platform_link_twin(platform, l);
        if (twin > l)
            plan->load[l] = plan->load[twin] = fmax(plan->load[l], plan->load[twin]);
    }
    return HS_OK;
}

hs_status cli_ring_plan_read(const char *path, const hs_platform *platform, cli_ring_plan *plan, hs_error *error)
{
    cli_ring_plan made = {0};
    hs_status status;
    json_t *root = cli_read_json(path, error);
    if (!root)
        return HS_ERR_PARSE;
    made.load = hs__pool_new(&made.pool, (size_t)hs_platform_links(platform), sizeof *made.load);
    made.hollow = hs__pool_new(&made.pool, (size_t)hs_platform_hosts(platform), 1);
    if (hs__pool_status(&made.pool) != HS_OK) {
        status = hs__error_status(error, HS_ERR_NOMEM);
    } else {
        memset(made.hollow, 1, (size_t)hs_platform_hosts(platform));
        status = read_members(root, platform, &made, error);
    }
    if (status == HS_OK)
        status = read_loads(root, platform, &made, error);
    json_decref(root);
    if (status == HS_OK)
        *plan = made;
    else
        cli_ring_plan_free(&made);
    return status;
}

static void draw_shares(const cli_ring_plan *plan, hs__drawing *drawing)
{
    const double min_area = 30, max_area = 700; /* square pixels: hosts outside the ring, and the largest share */
    double largest = 0.0, smallest = INFINITY;
    for (int host = 0; host < hs_platform_hosts(drawing->platform); host++)
        drawing->area[host] = min_area;
    for (size_t k = 0; k < plan->count; k++) {
        largest = fmax(largest, plan->shares[k]);
        smallest = fmin(smallest, plan->shares[k]);
    }
    for (size_t k = 0; k < plan->count; k++)
        drawing->area[plan->hosts[k]] = fmax(min_area, max_area * plan->shares[k] / largest);
    snprintf(drawing->area_caption, sizeof drawing->area_caption,
             "circle area: share of the work, %.3g %% to %.3g %%; hollow: not in the ring", 100 * smallest,
             100 * largest);
}

static void draw_loads(const cli_ring_plan *plan, hs__drawing *drawing)
{
    char text[32];
    double largest = 0.0;
    for (int l = 0; l < hs_platform_links(drawing->platform); l++)
        largest = fmax(largest, plan->load[l]);
    for (int l = 0; l < hs_platform_links(drawing->platform); l++)
        drawing->width[l] = plan->load[l] > 0 ? 1 + 6 * sqrt(plan->load[l] / largest) : 0.4;
    if (largest > 0)
        snprintf(drawing->width_caption, sizeof drawing->width_caption,
                 "line width: bandwidth used by the ring's messages, up to %s",
                 hs__label_bandwidth(drawing->platform, largest, text, sizeof text));
    else
        snprintf(drawing->width_caption, sizeof drawing->width_caption, "no messages");
}

hs_status cli_ring_plan_draw(const cli_ring_plan *plan, hs__drawing *drawing)
{
    draw_shares(plan, drawing);
    draw_loads(plan, drawing);
    snprintf(drawing->title, sizeof drawing->title, "a ring of %zu hosts out of %d", plan->count,
             hs_platform_hosts(drawing->platform));
    drawing->hollow = plan->hollow;
    drawing->loop = (hs__loop){plan->hosts, plan->count};
    return hs__drawing_layout(drawing);
}
