/* SPDX-License-Identifier: BSD-3-Clause */
/* A solver one of whose ranks is killed or stopped. Run by killed.sh.
 *
 *   killed SIGNAL VICTIM MOMENT     MOMENT: before, during or after its first move; probing: while links are measured;
 *                                   checking: while it is looked whether a measurement that was kept holds;
 *                                   copying, lending: where all are in hs_init() and make communicators; placed: before
 *                                   they are ordered
 *
 * Ranks meet only in calls of the library: a rank that waits in a call of its own for one that is gone waits as it would
 * without the library. When a call fails the data must be those before it, and the program ends with status 3. */
#include "runtime/probe/stream.h"
#include "runtime/session/place.h"
#include "tests/clock.h"
#include "tests/mpi.h"
#include <signal.h>
#include <sys/time.h>

enum { UNITS = 120, MOST_ITERATIONS = 200, GAVE_UP = 3 };

static struct {
    int sig, victim;
    const char *moment;
    int armed;     /* a message of a move that this rank sends stops it */
    int looking;   /* a flow of a short look does */
    int ring_rank; /* in hs_comm(), by which the library names ranks */
} plan;

static void fall(void)
{
    printf("rank %d falls\n", plan.ring_rank);
    fflush(stdout);
    raise(plan.sig);
}

int __real_PMPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int __wrap_PMPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

int __wrap_PMPI_Isend(const void *data, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                      MPI_Request *request)
{
    if (plan.armed)
        fall();
    return __real_PMPI_Isend(data, n, type, peer, tag, comm, request);
}

static void fall_if(const char *moment)
{
    if (world_rank() == plan.victim && strcmp(plan.moment, moment) == 0)
        fall();
}

int __real_PMPI_Comm_idup(MPI_Comm, MPI_Comm *, MPI_Request *);
int __wrap_PMPI_Comm_idup(MPI_Comm, MPI_Comm *, MPI_Request *);

/* The library's own communicator first, that of the program last. */
int __wrap_PMPI_Comm_idup(MPI_Comm comm, MPI_Comm *copy, MPI_Request *request)
{
    static int copies;
    MPI_Comm_rank(comm, &plan.ring_rank);
    fall_if(copies++ == 0 ? "copying" : "lending");
    return __real_PMPI_Comm_idup(comm, copy, request);
}

hs_status __real_hs__place(hs__peers *, const hs_params *, hs__rank_order *, hs__planner *, hs_error *);
hs_status __wrap_hs__place(hs__peers *, const hs_params *, hs__rank_order *, hs__planner *, hs_error *);

hs_status __wrap_hs__place(hs__peers *peers, const hs_params *params, hs__rank_order *order, hs__planner *planner,
                           hs_error *error)
{
    hs_status status = __real_hs__place(peers, params, order, planner, error);
    fall_if("placed");
    return status;
}

hs_status __real_hs__stream_burst_send(const hs__stream *stream, double bytes);
hs_status __wrap_hs__stream_burst_send(const hs__stream *stream, double bytes);
hs_status __real_hs__stream_burst_receive(const hs__stream *stream, double bytes, double *rate);
hs_status __wrap_hs__stream_burst_receive(const hs__stream *stream, double bytes, double *rate);

hs_status __wrap_hs__stream_burst_send(const hs__stream *stream, double bytes)
{
    if (plan.looking)
        fall();
    return __real_hs__stream_burst_send(stream, bytes);
}

hs_status __wrap_hs__stream_burst_receive(const hs__stream *stream, double bytes, double *rate)
{
    if (plan.looking)
        fall();
    return __real_hs__stream_burst_receive(stream, bytes, rate);
}

static void fall_at_alarm(int sig)
{
    (void)sig;
    fall();
}

