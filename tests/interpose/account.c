/* SPDX-License-Identifier: BSD-3-Clause */
/* Programs whose account is known: account MODE [alone], each for two ranks; alone: MPI knows that no thread will call it but one.
 *   late      rank 0 sleeps for 2 s before MPI_Finalize, once rank 1 is about to call it
 *   poll      rank 1 computes for half a second in a loop of MPI_Test
 *   yield     the same, and gives its core away after each
 *   pause sleeps, sends and shares a core between MPI_Pcontrol(0) and MPI_Pcontrol(1), which nobody should see; says
 *   what is left comms a message over each of many communicators, which are freed requests many persistent requests,
 *   each started three times, some made and freed in between threads threads send over one communicator at the same
 *   time aside a thread that is not the main one calls MPI_Pcontrol(0) and MPI_Pcontrol(16), which means nothing */
#define _GNU_SOURCE
#include <mpi.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { COMMS = 200, LIVE = 70, REQUESTS = 2000, THREADS = 4, EACH = 5000 };

static int rank, other;
static double paused, paused_queue; /* seconds: all, and those without a core */

static void rest(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)(1e9 * (seconds - (double)(time_t)seconds))};
    nanosleep(&time, NULL);
}

static double now(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void late(void)
{
    int word = 0;
    if (rank == 1)
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 1)
        return;
    MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    rest(2);
}

/* The clock is read so rarely that it does not count. */
static void poll_and(int yields)
{
    enum { POLLS = 10000 };
    int word = 0, done;
    MPI_Request request;
    if (rank == 0)
        MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        return;
    MPI_Irecv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    for (double begun = now(CLOCK_THREAD_CPUTIME_ID); now(CLOCK_THREAD_CPUTIME_ID) - begun < 0.5;)
        for (int k = 0; k < POLLS; k++) {
            MPI_Test(&request, &done, MPI_STATUS_IGNORE);
            if (yields)
                sched_yield();
        }
    MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
}

static void poll(void)
{
    poll_and(0);
}

static void poll_and_yield(void)
{
    poll_and(1);
}

static void exchange(MPI_Comm comm)
{
    int out = 1, in;
    MPI_Sendrecv(&out, 1, MPI_INT, other, 0, &in, 1, MPI_INT, other, 0, comm, MPI_STATUS_IGNORE);
}

/* Seconds for which this thread was ready and had no core. */
static double queued(void)
{
    unsigned long long ran, waited = 0;
    FILE *file = fopen("/proc/thread-self/schedstat", "r");
    if (!file || fscanf(file, "%llu %llu", &ran, &waited) != 2)
        waited = 0;
    if (file)
        fclose(file);
    return 1e-9 * (double)waited;
}

static void *spin(void *unused)
{
    for (double begun = now(CLOCK_THREAD_CPUTIME_ID); now(CLOCK_THREAD_CPUTIME_ID) - begun < 0.5;)
        continue;
    return unused;
}

static void share_core(void)
{
    pthread_t thread;
    cpu_set_t before, one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_getaffinity(0, sizeof before, &before);
    sched_setaffinity(0, sizeof one, &one);
    pthread_create(&thread, NULL, spin, NULL);
    spin(NULL);
    pthread_join(thread, NULL);
    sched_setaffinity(0, sizeof before, &before);
}

static void pause_account(void)
{
    exchange(MPI_COMM_WORLD);
    MPI_Pcontrol(0);
    double begun = now(CLOCK_MONOTONIC), before = queued();
    rest(2);
    share_core();
    exchange(MPI_COMM_WORLD);
    paused = now(CLOCK_MONOTONIC) - begun;
    paused_queue = queued() - before;
    MPI_Pcontrol(1);
    rest(0.5);
    exchange(MPI_COMM_WORLD);
}

static void comms(void)
{
    static MPI_Comm live[LIVE];
    for (int k = 0; k < COMMS; k++) {
        MPI_Comm comm;
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        exchange(comm);
        MPI_Comm_free(&comm);
    }
    for (int k = 0; k < LIVE; k++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &live[k]);
        exchange(live[k]);
    }
    for (int k = 0; k < LIVE; k++)
        exchange(live[k]);
    for (int k = 0; k < LIVE; k++)
        MPI_Comm_free(&live[k]);
}

static void requests(void)
{
    static MPI_Request all[2 * REQUESTS];
    static int out[REQUESTS], in[REQUESTS];
    MPI_Request unused;
    for (int k = 0; k < REQUESTS; k++) {
        MPI_Recv_init(&in[k], 1, MPI_INT, other, k, MPI_COMM_WORLD, &all[k]);
        MPI_Send_init(&out[k], 1, MPI_INT, other, 0, MPI_COMM_WORLD, &unused);
        MPI_Send_init(&out[k], 1, MPI_INT, other, k, MPI_COMM_WORLD, &all[REQUESTS + k]);
        MPI_Request_free(&unused);
    }
    for (int times = 0; times < 2; times++) {
        MPI_Startall(2 * REQUESTS, all);
        MPI_Waitall(2 * REQUESTS, all, MPI_STATUSES_IGNORE);
    }
    for (int k = 0; k < 2 * REQUESTS; k++)
        MPI_Start(&all[k]);
    MPI_Waitall(2 * REQUESTS, all, MPI_STATUSES_IGNORE);
    for (int k = 0; k < 2 * REQUESTS; k++)
        MPI_Request_free(&all[k]);
}

static void *send_to_self(void *tag)
{
    for (int k = 0; k < EACH; k++) {
        int out = k, in;
        MPI_Request request;
        MPI_Irecv(&in, 1, MPI_INT, rank, *(int *)tag, MPI_COMM_WORLD, &request);
        MPI_Send(&out, 1, MPI_INT, rank, *(int *)tag, MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    return NULL;
}

static void threads(void)
{
    pthread_t thread[THREADS];
    int tag[THREADS];
    for (int k = 0; k < THREADS; k++) {
        tag[k] = k;
        pthread_create(&thread[k], NULL, send_to_self, &tag[k]);
    }
    for (int k = 0; k < THREADS; k++)
        pthread_join(thread[k], NULL);
}

static void *control(void *unused)
{
    MPI_Pcontrol(0);
    MPI_Pcontrol(16);
    return unused;
}

static void aside(void)
{
    pthread_t thread;
    exchange(MPI_COMM_WORLD);
    pthread_create(&thread, NULL, control, NULL);
    pthread_join(thread, NULL);
    exchange(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*run)(void);
    } modes[] = {{"late", late},   {"poll", poll},         {"yield", poll_and_yield}, {"pause", pause_account},
                 {"comms", comms}, {"requests", requests}, {"threads", threads},      {"aside", aside}};
    int provided, alone = argc > 2;
    double begun = now(CLOCK_MONOTONIC);
    MPI_Init_thread(&argc, &argv, alone ? MPI_THREAD_SINGLE : MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    if ((strcmp(argv[1], "threads") == 0 || strcmp(argv[1], "aside") == 0) && provided < MPI_THREAD_MULTIPLE)
        puts("no threads");
    else
        for (size_t k = 0; k < sizeof modes / sizeof *modes; k++)
            if (strcmp(argv[1], modes[k].name) == 0)
                modes[k].run();
    MPI_Finalize();
    if (paused > 0)
        printf("rank %d: at most %.6f s, %.9f without a core\n", rank, now(CLOCK_MONOTONIC) - begun - paused,
               queued() - paused_queue);
    return 0;
}
