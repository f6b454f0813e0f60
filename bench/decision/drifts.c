/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts and links that drift, on paper: how many are found within five phases, how many are named right, and how many
 * alarms there are when nothing drifts. One line of CSV a platform and step model.
 *
 * Usage: drifts COUNT PLATFORM...
 * COUNT runs in which a host falls to 0.25 to 0.7 of its speed or a link to 0.25 to 0.7 of its bandwidth, both ways; of the latter
 * those that make a step at least a fifth longer. What ranks compute and messages take in a phase, and what flows are
 * measured to carry, is off by normal noise of 3 to 8 %, drawn for each run. A phase has ten iterations. A fiftieth as many runs
 * have no drift, of 100,000 iterations each. */
#include "plan/decision/decide.h"
#include "plan/links/links.h"
#include "plan/ring/subrings.h"
#include "tests/duplex.h"
#include "util/random.h"
#include <heteroslice/hs_slices.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    MOST_HOSTS = 64,
    UNITS = 6000,
    ITERATIONS = 10,
    IN_TIME = 5,
    SHORTEST_QUIET = 20,
    LONGEST_QUIET = 60,
    ALARM_PHASES = 10000
};

/* A drift of a link counts when a step is so many times as long. */
static const double LEAST_LONGER = 1.2;

typedef struct program {
    hs_platform *platform;
    hs_step_model model;
    hs__subrings *rings;
    int ranks;
    double cycle[MOST_HOSTS], comm[MOST_HOSTS]; /* by place of the ring */
    double promised[MOST_HOSTS];                /* comm before any drift */
    int64_t units[MOST_HOSTS];
    double halo, noise;
    hs__random random;
} program;

typedef struct tally {
    long hosts, hosts_found, hosts_right, links, links_found, links_right, false_alarms, false_names;
} tally;

static double noise(program *p)
{
    double u = 1 - hs__random_unit(&p->random), v = hs__random_unit(&p->random);
    return 1 + p->noise * sqrt(-2 * log(u)) * cos(2 * M_PI * v);
}

static void fail(const char *what)
{
    fprintf(stderr, "drifts: %s\n", what);
    exit(1);
}

/* What flows carry at the same time. */
static void share_links(const program *p, hs__link_flow *flow, int n)
{
    hs_route route[2 * MOST_HOSTS] = {{0}};
    const int *links[2 * MOST_HOSTS] = {NULL};
    size_t counts[2 * MOST_HOSTS] = {0};
    double rates[2 * MOST_HOSTS];
    for (int i = 0; i < n; i++) {
        if (hs_platform_route(p->platform, flow[i].from, flow[i].to, &route[i]) != HS_OK)
            fail("no route");
        links[i] = route[i].links;
        counts[i] = route[i].count;
    }
    if (hs_platform_maxmin(p->platform, links, counts, (size_t)n, rates) != HS_OK)
        fail("out of memory");
    for (int i = 0; i < n; i++) {
        flow[i].rate = rates[i];
        hs_route_free(&route[i]);
    }
}

/* Seconds of messages with the links as they are: each host sends to both neighbours in the ring. */
static void time_messages(program *p)
{
    hs__link_flow flow[2 * MOST_HOSTS];
    for (int k = 0; k < p->ranks; k++) {
        int here = p->rings->host[k], next = p->rings->host[(k + 1) % p->ranks];
        flow[2 * k] = (hs__link_flow){here, next, 0};
        flow[2 * k + 1] = (hs__link_flow){next, here, 0};
        p->comm[k] = 0;
    }
    share_links(p, flow, 2 * p->ranks);
    for (int i = 0; i < 2 * p->ranks; i++)
        for (int end = 0; end < 2; end++) {
            double *comm = &p->comm[(i / 2 + end) % p->ranks];
            *comm = fmax(*comm, p->halo / flow[i].rate);
        }
}