/* Each rank plays a host of its own, so that hs_init() measures links for HS_PROBE_BUDGET; the victim falls meanwhile. */
static void measure(void)
{
    const struct itimerval moment = {.it_value = {.tv_usec = 500 * 1000}};
    char host[16];
    hs_context *context;
    snprintf(host, sizeof host, "h%d", world_rank());
    setenv("HS_LAB_HOST", host, 1);
    plan.ring_rank = world_rank();
    signal(SIGALRM, fall_at_alarm);
    if (world_rank() == plan.victim)
        setitimer(ITIMER_REAL, &moment, NULL);
    if (hs_init(MPI_COMM_WORLD, &(hs_params){.mode = HS_BALANCE_ON}, &context, NULL) < 0)
        MPI_Abort(MPI_COMM_WORLD, GAVE_UP);
}

/* The same hosts start twice; the victim falls while the second start looks at their links. */
static void look(void)
{
    char host[16];
    hs_context *context;
    const hs_params params = {.mode = HS_BALANCE_ON, .host = host, .probe_budget = 0.5};
    snprintf(host, sizeof host, "h%d", world_rank());
    REQUIRE(setenv("XDG_CACHE_HOME", getenv("TMPDIR"), 1) == 0);
    plan.ring_rank = world_rank();
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    REQUIRE(hs_finalize(&context) == HS_OK);
    plan.looking = world_rank() == plan.victim;
    if (hs_init(MPI_COMM_WORLD, &params, &context, NULL) < 0)
        MPI_Abort(MPI_COMM_WORLD, GAVE_UP);
}

static void check(hs_slice slice, const int64_t *data)
{
    for (int64_t i = 0; i < slice.count; i++)
        REQUIRE(data[i] == slice.first + i);
}

/* The last rank is four times as slow. All clocks go forward by what the slowest needs. */
static void compute(hs_context *context, hs_layout *layout)
{
    double mine = 0, longest = 0;
    int rank, size;
    MPI_Comm_rank(hs_comm(context), &rank);
    MPI_Comm_size(hs_comm(context), &size);
    for (int r = 0; r < size; r++) {
        double seconds = 1000.0 * (double)hs_layout_counts(layout)[r] * (r == size - 1 ? 4 : 1);
        mine = r == rank ? seconds : mine;
        longest = fmax(longest, seconds);
    }
    hs_compute_begin(layout);
    clock_pass(mine);
    hs_compute_end(layout);
    clock_pass(longest - mine);
}

int main(int argc, char **argv)
{
    hs_context *context;
    hs_layout *layout;
    int64_t *data;
    MPI_Init(&argc, &argv);
    REQUIRE(argc == 4);
    plan.sig = strcmp(argv[1], "KILL") == 0 ? SIGKILL : SIGSTOP;
    plan.victim = atoi(argv[2]);
    plan.moment = argv[3];
    if (strcmp(plan.moment, "probing") == 0)
        measure();
    if (strcmp(plan.moment, "checking") == 0)
        look();
    hs_params params = fake_hosts(HS_BALANCE_ON);
    params.timeout = 0; /* HS_TIMEOUT */
    if (hs_init(MPI_COMM_WORLD, &params, &context, NULL) < 0)
        MPI_Abort(MPI_COMM_WORLD, GAVE_UP);
    forget_hosts(&params);
    REQUIRE(hs_layout_create(context, UNITS, 1, HS_FIXED, &layout) == HS_OK);
    REQUIRE(hs_layout_add_array(layout, sizeof *data, 1, (void **)&data) == HS_OK);
    MPI_Comm_rank(hs_comm(context), &plan.ring_rank);
    hs_slice slice = hs_layout_slice(layout);
    for (int64_t i = 0; i < slice.count; i++)
        data[i] = slice.first + i;
    plan.armed = world_rank() == plan.victim && strcmp(plan.moment, "during") == 0;
    for (int k = 0; k < MOST_ITERATIONS; k++) {
        if (k == 2)
            fall_if("before");
        compute(context, layout);
        hs_status status = hs_balance(layout);
        check(hs_layout_slice(layout), data);
        if (status < 0) {
            fprintf(stderr, "rank %d gives up: %s\n", world_rank(), hs_error_text(context));
            MPI_Abort(MPI_COMM_WORLD, GAVE_UP);
        }
        if (status == HS_OK)
            fall_if("after");
    }
    hs_finalize(&context);
    MPI_Finalize();
    return 0;
}
