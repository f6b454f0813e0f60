/* SPDX-License-Identifier: BSD-3-Clause */
/* The network of a layout: the rank that planned the ring has the platform, the others get its routes as numbers. */
#include "plan/hierarchy/hierarchy.h"
#include "runtime/boxes/boxes.h"

typedef struct array {
    void *bytes;
    size_t count;
} array;

/* Reads the network where the platform is. None where its routes do not join all hosts, or are too many to share. */
static hs_status read(const hs_context *context, hs__boxes_network *network)
{
    const hs_platform *platform = context->planner.platform;
    hs_status status = HS_OK;
    if (platform && hs_platform_hosts(platform) <= HS__DISTANCE_HOSTS_MAX)
        status = hs__boxes_network_create(platform, context->order.host, context->size, network, NULL);
    return status == HS_ERR_NOMEM ? status : HS_OK;
}

static hs_status share(hs_context *context, void *bytes, size_t count)
{
    return hs__share(context, context->planner.rank, bytes, count);
}

static hs_status agree(hs_context *context, hs_status mine)
{
    return hs__agree(context, &(hs__record){HS__OP_BOX_CREATE, mine, {0}, {0}}, NULL);
}

static hs_status share_arrays(hs_context *context, hs__boxes_network *n)
{
    size_t hosts = (size_t)n->hosts, pairs = (size_t)n->nodes * (size_t)n->nodes;
    const array arrays[] = {{n->node, hosts * sizeof *n->node},
                            {n->nested, hosts * sizeof *n->nested},
                            {n->route, (pairs + 1) * sizeof *n->route},
                            {n->link, (size_t)n->crossings * sizeof *n->link},
                            {n->per_byte, (size_t)n->links * sizeof *n->per_byte},
                            {n->slowest, pairs * sizeof *n->slowest}};
    hs_status status = HS_OK;
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays && status == HS_OK; k++)
        status = share(context, arrays[k].bytes, arrays[k].count);
    return status;
}

hs_status hs__box_network_share(hs_context *context, hs__boxes_network *network)
{
    hs__boxes_network n = {0};
    if (context->order.memberships == 0)
        return HS_OK;
    hs_status status = agree(context, read(context, &n));
    int sizes[] = {n.hosts, n.nodes, n.links, n.crossings};
    if (status == HS_OK)
        status = share(context, sizes, sizeof sizes);
    if (status == HS_OK && sizes[0] > 0) {
        hs_status mine = HS_OK;
        if (context->rank != context->planner.rank)
            mine = hs__boxes_network_new(sizes[0], sizes[1], sizes[2], sizes[3], &n);
        status = agree(context, mine);
        if (status == HS_OK)
            status = share_arrays(context, &n);
    }
    if (status == HS_OK)
        *network = n;
    else
        hs__boxes_network_free(&n);
    return status;
}
