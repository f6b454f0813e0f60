/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLATFORM_PLATFORM_H
#define HS_PLATFORM_PLATFORM_H

/* What a platform is made of inside: a tree of zones. A zone's vertices are nodes (then it is a leaf) or child zones;
 * its edges are the routes the file gives between vertices. */

#include "util/index.h"
#include <heteroslice/hs_platform.h>
#include <stdatomic.h>

enum {
    HS__MAX_DEPTH = 200,       /* zones inside zones */
    HS__MAX_NODES = 1000000,   /* hosts, routers and zones */
    HS__MAX_LINKS = 100000000, /* links; routes, each direction counted */
    HS__MAX_TEXT = 80          /* bytes of a file's text quoted in an error */
};

typedef enum hs__routing {
    HS__ROUTING_FULL,
    HS__ROUTING_FLOYD,
    HS__ROUTING_DIJKSTRA,
    HS__ROUTING_DIJKSTRA_CACHE, /* routes as DIJKSTRA */
    HS__ROUTING_CLUSTER         /* a star: each vertex has its spokes to one middle */
} hs__routing;

typedef struct hs__node {
    char *id;                  /* owned */
    int zone, vertex;          /* the zone it is in and its place there */
    int cores;                 /* 0: a router */
    double speed;              /* flop/s of one core */
    hs_speed_function by_size; /* of one core; the points are owned */
} hs__node;

typedef struct hs__link {
    char *id; /* owned */
    double bandwidth, latency;
    hs_sharing sharing;
    int twin;     /* the other half of a duplex pair, or -1; the UP half has the lower index */
    int zone;     /* that it was declared in */
    int at_least; /* the bandwidth is a lower bound */
} hs__link;

/** A route the file gives between two vertices of a zone, one direction of it. */
typedef struct hs__edge {
    int zone, from, to; /* vertices of the zone */
    int gw_from, gw_to; /* nodes inside the two child zones where the route begins and ends; -1 in a leaf zone */
    size_t first;       /* the links crossed are platform->crossed[first .. first + count) */
    int count;
    int mirror; /* 1: the way back of the edge before it, not written of its own */
    int next;   /* the next edge of this zone in file order, or -1 */
} hs__edge;

/** What joins a vertex of a HS__ROUTING_CLUSTER zone to its middle; -1 for links that are not there. */
typedef struct hs__spoke {
    int limiter, up, down, loopback;
} hs__spoke;

/** The attributes of a <cluster> tag that the zone made of it does not show. */
typedef struct hs__cluster {
    char *prefix, *suffix, *radical; /* owned */
} hs__cluster;

typedef struct hs__tables hs__tables;

typedef struct hs__zone {
    char *id;                  /* owned */
    int parent, depth, vertex; /* parent -1: the root; vertex: its place in the parent */
    hs__routing routing;
    int *vertices; /* node index, or ~zone index of a child; owned */
    size_t count, room;
    hs__spoke *spokes; /* one a vertex; NULL unless HS__ROUTING_CLUSTER; owned */
    size_t spoke_room;
    int backbone;                 /* link, or -1 */
    hs__cluster *cluster;         /* NULL when the zone was no <cluster> tag; owned */
    int first_edge, last_edge;    /* of this zone, joined by next; -1: none */
    int first_link;               /* links of the platform when the zone began: its place among the parent's links */
    _Atomic(hs__tables *) tables; /* shortest paths, made when first asked for; owned */
} hs__zone;

/** All arcs of the graph in one allocation. */
typedef struct hs__arcs {
    hs_status status; /* HS_OK, or why there are none */
    hs_arc *arcs;     /* owned */
    int *links;       /* owned */
    size_t count;
} hs__arcs;

