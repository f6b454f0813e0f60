/* SPDX-License-Identifier: BSD-3-Clause */
/* A link becomes slow while a program runs: links are measured again, the link is named, and all ranks plan by it. The clock is put
 * forward, also by what messages take, and what flows carry is the max-min rates of the changed platform. Run by links.sh.
 *
 *   links slow    the link between the switches carries an eighth
 *   links host    the link of the fastest host does
 *   links vain    messages take longer, and all links carry what they did
 *   links memory  each allocation fails in turn on one rank: all get the same status, and nothing is half done
 *   links kill    the second rank of the ring is killed meanwhile, or
 *   links stop    it stops: the others give up, with status 3
 *   links fail    its MPI fails meanwhile: all give up, with status 3 */
#include "plan/links/links.h"
#include "platform/platform.h"
#include "runtime/probe/stream.h"
#include "runtime/report/drifts.h"
#include "runtime/session/remeasure.h"
#include "runtime/slices/layout.h"
#include "tests/clock.h"
#include "tests/fail_in_turn.h"
#include <signal.h>

enum { UNITS = 600, HOSTS = 6, QUIET = 40, AFTER = 40, SLOWER = 8, GAVE_UP = 3, FAILS = -1 };

static const char *const hosts[HOSTS] = {"a1", "a2", "a3", "b1", "b2", "b3"};
static const double speeds[HOSTS] = {8, 6, 4, 4, 3, 2}; /* as in the file */

/* Bytes of halo: some minutes over the narrowest link. Seconds a unit takes on a host of speed 1. */
static const double HALO = 2e9, UNIT_S = 200;

/* Seconds of a round of flows, more than all decisions take. */
static const double ROUND_S = 1e5;

static struct {
    const char *how;
    const char *link;   /* that becomes slow */
    int fall;           /* the signal by which a rank falls; 0: none does; FAILS: its MPI fails */
    hs_platform *truth; /* as the links are */
    int place[HOSTS];   /* host of the file by rank of the ring */
    int exchanges;      /* that this rank has made */
    hs_context *context;
    hs_layout *layout;
    int64_t *data;
} test;

/* What a rank without units measures its speed by: always the same. */
double __wrap_hs__kernel_run(hs__kernel *kernel);

double __wrap_hs__kernel_run(hs__kernel *kernel)
{
    (void)kernel;
    clock_pass(1);
    return 1e9;
}

hs_status __real_hs__stream_run(const hs__stream *stream, int to, const int *sender, int senders, double *rate);
hs_status __wrap_hs__stream_run(const hs__stream *stream, int to, const int *sender, int senders, double *rate);

/* All flows of the round at once, on the links as they are. @return what arrives at this rank */
static double rate_of_round(int round)
{
    hs_route route[HOSTS] = {{0}};
    const int *links[HOSTS];
    size_t counts[HOSTS];
    double rates[HOSTS];
    int (*failing)(void) = hs__array_fails; /* this is the network, which needs no memory */
    hs__array_fails = NULL;
    for (int r = 0; r < HOSTS; r++) {
        int from = test.place[hs__link_partner(HOSTS, round, r)];
        REQUIRE(hs_platform_route(test.truth, from, test.place[r], &route[r]) == HS_OK);
        links[r] = route[r].links;
        counts[r] = route[r].count;
    }
    REQUIRE(hs_platform_maxmin(test.truth, links, counts, HOSTS, rates) == HS_OK);
    for (int r = 0; r < HOSTS; r++)
        hs_route_free(&route[r]);
    hs__array_fails = failing;
    return rates[test.context->rank];
}

hs_status __wrap_hs__stream_run(const hs__stream *stream, int to, const int *sender, int senders, double *rate)
{
    int round = test.exchanges++ % hs__link_rounds(HOSTS);
    REQUIRE(to == hs__link_partner(HOSTS, round, test.context->rank) && senders == 1 && sender[0] == to);
    if (test.fall != 0) {
        if (round == 1 && test.context->rank == 1 && test.fall == FAILS)
            return HS_ERR_MPI;
        if (round == 1 && test.context->rank == 1)
            raise(test.fall);
        return __real_hs__stream_run(stream, to, sender, senders, rate);
    }
    *rate = rate_of_round(round);
    clock_pass(ROUND_S);
    return HS_OK;
}

