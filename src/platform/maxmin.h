/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLATFORM_MAXMIN_H
#define HS_PLATFORM_MAXMIN_H

/* Max-min fairness by progressive filling (shared-ring-2003, 4.3, Method 1), on links and flows by number. */

#include <heteroslice/hs_status.h>
#include <stddef.h>

/** Which flows cross which links, both ways round. A link that a flow crosses twice is there twice. All borrowed. */
typedef struct hs__sharing_graph {
    int links, flows;
    const double *capacity; /* [links], bytes/s */
    const int *first_of;    /* [flows + 1]: flow f crosses of_flow[first_of[f] .. first_of[f + 1] - 1] */
    const int *of_flow;
    const int *first_on; /* [links + 1]: link e is crossed by on_link[first_on[e] .. first_on[e + 1] - 1] */
    const int *on_link;
} hs__sharing_graph;

/** Fill first_on, which has room for links + 2 numbers, and on_link from first_of and of_flow. */
void hs__list_by_link(int links, int flows, const int *first_of, const int *of_flow, int *first_on, int *on_link);

/** Memory that can be used again and again. Starts as {0}. */
typedef struct hs__filling {
    struct hs__filling_link *link;
    struct hs__filling_entry *heap;
    size_t link_room, heap_room;
} hs__filling;

void hs__filling_free(hs__filling *filling);

/** Max-min fair rates; INFINITY for flows without links.
 * Cost:       O(crossings + links log(links)).
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__maxmin_rates(const hs__sharing_graph *graph, hs__filling *filling, double *rate);

/** Whether no link has to carry more than it can at these rates, by more than rounding. */
int hs__rates_fit(const hs__sharing_graph *graph, const double *rate);

#endif
