/* SPDX-License-Identifier: BSD-3-Clause */
/* Which pairs of hosts are measured, and in what time, by flows of a network that the test makes up: a flow puts the
 * clock forward by as long as it usually takes. Every rank is a host. */
#include "runtime/probe/rounds.h"
#include "runtime/probe/run.h"
#include "tests/clock.h"
#include "tests/mpi.h"
#include "util/clock.h"

enum { MOST_RANKS = 16 };

static const double SLICES = 4.1;         /* that a flow takes */
static int pings, flows, alone, alone_up; /* that came to this rank, and of those alone from a lower one */
static double shortest, longest;          /* slices */
static int lower_sends;                   /* in the last ping or flow */
static double ping_s;

/* Of a host's link; the first host's is faster than all others. */
static double rate_of(int a, int b)
{
    return a == 0 || b == 0 ? 2e8 : 1e8;
}

hs_status __wrap_hs__stream_ping(const hs__stream *stream, double *latency);
hs_status __wrap_hs__stream_echo(const hs__stream *stream);
hs_status __wrap_hs__stream_run(const hs__stream *stream, int to, const int *sender, int senders, double *rate);
hs_status __real_hs__peers_gather(hs__peers *peers, void *all, size_t bytes);
hs_status __wrap_hs__peers_gather(hs__peers *peers, void *all, size_t bytes);

/* All come to the end of a slot together. */
hs_status __wrap_hs__peers_gather(hs__peers *peers, void *all, size_t bytes)
{
    clock_meet();
    return __real_hs__peers_gather(peers, all, bytes);
}

hs_status __wrap_hs__stream_ping(const hs__stream *stream, double *latency)
{
    pings++;
    lower_sends = stream->peer < world_rank();
    *latency = 1e-4 * (1 + stream->peer + world_rank());
    clock_pass(ping_s);
    return HS_OK;
}

hs_status __wrap_hs__stream_echo(const hs__stream *stream)
{
    (void)stream;
    clock_pass(ping_s);
    return HS_OK;
}

hs_status __wrap_hs__stream_run(const hs__stream *stream, int to, const int *sender, int senders, double *rate)
{
    clock_pass(SLICES * stream->slice);
    shortest = fmin(shortest, stream->slice);
    longest = fmax(longest, stream->slice);
    if (senders == 0)
        return HS_OK;
    REQUIRE(to == -1 && senders == 1);
    lower_sends = *sender < world_rank();
    flows++;
    alone += stream->most == HS__FLOW_SLICES;
    alone_up += stream->most == HS__FLOW_SLICES && lower_sends;
    REQUIRE(stream->most == HS__FLOW_SLICES || stream->most == 3);
    *rate = rate_of(*sender, world_rank());
    return HS_OK;
}

static hs__probe begin(MPI_Comm *comm, double budget)
{
    static int host_of[MOST_RANKS], first[MOST_RANKS];
    hs__probe probe = {.rank = world_rank(),
                       .ranks = world_size(),
                       .hosts = world_size(),
                       .host_of = host_of,
                       .first = first,
                       .budget = budget,
                       .begin = hs__clock_wall()};
    MPI_Comm_dup(MPI_COMM_WORLD, comm);
    REQUIRE(hs__peers_open(&probe.peers, *comm, PATIENCE, 1) == HS_OK);
    REQUIRE(hs__pairs_init(&probe.pairs, probe.hosts) == HS_OK);
    for (int r = 0; r < world_size(); r++)
        host_of[r] = first[r] = r;
    probe.partner = calloc((size_t)world_size(), sizeof *probe.partner);
    probe.report = calloc((size_t)world_size() + 1, sizeof *probe.report);
    REQUIRE(probe.partner && probe.report);
    pings = flows = alone = alone_up = 0;
    shortest = INFINITY;
    longest = 0;
    return probe;
}

static void end(hs__probe *probe, MPI_Comm *comm)
{
    REQUIRE(probe->status == HS_OK);
    free(probe->partner);
    free(probe->report);
    hs__pairs_free(&probe->pairs);
    hs__peers_close(&probe->peers);
    MPI_Comm_free(comm);
}

