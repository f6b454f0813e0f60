/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_MAPPING_H
#define HS_PLAN_MAPPING_H

/* What the parts of the mapping planner share. Vertices are padded with isolated ones until there are as many as ranks,
 * so that every host is full and an exchange of two vertices is the only move there is. */

#include "util/pool.h"
#include <heteroslice/hs_mapping.h>

/** What a vertex exchanges with another one. */
typedef struct hs__partner {
    int vertex;
    double out, in; /* bytes sent there and received from there */
} hs__partner;

/** The problem: a graph, hosts by own numbers 0 .. hosts-1, and the routes between them. */
typedef struct hs__mapping {
    int vertices, hosts, links;
    int *first;            /* [vertices + 1] of partner */
    hs__partner *partner;  /* by increasing vertex */
    int *home;             /* [vertices]: host of the rank of the same number */
    int *room;             /* [hosts]: ranks there */
    int *node;             /* [hosts]: the platform's host */
    int *route;            /* [hosts * hosts + 1]: from a to b is link[route[a * hosts + b]] ... */
    int *link;             /* owned */
    double *per_byte;      /* [links], s: of a link that adds up its messages, else 0 */
    double *slowest, *all; /* [hosts * hosts], s a byte: of the narrowest link of the route, and of all */
    int pinned;            /* this vertex stays on its home; -1: none */
    int dimensions;        /* of a grid; 0: a graph */
    const int *extent;     /* borrowed */
    int64_t effort;        /* partners that may still be evaluated */
    hs__pool pool;         /* of the arrays but link */
} hs__mapping;

/** The host of each vertex, and the loads that follow. */
typedef struct hs__assignment {
    int *host;         /* [vertices] */
    int *slot;         /* [vertices], and its inverse: */
    int *vertex_in;    /* [vertices]: host h has slots start[h] ... start[h] + room[h] - 1 */
    int *start;        /* [hosts] */
    double *busy;      /* [links], s */
    double *change;    /* [links]: of the exchange under evaluation, else 0 */
    int *touched;      /* links with a change */
    char *is_touched;  /* [links] */
    int touches;       /* how many of touched */
    double busiest;    /* s, of the links that add up */
    double total;      /* s */
    double largest;    /* total since all loads were last counted */
    double difference; /* of total, of the exchange under evaluation */
    hs__pool pool;
} hs__assignment;

hs_status hs__assignment_init(hs__assignment *s, const hs__mapping *m);
void hs__assignment_free(hs__assignment *s);

/** Assign vertices as `host` says, which must fill every host; loads are counted anew. */
void hs__assignment_set(hs__assignment *s, const hs__mapping *m, const int *host);

/** Count the loads anew: differences leave rounding behind. */
void hs__assignment_count(hs__assignment *s, const hs__mapping *m);

/** Exchange two vertices of different hosts. */
void hs__assignment_exchange(hs__assignment *s, const hs__mapping *m, int u, int v);

/** What is to become smaller. */
typedef enum hs__aim {
    HS__AIM_PEAKS,  /* the sum of the eighth powers: the busiest links, without plateaus */
    HS__AIM_BUSIEST /* the busiest link, then all together */
} hs__aim;

/** By how much an exchange of two vertices of different hosts would lessen the aim; not above 0 when it would not. */
double hs__assignment_gain(hs__assignment *s, const hs__mapping *m, hs__aim aim, int u, int v);

/** The cost of a mapping, exactly. */
hs_mapping_cost hs__mapping_cost(const hs__mapping *m, hs__assignment *s, const int *host);

/** The cost by the definition, from the platform's routes instead of hs__mapping's tables.
 * @return HS_OK; HS_ERR_UNREACHABLE; HS_ERR_NOMEM */
hs_status hs__mapping_measure(const hs_platform *platform, const hs_mapping_params *params,
                              const hs_mapping_graph *graph, const int *rank, hs_mapping_cost *cost);

/** Whether a is better than b by more than rounding. */
int hs__mapping_is_better(hs_mapping_cost a, hs_mapping_cost b);

/** Fill host[] from the k-th start; 0 is the identity. @return 0 when there are no more; -1 when memory is out */
int hs__mapping_start(const hs__mapping *m, const hs_platform *platform, int k, int *host);

/** Assign vertices by halving hosts and vertices together; of a grid by coordinates, the first cut across dimension
 * `across` (-1: where it is longest); of a graph by growing parts. */
hs_status hs__mapping_halve(const hs__mapping *m, const int *chain, int across, int *host);

/** Exchange vertices, then whole hosts, as long as that helps or effort is left. Less effort is left afterwards. */
void hs__mapping_descend(hs__mapping *m, hs__assignment *s);

/** Disturb and descend again, as long as effort is left. best[] and cost are the best known, in and out. */
void hs__mapping_perturb(hs__mapping *m, hs__assignment *s, int *best, hs_mapping_cost *cost);

#endif
