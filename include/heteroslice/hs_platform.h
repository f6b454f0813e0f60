/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_PLATFORM_H
#define HETEROSLICE_HS_PLATFORM_H

/* The platform model: hosts compute, routers forward, links carry, and routes share links.
 *
 * Node indices: hosts are 0 .. hosts-1 in file order, routers follow: hosts .. hosts+routers-1. Link indices are
 * 0 .. links-1 in file order. A SPLITDUPLEX link "x" of a file is two links here, "x_UP" and "x_DOWN", each with the
 * full bandwidth, as in SimGrid; so a link here is always one capacity, whatever crosses it in either direction. */

#include <heteroslice/hs_speed.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hs_platform hs_platform;

typedef enum hs_sharing {
    HS_SHARED, /* all flows of both directions share the bandwidth: the paper's bidirectional link */
    HS_FATPIPE /* each flow may use all of it: the paper's backbone link */
} hs_sharing;

/** A path through the network. Owned by the caller, who starts with {0} and ends with hs_route_free(). */
typedef struct hs_route {
    int *links;       /* link indices in the order they are crossed; owned */
    size_t count;     /* number of links; 0 for a host to itself without loopback */
    size_t capacity;  /* allocated length of links */
    double latency;   /* sum over the links, seconds */
    double bandwidth; /* smallest over the links, bytes per second; INFINITY when count is 0 */
} hs_route;

/** Free what the route owns and make it empty; NULL is fine. */
HS_API void hs_route_free(hs_route *route);

/** A directed step of the graph, for free routes: from and to are node indices. */
typedef struct hs_arc {
    int from, to;
    const int *links; /* crossed in this order, usually one; borrowed from the platform */
    size_t count;
} hs_arc;

/* ---- Reading and writing ---- */

/** Read a SimGrid 4.1 platform file.
 *
 * Tags read and refused: see hs-platform(5). On failure *error names the line, the tag or value and what was
 * expected; nothing is guessed.
 * @param[out] platform  on HS_OK a new object, freed with hs_platform_free()
 * @return HS_OK; HS_ERR_IO; HS_ERR_PARSE; HS_ERR_UNSUPPORTED (a known tag this model does not cover); HS_ERR_NOMEM */
HS_API hs_status hs_platform_read(const char *path, hs_platform **platform, hs_error *error);

/** Write the platform as a SimGrid 4.1 file that reads back to the same hosts, routers, links and routes. What the file
 * that was read says of itself, in a comment before its first zone, is kept. The file appears whole or not at all; "-" is
 * standard output.
 * @return HS_OK; HS_ERR_IO; HS_ERR_NOMEM */
HS_API hs_status hs_platform_write(const hs_platform *platform, const char *path, hs_error *error);

/** Free a platform; NULL is fine. What was borrowed from it goes, too. */
HS_API void hs_platform_free(hs_platform *platform);

/** Check a platform: ids lead to their nodes and links, hosts come first, twins are each other's, and the arcs join its
 * nodes over its links.
 * @return HS_OK; HS_ERR_INTERNAL with *error saying what is wrong; HS_ERR_NOMEM */
HS_API hs_status hs_platform_check(const hs_platform *platform, hs_error *error);

/* ---- Building one in memory (the probe, the generator, tests) ---- */

/** How the traffic of a built platform finds its way. */
typedef enum hs_routing {
    HS_ROUTING_FULL, /* every pair's route is given by hs_platform_add_route() */
    HS_ROUTING_GRAPH /* hs_platform_add_edge() gives neighbours; routes cross the fewest edges (as SimGrid's Floyd) */
} hs_routing;

/** Make a platform without hosts and links, to add some.
 * @param[out] platform  on HS_OK a new object, freed with hs_platform_free()
 * @return HS_OK; HS_ERR_NOMEM */
HS_API hs_status hs_platform_create(hs_routing routing, hs_platform **platform);

/** Add a host: speed in flop/s per core, 1e-100 to 1e100 (or 0: it takes no work); cores >= 1; id unique, as
 * every id a text in UTF-8 without control characters.
 * @param[out] host  its node index; may be NULL. All hosts must be added before the first router. */
HS_API hs_status hs_platform_add_host(hs_platform *platform, const char *id, double speed, int cores, int *host,
                                      hs_error *error);
HS_API hs_status hs_platform_add_router(hs_platform *platform, const char *id, int *router, hs_error *error);

/** Add a link: bandwidth in bytes/s, 1e-100 to 1e100, latency in seconds, the same or 0; id unique. */
HS_API hs_status hs_platform_add_link(hs_platform *platform, const char *id, double bandwidth, double latency,
                                      hs_sharing sharing, int *link, hs_error *error);

/** Say how the speed of a host's core depends on the size of the host's slice, and what its largest slice is. Files keep
 * both as properties of the host that mean nothing to SimGrid, see hs-platform(5). Hosts of a "cluster" cannot differ.
 * @param[in]  function  copied; 0 points and no limit take back what was said
 * @return HS_OK; HS_ERR_ARG (no host, or hs_speed_check() fails); HS_ERR_UNSUPPORTED (a host of a "cluster"); HS_ERR_NOMEM */
HS_API hs_status hs_platform_set_host_speed_function(hs_platform *platform, int host, const hs_speed_function *function,
                                                     hs_error *error);

/** Say that a link's bandwidth, and its twin's, is only a lower bound. Files keep it as the link's property "bandwidth" with
 * the value "at least", which means nothing to SimGrid. */
HS_API void hs_platform_set_link_at_least(hs_platform *platform, int link);

/** Add the links id_UP and id_DOWN; *up is the first index, *up + 1 the other. */
HS_API hs_status hs_platform_add_duplex(hs_platform *platform, const char *id, double bandwidth, double latency,
                                        int *up, hs_error *error);

