/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_RING_CROSSINGS_H
#define HS_PLAN_RING_CROSSINGS_H

/* Which messages cross which links: the sparse matrix A of the limits sum_f A[e][f] x_f <= b_e, both ways round. Only
 * links with a limit are listed, renumbered 0 .. links-1; a message's own limit (FATPIPE) is a link of its own.
 */

#include "plan/ring/network.h"
#include "platform/maxmin.h"

typedef struct hs__crossings {
    const hs__network *network; /* borrowed */
    int messages, links;
    double *capacity; /* [link] bytes/s */
    int *shared;      /* [link] its number on the platform, -1: the own limit of a message */
    int *of_message;  /* message f crosses of_message[first_of[f] .. first_of[f + 1] - 1] */
    int *first_of;
    int *on_link; /* link e is crossed by on_link[first_on[e] .. first_on[e + 1] - 1]; listed twice: crossed twice */
    int *first_on;
    /* scratch */
    int *local; /* [link of the platform] its number here, valid where mark equals epoch */
    unsigned *mark;
    unsigned epoch;
    size_t capacity_room, shared_room, of_room, first_of_room, on_room, first_on_room;
} hs__crossings;

hs_status hs__crossings_init(hs__crossings *crossings, const hs__network *network);
void hs__crossings_free(hs__crossings *crossings);

/** Fill it for n messages.
 * Cost:       O(links on the paths); memory is reused.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__crossings_build(hs__crossings *crossings, const hs__path *const *path, int n);

/** The same as platform/maxmin.h takes it; borrowed. */
hs__sharing_graph hs__crossings_graph(const hs__crossings *crossings);

#endif
