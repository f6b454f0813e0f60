/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs whose ranks wait, to be run with more ranks than cores: oversubscribed PROGRAM STEPS. Rank 0 prints the
 * seconds of so many steps. Without arguments it prints the programs' names. */
#include "tests/interpose/burn.h"
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE = 1 << 21, SMALL = 8, TAG = 7 }; /* bytes */

/* Every program has these; bytes are 0 and stay so. */
static int rank, size;
static unsigned char *mine, *theirs; /* LARGE bytes a rank, at most for 16 ranks */
static MPI_Win window;               /* on LARGE bytes of a rank */
static void *memory;

static void make_window(void)
{
    memory = calloc(LARGE, 1);
    if (!memory)
        MPI_Abort(MPI_COMM_WORLD, 1);
    MPI_Win_create(memory, LARGE, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* ---- One-sided calls: rank 0 waits in a barrier, the others reach into its memory ---- */

static void put_flush(void)
{
    MPI_Win_lock_all(0, window);
    for (int k = 0; rank > 0 && k < 100; k++) {
        MPI_Put(mine, SMALL, MPI_BYTE, 0, rank * SMALL, SMALL, MPI_BYTE, window);
        MPI_Win_flush(0, window);
    }
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void get_large(void)
{
    MPI_Win_lock_all(0, window);
    if (rank > 0) {
        MPI_Get(mine, LARGE, MPI_BYTE, 0, 0, LARGE, MPI_BYTE, window);
        MPI_Win_flush(0, window);
    }
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void accumulate(int bytes, int times)
{
    MPI_Win_lock_all(0, window);
    for (int k = 0; rank > 0 && k < times; k++) {
        MPI_Accumulate(mine, bytes, MPI_BYTE, 0, 0, bytes, MPI_BYTE, MPI_BOR, window);
        MPI_Win_flush_local(0, window);
    }
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void accumulate_small(void)
{
    accumulate(SMALL, 100);
}

static void accumulate_large(void)
{
    accumulate(LARGE, 2);
}

/* One origin, as the others wait: a derived type. */
static void accumulate_derived(void)
{
    MPI_Datatype type;
    int origin = size > 1, count = LARGE / 1024;
    MPI_Type_vector(count / 2, 96, 128, MPI_INT, &type);
    MPI_Type_commit(&type);
    if (rank == origin) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        for (int k = 0; k < 3; k++) {
            MPI_Accumulate(mine, 1, type, 0, 0, count / 2 * 96, MPI_INT, MPI_SUM, window);
            MPI_Win_flush_local(0, window);
        }
        MPI_Win_unlock(0, window);
    }
    MPI_Type_free(&type);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void locks(void)
{
    for (int k = 0; k < 10; k++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, k % size, 0, window);
        MPI_Put(mine, SMALL, MPI_BYTE, k % size, 0, SMALL, MPI_BYTE, window);
        MPI_Win_unlock(k % size, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void fetch_and_op(void)
{
    MPI_Win_lock_all(0, window);
    for (int k = 0; k < 20; k++) {
        MPI_Fetch_and_op(mine, theirs, MPI_INT, 0, 0, MPI_SUM, window);
        MPI_Win_flush(0, window);
    }
    MPI_Win_unlock_all(window);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void fences(void)
{
    MPI_Win_fence(0, window);
    MPI_Put(mine, 4096, MPI_BYTE, (rank + 1) % size, 0, 4096, MPI_BYTE, window);
    MPI_Win_fence(0, window);
}

static void post_and_start(void)
{
    MPI_Group world, to, from;
    int next = (rank + 1) % size, previous = (rank + size - 1) % size;
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &next, &to);
    MPI_Group_incl(world, 1, &previous, &from);
    MPI_Win_post(from, 0, window);
    MPI_Win_start(to, 0, window);
    MPI_Put(mine, 4096, MPI_BYTE, next, 0, 4096, MPI_BYTE, window);
    MPI_Win_complete(window);
    MPI_Win_wait(window);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
    MPI_Group_free(&world);
}

/* ---- Collective calls ---- */

#define COLLECTIVE(name, call)             \
    static void name##_of(int n, int root) \
    {                                      \
        call;                              \
    }                                      \
    static void name##_small(void)         \
    {                                      \
        for (int r = 0; r < size; r++)     \
            name##_of(SMALL, r);           \
    }                                      \
    static void name##_large(void)         \
    {                                      \
        name##_of(LARGE / size, 0);        \
    }

#define WORLD MPI_COMM_WORLD
COLLECTIVE(bcast, MPI_Bcast(mine, n *size, MPI_BYTE, root, WORLD))
COLLECTIVE(reduce, MPI_Reduce(mine, theirs, n *size, MPI_BYTE, MPI_BOR, root, WORLD))
COLLECTIVE(allreduce, MPI_Allreduce(mine, theirs, n *size, MPI_BYTE, MPI_BOR, WORLD))
COLLECTIVE(gather, MPI_Gather(mine, n, MPI_BYTE, theirs, n, MPI_BYTE, root, WORLD))
COLLECTIVE(scatter, MPI_Scatter(mine, n, MPI_BYTE, theirs, n, MPI_BYTE, root, WORLD))
COLLECTIVE(allgather, MPI_Allgather(mine, n, MPI_BYTE, theirs, n, MPI_BYTE, WORLD))
COLLECTIVE(alltoall, MPI_Alltoall(mine, n, MPI_BYTE, theirs, n, MPI_BYTE, WORLD))
COLLECTIVE(scan, MPI_Scan(mine, theirs, n, MPI_BYTE, MPI_BOR, WORLD))
COLLECTIVE(reduce_scatter, MPI_Reduce_scatter_block(mine, theirs, n, MPI_BYTE, MPI_BOR, WORLD))

static void barriers(void)
{
    for (int r = 0; r < size; r++)
        MPI_Barrier(WORLD);
}

/* ---- Messages ---- */

static void shift(int bytes)
{
    MPI_Sendrecv(mine, bytes, MPI_BYTE, (rank + 1) % size, TAG, theirs, bytes, MPI_BYTE, (rank + size - 1) % size, TAG,
                 WORLD, MPI_STATUS_IGNORE);
}

static void shift_small(void)
{
    shift(SMALL);
}

static void shift_large(void)
{
    shift(LARGE);
}

/* All pairs at once. */
static void exchange(void)
{
    MPI_Request request[32];
    int n = 0, bytes = LARGE / 16;
    for (int r = 0; r < size; r++)
        if (r != rank)
            MPI_Irecv(theirs + (size_t)r * (size_t)bytes, bytes, MPI_BYTE, r, TAG, WORLD, &request[n++]);
    for (int r = 0; r < size; r++)
        if (r != rank)
            MPI_Isend(mine, bytes, MPI_BYTE, r, TAG, WORLD, &request[n++]);
    MPI_Waitall(n, request, MPI_STATUSES_IGNORE);
}

/* Two ranks exchange messages while all others wait for them. */
static void pingpong(int bytes, int times)
{
    for (int k = 0; k < times && rank < 2; k++)
        for (int sender = 0; sender < 2; sender++)
            if (rank == sender)
                MPI_Send(mine, bytes, MPI_BYTE, 1 - rank, TAG, WORLD);
            else
                MPI_Recv(theirs, bytes, MPI_BYTE, 1 - rank, TAG, WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(WORLD);
}

static void pingpong_small(void)
{
    pingpong(SMALL, 1000);
}

static void pingpong_large(void)
{
    pingpong(LARGE, 2);
}

/* The program looks itself. */
static void test_loop(void)
{
    MPI_Request request[2];
    MPI_Irecv(theirs, 4096, MPI_BYTE, (rank + 1) % size, TAG, WORLD, &request[0]);
    MPI_Isend(mine, 4096, MPI_BYTE, (rank + size - 1) % size, TAG, WORLD, &request[1]);
    for (int done = 0; !done;)
        MPI_Testall(2, request, &done, MPI_STATUSES_IGNORE);
}

/* Rank 0 hands out tasks of 100 us. */
static void tasks(void)
{
    MPI_Status status;
    int left = 10 * (size - 1), word = 0;
    if (rank == 0)
        for (int working = size - 1; working > 0; left--) {
            MPI_Probe(MPI_ANY_SOURCE, TAG, WORLD, &status);
            MPI_Recv(&word, 1, MPI_INT, status.MPI_SOURCE, TAG, WORLD, MPI_STATUS_IGNORE);
            word = left > 0;
            working -= !word;
            MPI_Send(&word, 1, MPI_INT, status.MPI_SOURCE, TAG, WORLD);
        }
    else
        for (word = 1; word;) {
            MPI_Send(&word, 1, MPI_INT, 0, TAG, WORLD);
            MPI_Recv(&word, 1, MPI_INT, 0, TAG, WORLD, MPI_STATUS_IGNORE);
            if (word)
                compute(100e-6);
        }
}

/* ---- Computing between calls ---- */

static void work_of_all(void)
{
    compute(500e-6);
    allreduce_of(SMALL, 0);
}

static void work_of_one(void)
{
    static int turn;
    if (turn++ % size == rank)
        compute(2e-3);
    allreduce_of(SMALL, 0);
    shift(SMALL);
}

static void communicators(void)
{
    MPI_Comm part;
    MPI_Comm_split(WORLD, rank % 2, rank, &part);
    MPI_Comm_free(&part);
}

#define PAIR(name)                      \
    {#name "_small", name##_small, 0},  \
    {                                   \
#name "_large", name##_large, 0 \
    }
static const struct {
    const char *name;
    void (*step)(void);
    int one_sided;
} program[] = {
    {"put_flush", put_flush, 1},
    {"get_large", get_large, 1},
    {"accumulate_small", accumulate_small, 1},
    {"accumulate_large", accumulate_large, 1},
    {"accumulate_derived", accumulate_derived, 1},
    {"locks", locks, 1},
    {"fetch_and_op", fetch_and_op, 1},
    {"fences", fences, 1},
    {"post_and_start", post_and_start, 1},
    {"barrier", barriers, 0},
    PAIR(bcast),
    PAIR(reduce),
    PAIR(allreduce),
    PAIR(gather),
    PAIR(scatter),
    PAIR(allgather),
    PAIR(alltoall),
    PAIR(scan),
    PAIR(reduce_scatter),
    PAIR(shift),
    {"exchange", exchange, 0},
    PAIR(pingpong),
    {"test_loop", test_loop, 0},
    {"tasks", tasks, 0},
    {"work_of_all", work_of_all, 0},
    {"work_of_one", work_of_one, 0},
    {"communicators", communicators, 0},
};
enum { PROGRAMS = sizeof program / sizeof *program };

static void measure(int which, int steps)
{
    mine = calloc(LARGE, 16);
    theirs = calloc(LARGE, 16);
    if (!mine || !theirs)
        MPI_Abort(WORLD, 1);
    if (program[which].one_sided)
        make_window();
    MPI_Barrier(WORLD);
    double begun = MPI_Wtime();
    for (int k = 0; k < steps; k++)
        program[which].step();
    MPI_Barrier(WORLD);
    if (rank == 0)
        printf("%.6f\n", MPI_Wtime() - begun);
    if (program[which].one_sided) {
        MPI_Win_free(&window);
        free(memory);
    }
    free(mine);
    free(theirs);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        for (int k = 0; k < PROGRAMS; k++)
            puts(program[k].name);
        return 0;
    }
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(WORLD, &rank);
    MPI_Comm_size(WORLD, &size);
    for (int k = 0; k < PROGRAMS; k++)
        if (strcmp(program[k].name, argv[1]) == 0)
            measure(k, atoi(argv[2]));
    MPI_Finalize();
    return 0;
}
