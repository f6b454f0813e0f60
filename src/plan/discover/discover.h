/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLAN_DISCOVER_DISCOVER_H
#define HS_PLAN_DISCOVER_DISCOVER_H

/* Finding the links that hosts share from the bandwidths of flows that run at the same time. No MPI, no clock: whoever
 * feeds the same readings gets the same rounds and the same network.
 *
 * Model:      a tree of links with a host at each leaf; flows share links max-min fairly. A link is a cut: it divides
 *             the hosts in two, and in each round the flows across it add up to at most its capacity.
 * Method:     a round is a set of flows in which a host sends once and receives once at the same time, or receives from
 *             several. Rates are max-min fair when every flow has a bottleneck: a full link. Flows whose rate no known
 *             link explains ask for a new one; the cut that explains most of them, in more than one round, is added.
 *             Later rounds fill the links found, and otherwise stay inside the switches found, where they disturb
 *             nothing that is known.
 * Guarantee:  heuristic; deterministic. Any number of rounds gives a valid network, more rounds a finer one.
 *
 * A link that no flow can fill does not show, and does not matter: the host links beside it are the bottleneck. */

#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_status.h>
#include <stddef.h>

typedef struct hs__probe_flow {
    int from, to; /* hosts */
    double rate;  /* bytes/s as measured, <= 0: no reading; of a proposed flow: about what to expect, 0: unknown */
} hs__probe_flow;

typedef enum hs__cut_policy {
    HS__CUT_DUPLEX, /* each direction has its capacity */
    HS__CUT_SHARED, /* both directions share it */
    HS__CUT_FATPIPE /* each flow has it */
} hs__cut_policy;

enum { HS__FLOWS_TO_ONE = 16 }; /* at most, in a round */

/** A link of the network found. It stands between the hosts of its side and all others. */
typedef struct hs__cut {
    unsigned char *side; /* by host, 1 for those behind the link, never host 0 unless it is host 0's own; owned */
    int host;            /* whose own link it is, -1 for a link between switches */
    hs__cut_policy policy;
    double capacity[2];     /* bytes/s out of the side and into it; 0 when nothing is known */
    double low[2], high[2]; /* where it is with a probability of 90 %, 0 and INFINITY when unknown */
    int full[2];            /* rounds in which it was the bottleneck; 0: the capacity is a lower bound */
    double gain;            /* by so much it lowers the misfit of all readings */
    double sure, likely;    /* likewise without the round, and without the flow, that speaks most for it */
    double latency;         /* seconds */
    int parent;             /* cut of the switch it leads to, -1 for the root switch */
    int explored[2];        /* rounds in which the hosts of its switch all met those beyond it */
    int tried[2];           /* rounds that were to fill it */
} hs__cut;

typedef struct hs__discovery hs__discovery;

/** Nothing known of n >= 1 hosts yet. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__discovery_create(int n, hs__discovery **discovery);
void hs__discovery_free(hs__discovery *discovery);

/** The flows worth measuring at the same time next.
 * @param[in]  left   rounds that there is time for, this one included; INFINITY: as many as are worth it
 * @param[out] flow   array of length n. A host sends at most once and receives up to HS__FLOWS_TO_ONE times, both at once where
 *                    its link is not known to be shared by both ways.
 * @param[out] flows  their number; 0 when nothing more is worth it, or 6 n log2 n flows have been measured
 * @return HS_OK; HS_ERR_NOMEM, and nothing is changed */
hs_status hs__discovery_next(hs__discovery *discovery, double left, hs__probe_flow *flow, int *flows);

/** Learn what n flows got that ran at the same time, no more than there are hosts. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__discovery_add(hs__discovery *discovery, const hs__probe_flow *flow, int n);

/** Estimate capacities from all readings; call it once, before asking for cuts. What was never measured becomes like the
 * rest, with an interval from 0 to INFINITY. @return HS_OK; HS_ERR_NOMEM */
hs_status hs__discovery_conclude(hs__discovery *discovery);

/** How far readings are from the max-min rates of their rounds on the links found: |log(rate / reading)| of all flows. */
typedef struct hs__fit {
    double median, late; /* 90th percentile; INFINITY without readings */
    int explains;        /* whether the links explain more than they were fitted to: see hs__discovery_fit() */
} hs__fit;

/** Compare and judge; conclude first. A link may fit one reading each way, whatever that is. Of the others half must be within
 * a factor of 1.5 and nine in ten within 4.5; with fewer others than hosts nothing speaks against the links.
 * @return HS_OK; HS_ERR_NOMEM */
hs_status hs__discovery_fit(hs__discovery *discovery, hs__fit *fit);

/** Divide the latencies between hosts among the links on the way, by least squares, none below 0.
 * @param[in,out] latency  of hosts i and j at [i * n + j], seconds, symmetrical; 0: not measured. Scratch afterwards */
void hs__discovery_latencies(hs__discovery *discovery, double *latency);

/** The links: first those of hosts 0 .. n - 1, then those between switches. Borrowed. */
const hs__cut *hs__discovery_cuts(const hs__discovery *discovery, int *count);

/** Whether the search ended by itself: the last hs__discovery_next() found nothing worth measuring. */
int hs__discovery_ended(const hs__discovery *discovery);

/** How many flows have been measured. */
int hs__discovery_probes(const hs__discovery *discovery);

/** How many rounds have been measured; the readings of round r, 0 <= r < rounds. Borrowed. @return their number */
int hs__discovery_rounds(const hs__discovery *discovery);
int hs__discovery_round(const hs__discovery *discovery, int r, const hs__probe_flow **flow);

/** Bandwidth of a flow from one host to another that is alone, by these links; INFINITY when it crosses none.
 * @param[out] least  may be NULL; the link that gives it */
double hs__cuts_bandwidth(const hs__cut *cut, int count, int from, int to, int *least);

/** The name of a link in the platform, "host_NAME" or "trunk_NUMBER". */
void hs__cut_name(const hs__cut *cut, int index, const hs_platform *platform, char *name, size_t size);

/** Add routers, links and edges to a graph platform (HS_ROUTING_GRAPH) that holds the hosts.
 * @return HS_OK; what hs_platform_add_link() and its like return */
hs_status hs__cuts_build(const hs__cut *cut, int count, hs_platform *platform, hs_error *error);

#endif
