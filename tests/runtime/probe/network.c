/* SPDX-License-Identifier: BSD-3-Clause */
/* Finding shared links with everything real but the wire: what flows would get on a true network is handed to the ranks
 * that receive them. Fewer than four hosts have no network. */
#include "runtime/probe/run.h"
#include "tests/mpi.h"
#include "tests/plan/discover/truth.h"
#include "util/clock.h"

enum { FEWEST = 4, HOSTS = 64 };
enum { ALL, BOTH_WAYS, GATHERED, KINDS };

static const double ACCESS = 12.5e6, TRUNK = 15e6; /* bytes/s */

/* How flows fare. */
static enum wire { TRULY, SLOWLY, AT_RANDOM } wire;
static const double BUDGET_S = 6;  /* which no rank that waits for a core for a while spends: rounds take no time */
static const double ROUND_S = 0.1; /* that a round takes when flows fare slowly */

static hs_platform *truly;
static const hs__probe *probe; /* while the network is looked for */
static int searched[KINDS];    /* rounds in which a rank took part, by what it did; the most of all ranks at last */

static hs_platform *two_sites(void)
{
    static truth t;
    truth_switch(&t, -1, 0, world_size() / 2, ACCESS);
    truth_switch(&t, 0, TRUNK, world_size() - world_size() / 2, ACCESS);
    return truth_platform(&t);
}

/* One switch; the first host has twice the bandwidth of any other. */
static hs_platform *wide_host(void)
{
    static truth t;
    truth_switch(&t, -1, 0, world_size(), ACCESS);
    t.access[0] = 2 * ACCESS;
    return truth_platform(&t);
}

/* What this rank, as a host, gets of each flow to it. */
static int received(double *value)
{
    static hs__random random;
    hs__probe_flow flow[HOSTS];
    int n = 0;
    if (random.state == 0)
        random.state = (uint64_t)world_rank() + 1;
    memcpy(flow, probe->round.flow, (size_t)probe->round.flows * sizeof *flow);
    truth_rates(truly, flow, probe->round.flows);
    for (int k = 0; k < probe->round.flows; k++)
        if (flow[k].to == world_rank())
            value[n++] = wire == AT_RANDOM ? ACCESS * exp(6 * hs__random_unit(&random)) : flow[k].rate;
    if (wire == SLOWLY)
        usleep((useconds_t)(1e6 * ROUND_S));
    return n;
}

static void require_good(const hs__stream *stream)
{
    REQUIRE(stream->slice >= 16e-3 && stream->slice <= 60e-3 && stream->most == 3);
    REQUIRE(fabs(stream->begin - hs__clock_wall()) < PATIENCE && stream->memory == probe->memory);
}

/* What this rank is to send to, -1: nothing. @param[out] rate  to expect */
static int receiver(double *rate)
{
    int found = -1;
    *rate = 0;
    for (int k = 0; k < probe->round.flows; k++) {
        const hs__probe_flow *flow = &probe->round.flow[k];
        if (flow->from != world_rank())
            continue;
        REQUIRE(found < 0);
        found = flow->to;
        *rate = flow->rate;
    }
    return found;
}

hs_status __real_hs__probe_network(hs__probe *);
hs_status __wrap_hs__probe_network(hs__probe *);
hs_status __real_hs__stream_run(const hs__stream *, int, const int *, int, double *);
hs_status __wrap_hs__stream_run(const hs__stream *, int, const int *, int, double *);

hs_status __wrap_hs__probe_network(hs__probe *found)
{
    probe = found;
    memset(searched, 0, sizeof searched);
    hs_status status = __real_hs__probe_network(found);
    probe = NULL;
    return status;
}

hs_status __wrap_hs__stream_run(const hs__stream *stream, int to, const int *sender, int senders, double *rate)
{
    double expected;
    if (!probe) /* pairs have a real wire */
        return __real_hs__stream_run(stream, to, sender, senders, rate);
    require_good(stream);
    REQUIRE(to == receiver(&expected) && stream->expected == expected);
    REQUIRE(received(rate) == senders);
    for (int k = 0, n = 0; k < probe->round.flows; k++)
        REQUIRE(probe->round.flow[k].to != world_rank() || sender[n++] == probe->round.flow[k].from);
    searched[ALL]++;
    searched[BOTH_WAYS] += to >= 0 && senders > 0;
    searched[GATHERED] += senders > 1;
    return HS_OK;
}