/** HS_ROUTING_GRAPH: make two nodes neighbours over a link, in both directions. Over a duplex pair pass its first
 * index: from -> to goes by _UP, to -> from by _DOWN. */
HS_API hs_status hs_platform_add_edge(hs_platform *platform, int from, int to, int link, hs_error *error);

/** HS_ROUTING_FULL: give the route from one host to another; links are copied. With symmetrical not 0 the way back
 * uses the links in reverse order, _UP and _DOWN swapped. */
HS_API hs_status hs_platform_add_route(hs_platform *platform, int from, int to, const int *links, size_t count,
                                       int symmetrical, hs_error *error);

/* ---- Accessors ---- */

/** How many hosts, routers and links there are. Hosts are the nodes from 0 on, routers those after them. */
HS_API int hs_platform_hosts(const hs_platform *platform);
HS_API int hs_platform_routers(const hs_platform *platform);
HS_API int hs_platform_links(const hs_platform *platform);

/** The id of a host or router by node index; borrowed until the platform is freed. */
HS_API const char *hs_platform_node_id(const hs_platform *platform, int node);
HS_API const char *hs_platform_link_id(const hs_platform *platform, int link);

/** Node index of an id, link index of an id; -1 when there is none.
 * Cost:       O(1). */
HS_API int hs_platform_find_node(const hs_platform *platform, const char *id);
HS_API int hs_platform_find_link(const hs_platform *platform, const char *id);

/** What was said of a host, by node index, and of a link, by link index. */
HS_API double hs_platform_host_speed(const hs_platform *platform, int host); /* flop/s of one core; 0: it is off */
HS_API int hs_platform_host_cores(const hs_platform *platform, int host);
/** The speed of one core by the size of the host's slice; no points when it is hs_platform_host_speed() whatever the size
 * is. Borrowed until the platform is freed or changed. */
HS_API const hs_speed_function *hs_platform_host_speed_function(const hs_platform *platform, int host);
HS_API double hs_platform_link_bandwidth(const hs_platform *platform, int link); /* bytes/s */
HS_API double hs_platform_link_latency(const hs_platform *platform, int link);   /* seconds */
HS_API hs_sharing hs_platform_link_sharing(const hs_platform *platform, int link);

/** 1: the bandwidth is only a lower bound, since nothing was measured that filled the link. Plans take it as it stands. */
HS_API int hs_platform_link_at_least(const hs_platform *platform, int link);

/** The other half of a duplex pair, -1 when the link is no half. */
HS_API int hs_platform_link_twin(const hs_platform *platform, int link);

/** The fixed route from one host (or router) to another, as the file's routing gives it and as SimGrid 3.32 answers it.
 *
 * Of a host to itself: the loopback of its cluster or the route the file gives, else empty.
 * Scope:      local; several threads may call it.
 * Cost:       O(links on the route) plus, when a vertex of a zone is met for the first time, one shortest-path search in
 *             that zone.
 * @param[in,out] route  overwritten, its buffer is reused; empty after a failure
 * @return HS_OK; HS_ERR_UNREACHABLE (no route); HS_ERR_ARG; HS_ERR_NOMEM */
HS_API hs_status hs_platform_route(const hs_platform *platform, int from, int to, hs_route *route);

/** The same route with its links in the order in which SimGrid 3.32 lists them.
 *
 * Differs from hs_platform_route() only in Dijkstra zones: SimGrid lists the links of an edge there last one first, and
 * puts the links of a zone where the route ends before all others. For comparing; not the order of crossing. */
HS_API hs_status hs_platform_route_listed(const hs_platform *platform, int from, int to, hs_route *route);

/** The graph for free routes: all arcs, sorted by (from, to, links). Borrowed until the platform is freed or changed.
 * @return HS_OK; HS_ERR_NOMEM; HS_ERR_UNSUPPORTED when a zone does not give neighbours: two vertices or more
 *         under routing="Full", or a cluster with a backbone or without exactly one router */
HS_API hs_status hs_platform_arcs(const hs_platform *platform, const hs_arc **arcs, size_t *count);

/* ---- Sharing ---- */

/** Max-min fair rates of a set of flows (progressive filling).
 *
 * Model:      a link in a flow's list counts as often as it appears there. Rates of flows without links are INFINITY.
 * Guarantee:  exact up to rounding; no flow's rate can grow without shrinking a smaller or equal one.
 * Cost:       O((sum of counts + links) log(links)).
 *
 * @param[in]  links     links[f] the link indices of flow f, counts[f] of them
 * @param[in]  n         number of flows, >= 0
 * @param[out] rate      bytes/s, array of length n; written only on HS_OK
 * @return HS_OK; HS_ERR_ARG (a link index out of range); HS_ERR_NOMEM */
HS_API hs_status hs_platform_maxmin(const hs_platform *platform, const int *const *links, const size_t *counts,
                                    size_t n, double *rate);

/* ---- Making and drawing ---- */

/** Generate a random three-level (LAN/MAN/WAN) platform in the manner of Tiers, as in shared-ring-2003 section 5.1.
 *
 * Every host hangs on one LAN router; all links are shared, without latency; HS_ROUTING_GRAPH. Deterministic in seed.
 * @param[in]  hosts, routers  >= 1
 * @param[in]  links  hosts + routers - 1 (a tree) to hosts + routers (routers - 1) / 2
 * @return HS_OK; HS_ERR_ARG; HS_ERR_UNSUPPORTED (too large); HS_ERR_NOMEM */
HS_API hs_status hs_platform_generate(int hosts, int routers, int links, uint64_t seed, hs_platform **platform,
                                      hs_error *error);

#ifdef __cplusplus
}
#endif
#endif
