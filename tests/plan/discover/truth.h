/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_PLAN_DISCOVER_TRUTH_H
#define HS_TESTS_PLAN_DISCOVER_TRUTH_H

/* True networks that answer probes with noise, and how well a found one agrees with them. */

#include "plan/discover/discover.h"
#include "util/random.h"

enum { TRUTH_HOSTS = 512, TRUTH_SWITCHES = 128 };

/** A tree of switches; switch 0 is the root. */
typedef struct truth {
    int hosts, switches;
    int home[TRUTH_HOSTS];        /* switch of each host */
    double access[TRUTH_HOSTS];   /* bytes/s */
    int above[TRUTH_SWITCHES];    /* of each switch but the root */
    double trunk[TRUTH_SWITCHES]; /* bytes/s of the link there */
    hs__cut_policy host_policy, trunk_policy;
} truth;

typedef struct verdict {
    double median, late;  /* relative error of bandwidths over random sets of flows: median, 95th percentile */
    double clique[2];     /* likewise, were each pair to have its true bandwidth to itself */
    int trunks, found;    /* trunks that flows can fill; those of which a link found divides the hosts alike */
    int extra;            /* links found between switches that divide the hosts as no trunk does */
    int told[2], held[2]; /* directions with an interval, of hosts' links and of trunks found; those that are within */
    int probes, rounds;
} verdict;

/** The switch, a neighbour of hosts of its own. @return its number */
int truth_switch(truth *t, int above, double trunk, int hosts, double access);

/** A random tree of switches with at least two hosts at each leaf. */
void truth_random(truth *t, int hosts, hs__random *random);

/** The network as a platform, whose hosts have a speed of 1 Gf. The caller frees it. */
hs_platform *truth_platform(const truth *t);

/** Set what each of n flows gets that run at the same time. */
void truth_rates(const hs_platform *p, hs__probe_flow *flow, int n);

/** Probe a network with readings that are off by `noise` (standard deviation, a part) and one in fifty far off, in `most`
 * rounds at most, and conclude. The caller frees it. */
hs__discovery *truth_discover(const hs_platform *truly, double noise, int most, hs__random *random, int *rounds);

/** What was found, as a platform with the same hosts. The caller frees it. */
hs_platform *truth_found(const hs_platform *truly, const hs__discovery *d);

/** Discover the network and judge what was found by 200 random sets of 1 to 8 flows. */
verdict truth_judge(const truth *t, double noise, int most, uint64_t seed);

#endif