/* Computing takes 0.5 to 4 times as long as messages. */
static void begin(program *p)
{
    double speed = 0, messages = 0;
    p->halo = 1;
    time_messages(p);
    for (int k = 0; k < p->ranks; k++) {
        p->cycle[k] = 1 / hs_platform_host_speed(p->platform, p->rings->host[k]);
        speed += 1 / p->cycle[k];
        messages = fmax(messages, p->comm[k]);
    }
    p->halo = UNITS / speed / messages / hs__random_between(&p->random, 0.5, 4);
    time_messages(p);
    if (hs_slices_compute(p->cycle, p->comm, p->ranks, UNITS, 1, p->model, p->units, NULL) != HS_OK)
        fail("no slices");
    memcpy(p->promised, p->comm, sizeof p->promised);
    p->noise = hs__random_between(&p->random, 0.03, 0.08);
}

static double step_of(const program *p, const double *cycle, const double *comm)
{
    double longest = 0;
    for (int k = 0; k < p->ranks; k++) {
        double compute = (double)p->units[k] * cycle[k];
        if (p->units[k] > 0)
            longest = fmax(longest, p->model == HS_STEP_SERIAL ? compute + comm[k] : fmax(compute, comm[k]));
    }
    return longest;
}

static hs__drift phase(program *p, hs__drifts *drifts)
{
    double cycle[MOST_HOSTS], comm[MOST_HOSTS];
    for (int k = 0; k < p->ranks; k++) {
        cycle[k] = p->cycle[k] * noise(p);
        comm[k] = p->comm[k] * noise(p);
    }
    const hs__decide_phase phase = {.iterations = ITERATIONS,
                                    .cycle = cycle,
                                    .units = p->units,
                                    .step = step_of(p, cycle, comm),
                                    .comm = p->promised};
    return hs__drifts_phase(drifts, &phase);
}

static int measure(program *p, int *first, hs__link_flow *flow)
{
    int n = 0, rounds = hs__link_rounds(p->ranks);
    for (int r = 0; r < rounds; r++) {
        for (int k = 0; k < p->ranks; k++)
            if (hs__link_partner(p->ranks, r, k) != k)
                flow[n++] = (hs__link_flow){p->rings->host[k], p->rings->host[hs__link_partner(p->ranks, r, k)], 0};
        first[r + 1] = n;
        share_links(p, flow + first[r], n - first[r]);
        for (int f = first[r]; f < n; f++)
            flow[f].rate *= noise(p);
    }
    return rounds;
}

/* The link that is named, with the platform as it was in mind: `link`, unless it is < 0, had this bandwidth then. */
static int name_link(program *p, int link, double bandwidth)
{
    static hs__link_flow flow[8 * MOST_HOSTS];
    int first[9] = {0}, rounds = measure(p, first, flow);
    hs__link_change change;
    if (link >= 0)
        set_duplex(p->platform, link, bandwidth);
    if (hs__link_explain(p->platform, rounds, first, flow, &change) != HS_OK)
        fail("out of memory");
    return change.link;
}

static void quiet(program *p, hs__drifts *drifts)
{
    for (int k = (int)hs__random_between(&p->random, SHORTEST_QUIET, LONGEST_QUIET); k > 0; k--)
        (void)phase(p, drifts);
}

/* @return the drift that was told first, within the time there is */
static hs__drift watch(program *p, hs__drifts *drifts)
{
    hs__drift drift = {.kind = HS__DRIFT_NONE};
    for (int k = 0; k < IN_TIME && drift.kind == HS__DRIFT_NONE; k++)
        drift = phase(p, drifts);
    return drift;
}

static void drift_host(program *p, hs__drifts *drifts, tally *t)
{
    int rank = (int)hs__random_below(&p->random, p->ranks);
    if (p->units[rank] == 0)
        return;
    quiet(p, drifts);
    p->cycle[rank] /= hs__random_between(&p->random, 0.25, 0.7);
    hs__drift drift = watch(p, drifts);
    t->hosts++;
    t->hosts_found += drift.kind != HS__DRIFT_NONE;
    t->hosts_right += drift.kind == HS__DRIFT_HOST && drift.rank == rank;
}