static void open_platform(char *path, size_t size)
{
    const char *folder = getenv("HS_TEST_SRCDIR");
    snprintf(path, size, "%s/examples/two-switches.xml", folder ? folder : ".");
    REQUIRE(hs_platform_read(path, &test.truth, NULL) == HS_OK);
}

static void slow_down(double factor)
{
    for (int l = 0; l < hs_platform_links(test.truth); l++)
        if (strncmp(hs_platform_link_id(test.truth, l), test.link, strlen(test.link)) == 0)
            hs__platform_set_bandwidth(test.truth, l, factor * hs_platform_link_bandwidth(test.truth, l));
}

/* One iteration: computing, and messages after it. */
static hs_status iterate(const double *messages)
{
    hs_slice slice = hs_layout_slice(test.layout);
    double computing = UNIT_S * (double)slice.count / speeds[world_rank()];
    hs_compute_begin(test.layout);
    clock_pass(computing);
    hs_compute_end(test.layout);
    if (slice.count > 0)
        clock_pass(messages[test.context->rank]);
    clock_meet();
    hs_status status = hs_balance(test.layout);
    slice = hs_layout_slice(test.layout);
    for (int64_t i = 0; i < slice.count; i++)
        REQUIRE(test.data[i] == slice.first + i);
    return status;
}

