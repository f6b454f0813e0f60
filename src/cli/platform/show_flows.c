/* SPDX-License-Identifier: BSD-3-Clause */
/* hs show --flows: the max-min bandwidths of flows that share links. */
#include "cli/platform/show_flows.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/letters.h"
#include "util/pool.h"
#include "util/status.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct flows {
    size_t count;
    int *ends;         /* from and to of each */
    hs_route *route;   /* each owned */
    const int **links; /* of each, borrowed from its route */
    size_t *counts;    /* links of each */
    double *rate;
    hs__pool pool; /* has all arrays */
} flows;

static void flows_free(flows *f)
{
    for (size_t k = 0; f->route && k < f->count; k++)
        hs_route_free(&f->route[k]);
    hs__pool_free(&f->pool);
}

static hs_status flows_init(flows *f, size_t n)
{
    f->count = n;
    f->ends = hs__pool_new(&f->pool, 2 * n, sizeof *f->ends);
    f->route = hs__pool_new(&f->pool, n, sizeof *f->route);
    f->links = hs__pool_new(&f->pool, n, sizeof *f->links);
    f->counts = hs__pool_new(&f->pool, n, sizeof *f->counts);
    f->rate = hs__pool_new(&f->pool, n, sizeof *f->rate);
    return hs__pool_status(&f->pool);
}

/* Reads "A:B" and finds its route. An id may hold a colon: the first one with a node on either side divides. */
static hs_status add_flow(const hs_platform *platform, char *text, flows *f, size_t k, hs_error *error)
{
    int from = -1, to = -1;
    for (char *colon = strchr(text, ':'); colon && (from < 0 || to < 0); colon = strchr(colon + 1, ':')) {
        *colon = '\0';
        from = hs_platform_find_node(platform, text);
        to = hs_platform_find_node(platform, colon + 1);
        *colon = ':';
    }
    if (from < 0 || to < 0)
        return hs_error_set(error, HS_ERR_ARG, 0, "--flows: '%.80s' is not FROM:TO with two hosts or routers", text);
    hs_status status = hs_platform_route(platform, from, to, &f->route[k]);
    if (status != HS_OK)
        return hs_error_set(error, status, 0, "--flows: '%.80s': %s", text, hs_status_text(status));
    f->ends[2 * k] = from;
    f->ends[2 * k + 1] = to;
    f->links[k] = f->route[k].links;
    f->counts[k] = f->route[k].count;
    return HS_OK;
}

static hs_status read_flows(const hs_platform *platform, const hs__words *texts, flows *f, hs_error *error)
{
    hs_status status = flows_init(f, texts->count);
    for (size_t k = 0; k < texts->count && status == HS_OK; k++)
        status = add_flow(platform, texts->item[k], f, k, error);
    return status;
}

static json_t *flows_json(const hs_platform *platform, const flows *f)
{
    json_t *array = json_array();
    for (size_t k = 0; k < f->count; k++)
        json_array_append_new(array, json_pack("{s:s, s:s, s:o}", "from", hs_platform_node_id(platform, f->ends[2 * k]),
                                               "to", hs_platform_node_id(platform, f->ends[2 * k + 1]), "bandwidth",
                                               isfinite(f->rate[k]) ? json_real(f->rate[k]) : json_null()));
    return json_pack("{s:o}", "flows", array);
}

static void print_flows(const hs_platform *platform, const flows *f)
{
    int width = 20;
    for (size_t k = 0; k < 2 * f->count; k++)
        width = hs__column_with(width, hs_platform_node_id(platform, f->ends[k]));
    printf("%-*s %-*s %12s\n", width, "FROM", width, "TO", "BANDWIDTH");
    for (size_t k = 0; k < f->count; k++) {
        const char *from = hs_platform_node_id(platform, f->ends[2 * k]),
                   *to = hs_platform_node_id(platform, f->ends[2 * k + 1]);
        char text[32] = "-";
        if (isfinite(f->rate[k]))
            hs_quantity_format(f->rate[k], HS_UNIT_BANDWIDTH, text, sizeof text);
        printf("%-*s %-*s %12s\n", hs__field(width, from), from, hs__field(width, to), to, text);
    }
}

/* Whether no flow has more than its route alone would give it. */
static int fits_routes(const flows *f)
{
    for (size_t k = 0; k < f->count; k++)
        if (!(f->rate[k] > 0) || f->rate[k] > f->route[k].bandwidth * (1 + 1e-9))
            return 0;
    return 1;
}

int cli_show_flows(const cli_verb *verb, const char *path, const hs_platform *platform, const char *text, int as_json)
{
    flows f = {0};
    hs_error error = {0};
    hs__words texts = {0};
    int code = cli_split_list(verb, text, &texts);
    if (code != CLI_OK)
        return code;
    hs_status status = read_flows(platform, &texts, &f, &error);
    if (status == HS_OK)
        status = hs_platform_maxmin(platform, f.links, f.counts, f.count, f.rate);
    HS_ASSERT(status != HS_OK || fits_routes(&f));
    if (status != HS_OK) {
        if (!error.text[0])
            hs__error_status(&error, status);
        code = cli_fail(verb, path, &error);
    } else if (as_json) {
        code = cli_print_json(verb, flows_json(platform, &f));
    } else {
        print_flows(platform, &f);
    }
    flows_free(&f);
    hs__words_free(&texts);
    return code;
}