static void drift_link(program *p, hs__drifts *drifts, tally *t)
{
    int link = (int)hs__random_below(&p->random, hs_platform_links(p->platform));
    double bandwidth = hs_platform_link_bandwidth(p->platform, link), before = step_of(p, p->cycle, p->comm);
    quiet(p, drifts);
    set_duplex(p->platform, link, bandwidth * hs__random_between(&p->random, 0.25, 0.7));
    time_messages(p);
    if (step_of(p, p->cycle, p->comm) >= LEAST_LONGER * before) {
        hs__drift drift = watch(p, drifts);
        t->links++;
        t->links_found += drift.kind != HS__DRIFT_NONE;
        int named = drift.kind == HS__DRIFT_MESSAGES ? name_link(p, link, bandwidth) : -1;
        t->links_right += named >= 0 && (named == link || named == hs_platform_link_twin(p->platform, link));
    }
    set_duplex(p->platform, link, bandwidth);
}

static void drift_nothing(program *p, hs__drifts *drifts, tally *t, int phases)
{
    for (int k = 0; k < phases; k++) {
        hs__drift drift = phase(p, drifts);
        t->false_alarms += drift.kind != HS__DRIFT_NONE;
        t->false_names +=
            drift.kind == HS__DRIFT_HOST || (drift.kind == HS__DRIFT_MESSAGES && name_link(p, -1, 0) >= 0);
    }
}

static void with_drifts(program *p, tally *t, void (*run)(program *, hs__drifts *, tally *))
{
    hs__drifts drifts;
    if (hs__drifts_start(&drifts, p->ranks) != HS_OK)
        fail("out of memory");
    begin(p);
    run(p, &drifts, t);
    hs__drifts_end(&drifts);
}

static void run_nothing(program *p, hs__drifts *drifts, tally *t)
{
    drift_nothing(p, drifts, t, ALARM_PHASES);
}

static void run_platform(const char *path, hs_step_model model, long count)
{
    double speed[MOST_HOSTS];
    program p = {.model = model, .random = {(uint64_t)model + 1}};
    tally t = {0};
    if (hs_platform_read(path, &p.platform, NULL) != HS_OK || hs_platform_hosts(p.platform) > MOST_HOSTS)
        fail(path);
    p.ranks = hs_platform_hosts(p.platform);
    for (int h = 0; h < p.ranks; h++)
        speed[h] = hs_platform_host_speed(p.platform, h);
    if (hs__subrings_create(p.platform, speed, 1, &p.rings, NULL) != HS_OK || p.rings->size != p.ranks)
        fail(path);
    while (t.hosts < count / 2)
        with_drifts(&p, &t, drift_host);
    while (t.links < count - count / 2)
        with_drifts(&p, &t, drift_link);
    long runs = count / 50 > 0 ? count / 50 : 1;
    for (long k = 0; k < runs; k++)
        with_drifts(&p, &t, run_nothing);
    printf("%s,%s,%ld,%.4f,%.4f,%ld,%.4f,%.4f,%ld,%ld,%ld\n", path, model == HS_STEP_SERIAL ? "serial" : "overlap",
           t.hosts, (double)t.hosts_found / (double)t.hosts, (double)t.hosts_right / (double)t.hosts, t.links,
           (double)t.links_found / (double)t.links, (double)t.links_right / (double)t.links,
           runs * ALARM_PHASES * ITERATIONS, t.false_alarms, t.false_names);
    fflush(stdout);
    hs__subrings_free(p.rings);
    hs_platform_free(p.platform);
}

int main(int argc, char **argv)
{
    long count = argc > 1 ? atol(argv[1]) : 0;
    if (count < 2 || argc < 3)
        fail("usage: drifts COUNT PLATFORM...");
    printf("platform,model,hosts,found,named,links,found,named,quiet_iterations,false_alarms,false_names\n");
    for (int k = 2; k < argc; k++)
        for (hs_step_model model = HS_STEP_SERIAL; model <= HS_STEP_OVERLAP; model++)
            run_platform(argv[k], model, count);
    return 0;
}
