/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_NETWORK_H
#define HS_PLAN_RING_NETWORK_H

/* The platform as the ring planner sees it: speeds, link capacities, and paths that live as long as the network. Hosts,
 * routers and links have the numbers of order.h; a finished plan has the platform's again. */

#include "plan/by_size/hosts.h"
#include "plan/ring/order.h"
#include "util/index.h"
#include "util/pool.h"
#include <heteroslice/hs_ring.h>
#include <stddef.h>

/** The smaller of two numbers: fmin() without a call, for inner loops where nothing is NaN. */
static inline double hs__smaller(double a, double b)
{
    return a < b ? a : b;
}

/** A path; owned by the network. */
typedef struct hs__path {
    int *links;     /* in the order they are crossed */
    int count;      /* 0: the message costs nothing but its latency */
    double cap;     /* smallest FATPIPE bandwidth on it, INFINITY when there is none */
    double latency; /* seconds, 0 when latencies are ignored */
} hs__path;

/** What the numbers of a network are multiples of: 1, or while they are rounded the largest ones. */
typedef struct hs__units {
    double speed, bandwidth, time;
} hs__units;

/** When a member finishes with one more unit. */
typedef struct hs__finish {
    double time;
    int member;
} hs__finish;

typedef struct hs__network {
    const hs_platform *platform; /* borrowed */
    hs__ring_order order;
    hs__units unit;
    int hosts, links;
    double *speed;                     /* work units/s per host, the fastest first */
    const hs_speed_function *function; /* per host, what its speed is by size; NULL: it is the same for all sizes */
    double *busy;                      /* [host] scratch */
    hs__finish *finish;                /* [host] scratch */
    int64_t units;                     /* rings are judged by so many whole units; 0: by real shares */
    double work, data;                 /* with functions: work units and bytes of all slices, never rounded */
    double *capacity;                  /* bytes/s per link that all its messages share; INFINITY for FATPIPE links */
    double *fatpipe;                   /* bytes/s per link that each message may use; INFINITY for the others */
    double *latency;                   /* seconds per link, 0 when latencies are ignored */
    const hs__path **fixed; /* [from * hosts + to]: the platform's route, asked on first use; NULL: not asked yet */
    hs__path none;          /* means "no route" in `fixed` */
    hs__path **path;        /* [by_links.used] every path made */
    size_t path_room;
    hs__index by_links; /* of the paths */
    hs_route scratch;
    hs__pool pool; /* of the paths, and of the arrays but `path` */
} hs__network;

/** Fill *network for a platform and checked parameters. On failure nothing is left to free. */
hs_status hs__network_init(hs__network *network, const hs_platform *platform, const hs_ring_params *params,
                           hs_error *error);
void hs__network_free(hs__network *network);

/** Time rings by the functions of the hosts from now on.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__network_use_functions(hs__network *network, const hs_ring_params *params, const hs__by_size *sizes);

/** Make speeds, bandwidths, latencies, and work and halo of the parameters, multiples of the largest ones, rounded to
 * 40 bits, so that a search on them does the same whatever units they came in. No path may have been made yet. */
void hs__network_round(hs__network *network, hs_ring_params *params);

/** Take the platform's own numbers again; rates of paths are then to be found anew. params as at first. */
void hs__network_restore(hs__network *network, const hs_ring_params *params);

/** Fill cap and latency of a path that has its links. */
void hs__network_measure(const hs__network *network, hs__path *path);

/** The path over these links, owned by the network: the same links give the same path.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__network_path(hs__network *network, const int *links, size_t count, const hs__path **path);

/** The platform's route between two hosts; *path is NULL when there is none.
 * @return HS_OK; HS_ERR_NOMEM and other failures of hs_platform_route() */
hs_status hs__network_route(hs__network *network, int from, int to, const hs__path **path);

#endif
