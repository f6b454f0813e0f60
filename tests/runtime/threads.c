/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that call at once, each with a context of its own; handles that go from thread to thread; a library that
 * balances inside a program that does; a fork in between. Everything moves, and is right to the last bit. */
#include "tests/mpi.h"
#include <pthread.h>
#include <sys/wait.h>
#include <time.h>

enum { THREADS = 3, UNITS = 90, ITERATIONS = 60, SKIPPED = 77 };

int __real_clock_gettime(clockid_t clock, struct timespec *now);
int __wrap_clock_gettime(clockid_t clock, struct timespec *now);

/* By which the clock is ahead: each thread computes in a time of its own. */
static _Thread_local int64_t ahead_s;

int __wrap_clock_gettime(clockid_t clock, struct timespec *now)
{
    int code = __real_clock_gettime(clock, now);
    if (clock == CLOCK_MONOTONIC)
        now->tv_sec += (time_t)ahead_s;
    return code;
}

static hs_params params;

/* A program, or a library in one: rank `slow` needs four times as long. */
typedef struct solver {
    MPI_Comm comm;
    hs_context *context;
    hs_layout *layout[2];
    int64_t *data[2];
    int64_t moves;
} solver;

static void start(solver *s, MPI_Comm comm)
{
    *s = (solver){.comm = comm};
    REQUIRE(hs_init(comm, &params, &s->context, NULL) == HS_OK);
    for (int l = 0; l < 2; l++) {
        REQUIRE(hs_layout_create(s->context, UNITS, 1, HS_PERIODIC, &s->layout[l]) == HS_OK);
        REQUIRE(hs_layout_add_array(s->layout[l], sizeof **s->data, 1, (void **)&s->data[l]) == HS_OK);
        hs_slice slice = hs_layout_slice(s->layout[l]);
        for (int64_t i = 0; i < slice.count; i++)
            s->data[l][i] = 1000 * l + slice.first + i;
    }
}

static void meet(const solver *s)
{
    MPI_Allreduce(MPI_IN_PLACE, &ahead_s, 1, MPI_INT64_T, MPI_MAX, s->comm);
}

/* One iteration of both layouts; `inner` iterates while the first one computes. */
static void iterate(solver *s, int slow, solver *inner)
{
    int rank;
    MPI_Comm_rank(hs_comm(s->context), &rank);
    for (int l = 0; l < 2; l++) {
        hs_compute_begin(s->layout[l]);
        ahead_s += 1000 * hs_layout_slice(s->layout[l]).count * (rank == slow ? 4 : 1);
        if (inner && l == 0)
            iterate(inner, slow, NULL);
        hs_compute_end(s->layout[l]);
        meet(s);
        hs_status status = hs_balance(s->layout[l]);
        REQUIRE(status == HS_OK || status == HS_UNCHANGED);
        s->moves += status == HS_OK;
        hs_slice slice = hs_layout_slice(s->layout[l]);
        for (int64_t i = 0; i < slice.count; i++)
            REQUIRE(s->data[l][i] == 1000 * l + slice.first + i);
    }
}

static void end(solver *s)
{
    hs_layout_free(s->layout[1]);
    REQUIRE(s->data[1] == NULL);
    REQUIRE(hs_finalize(&s->context) == HS_OK);
    REQUIRE(s->data[0] == NULL);
}

static void iterate_often(solver *s, solver *inner)
{
    int64_t before = s->moves;
    for (int k = 0; k < ITERATIONS; k++)
        iterate(s, 0, inner);
    REQUIRE(s->moves > before || world_size() == 1);
}

/* ---- All at once ---- */

static void *live(void *comm)
{
    solver s;
    start(&s, *(MPI_Comm *)comm);
    iterate_often(&s, NULL);
    end(&s);
    return NULL;
}

static void all_at_once(void)
{
    pthread_t thread[THREADS];
    MPI_Comm comm[THREADS];
    for (int t = 0; t < THREADS; t++)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[t]);
    for (int t = 0; t < THREADS; t++)
        REQUIRE(pthread_create(&thread[t], NULL, live, &comm[t]) == 0);
    for (int t = 0; t < THREADS; t++) {
        REQUIRE(pthread_join(thread[t], NULL) == 0);
        MPI_Comm_free(&comm[t]);
    }
}

/* ---- One after the other ---- */

static void *start_there(void *place)
{
    solver *s = place;
    start(s, s->comm);
    return NULL;
}

static void *iterate_there(void *place)
{
    iterate_often(place, NULL);
    return NULL;
}

static void *end_there(void *place)
{
    end(place);
    return NULL;
}

static void in_a_thread(void *(*work)(void *), solver *s)
{
    pthread_t thread;
    REQUIRE(pthread_create(&thread, NULL, work, s) == 0);
    REQUIRE(pthread_join(thread, NULL) == 0);
}

/* One thread makes what another one uses and a third one frees, on a communicator that is freed and made again. */
static void from_thread_to_thread(void)
{
    for (int k = 0; k < 3; k++) {
        solver s = {0};
        MPI_Comm_dup(MPI_COMM_WORLD, &s.comm);
        MPI_Comm comm = s.comm;
        in_a_thread(start_there, &s);
        in_a_thread(iterate_there, &s);
        iterate(&s, 0, NULL);
        in_a_thread(end_there, &s);
        MPI_Comm_free(&comm);
    }
}

/* ---- Nested, and with a child ---- */

static void nested(void)
{
    solver outer, inner;
    MPI_Comm own;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    start(&outer, MPI_COMM_WORLD);
    start(&inner, own);
    iterate_often(&outer, &inner);
    REQUIRE(inner.moves > 0 || world_size() == 1);
    end(&outer);
    end(&inner);
    MPI_Comm_free(&own);
}

/* The child looks, and leaves without MPI. */
static void with_a_child(void)
{
    solver s;
    int how;
    start(&s, MPI_COMM_WORLD);
    for (int k = 0; k < ITERATIONS; k++) {
        iterate(&s, 0, NULL);
        if (k % 20 != 10)
            continue;
        pid_t child = fork();
        if (child == 0)
            _exit(hs_layout_slice(s.layout[0]).count <= UNITS && hs_layout_counts(s.layout[1])[0] >= 0 ? 0 : 1);
        REQUIRE(child > 0 && waitpid(child, &how, 0) == child && how == 0);
    }
    end(&s);
}

int main(int argc, char **argv)
{
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        MPI_Finalize();
        return SKIPPED;
    }
    params = fake_hosts(HS_BALANCE_ON);
    all_at_once();
    from_thread_to_thread();
    nested();
    with_a_child();
    forget_hosts(&params);
    MPI_Finalize();
    return 0;
}