/* All ranks plan by the same. */
static void agree_on_memberships(void)
{
    int n = test.context->order.memberships, all[2] = {n, -n};
    MPI_Allreduce(MPI_IN_PLACE, all, 2, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    REQUIRE(all[0] == -all[1] && all[0] == test.layout->slices.memberships);
    for (int i = 0; i < n * HOSTS; i++) {
        double comm[2] = {test.layout->slices.comm[i], -test.layout->slices.comm[i]};
        MPI_Allreduce(MPI_IN_PLACE, comm, 2, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
        REQUIRE(comm[0] == -comm[1] && comm[0] >= 0);
    }
}

/* @return how often memberships were planned again */
static int run_slow(void)
{
    double messages[HOSTS], before[HOSTS];
    hs_layout_stats stats;
    memcpy(before, test.layout->slices.comm, sizeof before);
    memcpy(messages, before, sizeof messages);
    for (int k = 0; k < QUIET; k++)
        REQUIRE(iterate(messages) >= 0);
    REQUIRE(test.exchanges == 0); /* nothing was suspected */
    for (int r = 0; r < HOSTS; r++)
        messages[r] *= SLOWER;
    if (strcmp(test.how, "vain") != 0)
        slow_down(1.0 / SLOWER);
    for (int k = 0; k < AFTER; k++) {
        hs_status status = iterate(messages);
        if (status < 0) {
            REQUIRE(test.context->peers.broken); /* what was posted is left to MPI */
            fprintf(stderr, "rank %d gives up: %s\n", world_rank(), hs_error_text(test.context));
            MPI_Abort(MPI_COMM_WORLD, GAVE_UP);
        }
    }
    REQUIRE(test.exchanges > 0);
    hs_layout_get_stats(test.layout, &stats);
    REQUIRE(stats.decide_s >= 0 && stats.decide_s < ROUND_S); /* measuring links is paid for as a move */
    agree_on_memberships();
    for (int r = 0; r < HOSTS; r++)
        REQUIRE(test.layout->slices.comm[r] >= before[r] * (1 - 1e-9));
    return test.context->planner.plans;
}

/* What the planner plans by is what the links carry, both halves of those that have two. */
static void check_platform(void)
{
    const hs_platform *platform = test.context->planner.platform;
    for (int l = 0; platform && l < hs_platform_links(platform); l++)
        REQUIRE(fabs(hs_platform_link_bandwidth(platform, l) / hs_platform_link_bandwidth(test.truth, l) - 1) < 0.05);
}

/* An eighth of the link is what the first membership has now, where it had the whole. */
static void check_slow(void)
{
    double most = 0;
    for (int r = 0; r < HOSTS; r++)
        most = fmax(most, test.layout->slices.comm[r]);
    REQUIRE(fabs(most / (SLOWER * HALO / 7.5e6) - 1) < 0.05);
    REQUIRE(fabs(test.layout->balancer.byte_s / (SLOWER / 7.5e6) - 1) < 0.05); /* so units that move take longer, too */
}

/* What the report tells: messages that became slow, and the link. */
static void check_report(void)
{
    char *text = NULL;
    size_t size;
    hs__rank_report ranks[HOSTS] = {0};
    json_t *own[2] = {hs__drifts_json(), NULL}, *all = hs__drifts_merge(own, 2);
    const json_t *link = json_array_get(all, 1);
    REQUIRE(json_array_size(all) == 2);
    REQUIRE(strcmp(json_string_value(json_object_get(json_array_get(all, 0), "of")), "messages") == 0);
    REQUIRE(strcmp(json_string_value(json_object_get(link, "of")), "link") == 0);
    REQUIRE(strcmp(json_string_value(json_object_get(link, "link")), "trunk") == 0);
    REQUIRE(json_integer_value(json_object_get(link, "rank")) == world_rank());
    REQUIRE(json_number_value(json_object_get(link, "before")) == 7.5e6);
    FILE *memory = open_memstream(&text, &size);
    hs__drifts_print(memory, ranks, HOSTS);
    fclose(memory);
    REQUIRE(strstr(text, "heteroslice: messages take ") && strstr(text, "heteroslice: link trunk carries "));
    free(text);
    json_decref(all);
    json_decref(own[0]);
}

static hs_status remeasure(void *unused)
{
    hs__link_found found;
    int plans = test.context->planner.plans;
    (void)unused;
    hs_status status = hs__remeasure(test.context, &found);
    test.exchanges = 0;
    REQUIRE(test.context->planner.plans == plans + (status == HS_OK));
    if (status == HS_OK) {
        REQUIRE(found.named && strcmp(found.id, "trunk") == 0);
        slow_down(plans % 2 ? 0.25 : 4); /* so that there is a change the next time, too */
    }
    return status;
}

int main(int argc, char **argv)
{
    char path[512];
    MPI_Init(&argc, &argv);
    REQUIRE(argc == 2 && world_size() == HOSTS);
    test.how = argv[1];
    test.link = strcmp(test.how, "host") == 0 ? "la1" : "trunk";
    test.fall = strcmp(test.how, "kill") == 0 ? SIGKILL : strcmp(test.how, "stop") == 0 ? SIGSTOP : 0;
    test.fall = strcmp(test.how, "fail") == 0 ? FAILS : test.fall;
    open_platform(path, sizeof path);
    hs_params params = {.mode = HS_BALANCE_ON, .platform = path, .host = hosts[world_rank()], .halo = HALO};
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &test.context, NULL) == HS_OK);
    int mine = world_rank();
    MPI_Allgather(&mine, 1, MPI_INT, test.place, 1, MPI_INT, hs_comm(test.context));
    REQUIRE(hs_layout_create(test.context, UNITS, 1, HS_FIXED, &test.layout) == HS_OK);
    REQUIRE(hs_layout_add_array(test.layout, sizeof *test.data, 1, (void **)&test.data) == HS_OK);
    hs_slice slice = hs_layout_slice(test.layout);
    for (int64_t i = 0; i < slice.count; i++)
        test.data[i] = slice.first + i;
    if (strcmp(test.how, "memory") == 0) {
        slow_down(0.25);
        REQUIRE(fail_in_turn("hs__remeasure", remeasure, NULL) > 10);
    } else {
        int plans = run_slow();
        int slow = strcmp(test.how, "slow") == 0;
        REQUIRE(plans == (strcmp(test.how, "vain") != 0));
        check_platform();
        if (slow)
            check_slow();
        if (slow && test.context->rank == 0)
            check_report();
    }
    hs_platform_free(test.truth);
    REQUIRE(hs_finalize(&test.context) == HS_OK);
    MPI_Finalize();
    return 0;
}