static hs_probe_result *measure(enum wire how, double budget)
{
    char host[16];
    hs_probe_params params;
    hs_probe_result *result = NULL;
    snprintf(host, sizeof host, "h%d", world_rank());
    wire = how;
    hs_probe_params_init(&params);
    params.budget = budget;
    params.every_kernel = 0;
    params.host_name = host;
    params.timeout = PATIENCE;
    REQUIRE(hs_probe_run(MPI_COMM_WORLD, &params, &result, NULL) == HS_OK);
    MPI_Allreduce(MPI_IN_PLACE, searched, KINDS, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    return result;
}

/* On the platform found, these flows at the same time get so much together. */
static void require_sum(const hs_probe_result *result, hs__probe_flow *flow, int flows, double expected)
{
    double sum = 0;
    hs_platform *found = NULL;
    REQUIRE(hs_probe_platform(result, &found, NULL) == HS_OK);
    truth_rates(found, flow, flows);
    for (int k = 0; k < flows; k++)
        sum += flow[k].rate;
    REQUIRE(fabs(sum - expected) <= 0.02 * expected);
    hs_platform_free(found);
}

/* The links of the hosts, and the one between the sites. */
static void finds_two_sites(void)
{
    hs__probe_flow flow[HOSTS];
    int half = world_size() / 2;
    hs_probe_result *result = measure(TRULY, BUDGET_S);
    REQUIRE(hs_probe_links_found(result) == world_size() + 1 && searched[ALL] > 1 && searched[BOTH_WAYS] > 0);
    for (int i = 1; i < world_size(); i++)
        REQUIRE(fabs(hs_probe_link_between(result, 0, i)->bandwidth - ACCESS) <= 0.02 * ACCESS);
    for (int k = 0; k < half; k++) /* all of one site to the other one */
        flow[k] = (hs__probe_flow){k, half + k, 0};
    require_sum(result, flow, half, TRUNK);
    hs_probe_result_free(result);
}

/* Who needs two others to fill its link receives from several. */
static void finds_the_wide_host(void)
{
    hs__probe_flow flow[HOSTS];
    hs_probe_result *result = measure(TRULY, BUDGET_S);
    REQUIRE(hs_probe_links_found(result) == world_size() && searched[GATHERED] > 0);
    for (int k = 1; k < world_size(); k++)
        flow[k - 1] = (hs__probe_flow){k, 0, 0};
    require_sum(result, flow, world_size() - 1, 2 * ACCESS);
    hs_probe_result_free(result);
}

/* No more rounds than there is time for, but one. */
static void ends_in_time(void)
{
    for (int k = 0; k < 2; k++) {
        double budget = k * 3 * ROUND_S;
        hs_probe_result *result = measure(SLOWLY, budget);
        REQUIRE(searched[ALL] >= 1 && searched[ALL] <= 1 + budget / ROUND_S);
        hs_probe_result_free(result);
    }
}

/* Links that explain nothing are no network: pairs are measured instead, as long as there is time. */
static void nothing_explains_chance(void)
{
    hs_probe_result *result = measure(AT_RANDOM, BUDGET_S / 2);
    REQUIRE(hs_probe_links_found(result) == 0 && searched[ALL] > 0);
    hs_probe_result_free(result);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    REQUIRE(world_size() <= HOSTS);
    if (world_size() >= FEWEST) {
        truly = wide_host();
        finds_the_wide_host();
        hs_platform_free(truly);
        truly = two_sites();
        finds_two_sites();
        ends_in_time();
        nothing_explains_chance();
        hs_platform_free(truly);
    } else {
        hs_probe_result *result = measure(TRULY, 0.2);
        REQUIRE(hs_probe_links_found(result) == 0 && searched[ALL] == 0);
        hs_probe_result_free(result);
    }
    MPI_Finalize();
    return 0;
}