static int sum(int own)
{
    int all;
    MPI_Allreduce(&own, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    return all;
}

/* Rounds for a tenth of the time, of 4 ms each: at least one the first time, none later when the time is up. */
static void latencies(int most)
{
    const int rounds = hs__tournament_rounds(world_size()), a_round = world_size() / 2;
    const struct {
        double budget, ping_s;
        int rounds, again; /* in the first sweep and in the second */
    } rows[] = {{0, 0, 1, 1},        {0, 1e-3, 1, 0},     {0.079, 1e-3, 1, 1},
                {0.081, 1e-3, 2, 2}, {0.121, 0.05, 3, 0}, {10, 1e-3, rounds, rounds},
                {0.161, 0.1, 4, 0}};
    /* The first host does not see the time pass of a slot in which it sits out. */
    const size_t count = sizeof rows / sizeof *rows - (size_t)world_size() % 2;
    for (size_t i = 0; i < count; i++) {
        MPI_Comm comm;
        hs__probe probe = begin(&comm, rows[i].budget);
        int wanted = rows[i].rounds < rounds ? rows[i].rounds : rounds,
            again = rows[i].again < rounds ? rows[i].again : rounds;
        int in_time = rows[i].ping_s > 0.01 ? 1 + (int)(rows[i].budget / rows[i].ping_s) : wanted;
        wanted = wanted < most ? wanted : most;
        again = again < most ? again : most;
        ping_s = rows[i].ping_s;
        REQUIRE(hs__probe_latencies(&probe, 0, most) == HS_OK);
        REQUIRE(sum(pings) == (wanted < in_time ? wanted : in_time) * a_round && (pings == 0 || lower_sends));
        for (int r = 0; wanted == rounds && wanted <= in_time && r < world_size(); r++)
            for (int k = 0; k < r; k++)
                REQUIRE(hs__pairs_latency(&probe.pairs, k, r) == 1e-4 * (1 + k + r));
        pings = 0;
        if (rows[i].ping_s < 0.01) {
            REQUIRE(hs__probe_exchange(&probe, NULL, 0) == HS_OK);
            REQUIRE(hs__probe_latencies(&probe, 1, most) == HS_OK);
            REQUIRE(sum(pings) == again * a_round && (pings == 0 || !lower_sends));
        }
        end(&probe, &comm);
    }
}

/* Without time one round is measured, which is not repeated; a slice has at least 20 ms. */
static void links_without_time(void)
{
    MPI_Comm comm;
    hs__probe probe = begin(&comm, 0);
    ping_s = 1e-3;
    for (int sweep = 0; sweep < 3; sweep++)
        REQUIRE(hs__probe_links(&probe, sweep) == HS_OK);
    REQUIRE(sum(flows) == world_size() / 2 && alone == 0);
    REQUIRE(longest == 0 || (fabs(shortest - 20e-3) < 1e-9 && fabs(longest - 20e-3) < 1e-9));
    end(&probe, &comm);
}

/* Where pairs are measured at the same time, each is read alone, too, from the lower host. All have their rate. */
static void check_complete(hs__probe *probe)
{
    const int hosts = world_size(), pairs = hosts * (hosts - 1) / 2, read_alone = hosts > 3;
    hs_probe_link link[MOST_RANKS * MOST_RANKS / 2];
    REQUIRE(sum(alone) == read_alone * pairs && sum(alone_up) == read_alone * pairs);
    REQUIRE(hosts == 1 || hs__pairs_conclude(&probe->pairs, link) == HS_OK);
    for (int j = 0; j < hosts; j++)
        for (int i = 0; i < j; i++) {
            REQUIRE(hs__pairs_alone_count(&probe->pairs, i, j) >= 1);
            REQUIRE(link[hs__pair_number(i, j)].bandwidth == rate_of(i, j));
        }
}

/* With time for it every pair is measured in the first sweep, in slices of up to 100 ms; no budget is exceeded. */
static void links_in_time(double budget, int complete)
{
    const int pairs = world_size() * (world_size() - 1) / 2;
    MPI_Comm comm;
    hs__probe probe = begin(&comm, budget);
    ping_s = 0;
    for (int sweep = 0; sweep < 3; sweep++) {
        int before = flows - alone;
        REQUIRE(hs__probe_links(&probe, sweep) == HS_OK);
        int together = sum(flows - alone - before);
        REQUIRE(together <= pairs && ((sweep > 0 && world_size() > 3) || !complete || together == pairs));
        double slot = world_size() > 2 ? SLICES * longest : 0;
        MPI_Allreduce(MPI_IN_PLACE, &slot, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        REQUIRE(probe.elapsed <= budget + slot + 1e-6); /* readings of the clock are rounded */
    }
    REQUIRE(longest <= 0.1 + 1e-9 && shortest >= 20e-3 - 1e-9);
    REQUIRE(!complete || flows == 0 || fabs(shortest - 0.1) < 1e-9);
    if (complete)
        check_complete(&probe);
    end(&probe, &comm);
}

/* All rounds, and where more than three hosts are six pairs in ten alone, share the time. */
static void slices_share_the_time(void)
{
    const int hosts = world_size();
    const double slots = hs__tournament_rounds(hosts) + (hosts > 3 ? 0.3 * hosts * (hosts - 1) : 0), slice = 0.05;
    MPI_Comm comm;
    hs__probe probe = begin(&comm, SLICES * slots * slice);
    ping_s = 0;
    REQUIRE(hs__probe_links(&probe, 0) == HS_OK);
    REQUIRE(longest == 0 || (fabs(longest - slice) < 1e-9 && fabs(shortest - slice) < 1e-9));
    end(&probe, &comm);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    REQUIRE(world_size() <= MOST_RANKS);
    clock_stop();
    if (world_size() > 1) {
        latencies(MOST_RANKS);
        latencies(1);
    }
    links_without_time();
    links_in_time(0.45, 0);
    links_in_time(1, 0);
    links_in_time(30, 1);
    slices_share_the_time();
    MPI_Finalize();
    return 0;
}
