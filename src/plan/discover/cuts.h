/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_DISCOVER_CUTS_H
#define HS_PLAN_DISCOVER_CUTS_H

/* Readings, and how well a cut explains them. */

#include "plan/discover/discover.h"
#include "util/random.h"

static const double hs__widths_alike = 0.15; /* two ways that differ by less are one duplex link */

/** What crosses a cut in one round, out of its side and into it. */
typedef struct hs__tally {
    double sum[2], top[2]; /* bytes/s of all flows, of the fastest */
    int flows[2];
} hs__tally;

struct hs__discovery {
    int hosts;
    hs__probe_flow *flow; /* all readings, round after round; owned */
    double *bound;        /* of each flow: the least that the known links leave it; owned */
    double *trunk_bound;  /* likewise, of the links between switches; owned */
    size_t flows, flow_room, bound_room, trunk_bound_room;
    size_t *first; /* flows of round r: first[r] .. first[r + 1]); owned */
    size_t first_room;
    int rounds, probes, quiet, globals; /* globals: rounds in which all hosts sent to any */
    int ended;                          /* the last hs__discovery_next() had nothing to propose */
    int root_explored[2];               /* as explored[] of a cut, for the root switch */
    hs__cut *cut;                       /* owned */
    int cuts;
    size_t cut_room;
    hs__tally *tally; /* scratch, by round; owned */
    double *value;    /* scratch, by round and direction; owned */
    double *rate;     /* scratch, by flow; owned */
    size_t tally_room, value_room, rate_room;
    unsigned char *suspect;      /* a cut that is likely but not sure; owned */
    int suspected, suspicions;   /* whether there is one; how many rounds had one */
    unsigned char *met;          /* met[i * hosts + j]: i has sent to j; owned */
    hs__cut_policy *host_policy; /* scratch, by host; owned */
    hs__random random;
};

/** What crosses the side in each round, into discovery->tally[]. */
void hs__cut_tally(hs__discovery *d, const unsigned char *side);

/** The capacities under the cut's policy, as what it carried when it carried most. Uses tally[]. */
void hs__cut_capacity(hs__discovery *d, hs__cut *cut);

/** What the cut leaves to each flow across it in direction `way` (0: out of the side) in a round with this tally. */
double hs__cut_leaves(const hs__cut *cut, const hs__tally *tally, int way);

/** Set the cut's policy to the one with the highest gain against bound[], shared and fatpipe only with a clear lead, and with it
 * the gains and capacities. Sets tally[]. @return the gain */
double hs__cut_best_policy(hs__discovery *d, hs__cut *cut);

/** In how many rounds a host's own link was the narrowest of all on the way: the others would have carried more than it
 * seems to have out (way 0) or in. In its other rounds it may be wider than it seems. Needs trunk_bound[]. */
int hs__host_seen_full(const hs__discovery *d, int host, int way);

/** Set bound[] from all cuts but one (-1: from all), and trunk_bound[] from those between switches. */
void hs__cuts_bound(hs__discovery *d, int except);

/** The sum of misfits against bound[]. */
double hs__cuts_misfit(const hs__discovery *d);

#endif
