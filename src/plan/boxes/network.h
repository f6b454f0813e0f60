/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_BOXES_NETWORK_H
#define HS_PLAN_BOXES_NETWORK_H

#include "util/pool.h"
#include <heteroslice/hs_boxes.h>

/** Routes between nodes, the platform's hosts that hosts of a plan are on. Numbers only, which ranks can give each other. */
typedef struct hs__boxes_network {
    int hosts, nodes, links, crossings;
    int *node;   /* [hosts] */
    int *nested; /* [hosts] groups of hosts near each other, as hs__domains_find() numbers them; all 1: one group */
    int *route;  /* [nodes * nodes + 1]: from a to b crosses link[route[a * nodes + b]] ... */
    int *link;   /* [crossings] links that add up their messages */
    double *per_byte; /* [links] seconds */
    double *slowest;  /* [nodes * nodes] seconds a byte of the narrowest link of the route */
    hs__pool pool;
} hs__boxes_network;

/** Room for so many of each. @return HS_OK; HS_ERR_NOMEM: nothing to free */
hs_status hs__boxes_network_new(int hosts, int nodes, int links, int crossings, hs__boxes_network *network);
void hs__boxes_network_free(hs__boxes_network *network);

/** Read a platform's fixed routes, as the mapping planner has them, and groups of hosts on unequal links.
 * @param[in] host  [hosts] the platform's host of each; several may be on one
 * @return HS_OK; HS_ERR_ARG; HS_ERR_UNSUPPORTED (more than HS_MAPPING_HOSTS_MAX of the platform's); HS_ERR_UNREACHABLE;
 *         HS_ERR_NOMEM: nothing to free */
hs_status hs__boxes_network_create(const hs_platform *platform, const int *host, int hosts, hs__boxes_network *network,
                                   hs_error *error);

#endif