struct hs_platform {
    char *comment;   /* what the file says of itself, without two hyphens in a row; NULL: nothing; owned */
    hs__node *nodes; /* hosts first once settled */
    size_t node_count, node_room;
    int hosts, routers;
    int in_bits; /* the file has bandwidths in bits a second: drawings, too */
    hs__link *links;
    size_t link_count, link_room;
    hs__zone *zones; /* parents before children; 0 is the root */
    size_t zone_count, zone_room;
    hs__edge *edges; /* in file order, over all zones */
    size_t edge_count, edge_room;
    int *crossed; /* link indices of all edges */
    size_t crossed_count, crossed_room;
    hs__index node_ids, link_ids, zone_ids, edge_ends;
    int is_view;              /* all but links and arcs belongs to another platform */
    _Atomic(hs__arcs *) arcs; /* the last member: a view has its own */
};

/* ---- Building; errors carry line 0, the reader adds its own ---- */

/** A platform without any zone. */
hs_platform *hs__platform_new(void);

/** Add a zone, to be filled by the calls below; parent -1 makes it the root. */
hs_status hs__platform_add_zone(hs_platform *platform, int parent, const char *id, hs__routing routing, int *zone,
                                hs_error *error);

/** Add a host (cores >= 1) or router (cores 0) to a zone, in any order; hs__platform_settle() puts hosts first. */
hs_status hs__platform_add_node(hs_platform *platform, int zone, const char *id, double speed, int cores, int *node,
                                hs_error *error);

/** Add a link to a zone. */
hs_status hs__platform_add_link(hs_platform *platform, int zone, const char *id, double bandwidth, double latency,
                                hs_sharing sharing, int *link, hs_error *error);

/** Add both halves of a duplex link to a zone; *up is the first one. */
hs_status hs__platform_add_duplex(hs_platform *platform, int zone, const char *id, double bandwidth, double latency,
                                  int *up, hs_error *error);

/** Add an edge with its links; `first` and the platform's indices are filled in. */
hs_status hs__platform_add_edge(hs_platform *platform, hs__edge edge, const int *links, hs_error *error);

/** Give all hosts the lowest node indices, keeping file order otherwise. */
hs_status hs__platform_settle(hs_platform *platform);

/** The same platform with bandwidths of its own, for hs__platform_set_bandwidth(). The other one must outlive it and get nothing
 * added. @return what hs_platform_free() frees; NULL without memory */
hs_platform *hs__platform_view(const hs_platform *of);

/** Give a link another bandwidth, > 0, that is no bound; its twin keeps its own. Routes stay. */
void hs__platform_set_bandwidth(hs_platform *platform, int link, double bandwidth);

/** Let a host be so many times as fast, > 0, with any slice. Not for hosts of a <cluster>, which are equal. */
void hs__platform_scale_speed(hs_platform *platform, int host, double factor);

/** Whether a host is one of a <cluster>. */
int hs__platform_in_cluster(const hs_platform *platform, int host);

/** Index of a host by its name, or by the name without its domain, or with one where only one host has it; -1 when there is none.
 * Some systems name their hosts with the domain, others without. */
int hs__platform_find_host(const hs_platform *platform, const char *name);

/** Index of a zone by id, -1 when there is none. */
int hs__platform_find_zone(const hs_platform *platform, const char *id);

/** Index of the edge between two vertices of a zone, -1 when there is none. */
int hs__platform_find_edge(const hs_platform *platform, int zone, int from, int to);

/** Name of a vertex: of its node or of its child zone. */
const char *hs__vertex_id(const hs_platform *platform, int zone, int vertex);

/** 1 when the node lies in the zone or anywhere below it. */
int hs__zone_holds(const hs_platform *platform, int zone, int node);

/* ---- Shortest paths inside a zone ---- */

/** The edges from one vertex to another of a Full, Floyd or Dijkstra zone, last one first, appended to *edges.
 * @return HS_OK; HS_ERR_UNREACHABLE; HS_ERR_NOMEM */
hs_status hs__zone_path(const hs_platform *platform, int zone, int from, int to, int **edges, size_t *count,
                        size_t *room);

void hs__tables_free(hs__tables *tables);
void hs__arcs_free(hs__arcs *arcs);

#endif
