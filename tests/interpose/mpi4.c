/* SPDX-License-Identifier: BSD-3-Clause */
/* What MPI-4 added, as far as the MPI library has it. Without arguments everything but sessions; "session" is a program
 * that never calls MPI_Init, "again" opens two, one after the other, "beside" has two at once, in "overlap" the second is
 * opened while the first has its communicator; "disconnect" disconnects that, "reused" another one, made after it was freed;
 * "within" calls MPI_Init before its session ends, "both" before it begins; in "thread" another thread ends it; in "late"
 * rank 0 is late for a call that the others wait in. */
#include "calls.h"
#include <pthread.h>
#include <time.h>

#if MPI_VERSION >= 4 || (defined OPEN_MPI && OMPI_MAJOR_VERSION >= 5)
#define HAS_MPI4 1
#else
#define HAS_MPI4 0
#endif
#define HAS_LARGE (MPI_VERSION >= 4)

#if HAS_MPI4
static MPI_Comm comm;
static int next, previous;

static void combined(void)
{
    int out[2] = {calls_rank, 7}, in[2] = {0};
    MPI_Request request[2];
    MPI_Status status[2];
    CALL(MPI_Isendrecv, out, 2, MPI_INT, next, 1, in, 2, MPI_INT, previous, 1, comm, &request[0]);
    CALL(MPI_Wait, &request[0], &status[0]);
    CALL(MPI_Isendrecv_replace, out, 2, MPI_INT, next, 2, previous, 2, comm, &request[1]);
    CALL(MPI_Waitall, 1, &request[1], &status[1]);
    calls_mix_all(out, 2);
    calls_mix_all(in, 2);
}

/* Collective, point-to-point and partitioned requests are started together, three times. */
static void persistent(void)
{
    enum { PARTS = 4, REQUESTS = 6 };
    int out = 0, in = -1, sum = 0, all = calls_rank, flag, parts[PARTS], got[PARTS];
    static const int low = 0, list_begin = 2;
    int list[] = {list_begin, list_begin + 1};
    MPI_Request request[REQUESTS];
    CALL(MPI_Allreduce_init, &out, &sum, 1, MPI_INT, MPI_SUM, comm, MPI_INFO_NULL, &request[0]);
    CALL(MPI_Bcast_init, &all, 1, MPI_INT, 0, comm, MPI_INFO_NULL, &request[1]);
    CALL(MPI_Send_init, &out, 1, MPI_INT, next, 3, comm, &request[2]);
    CALL(MPI_Recv_init, &in, 1, MPI_INT, previous, 3, comm, &request[3]);
    CALL(MPI_Psend_init, parts, PARTS, 1, MPI_INT, next, 4, comm, MPI_INFO_NULL, &request[4]);
    CALL(MPI_Precv_init, got, PARTS, 1, MPI_INT, previous, 4, comm, MPI_INFO_NULL, &request[5]);
    for (int round = 0; round < 3; round++) {
        out = calls_rank + round;
        all = 10 * round + calls_rank;
        for (int p = 0; p < PARTS; p++)
            parts[p] = 100 * calls_rank + 10 * round + p;
        CALL(MPI_Startall, REQUESTS, request);
        CALL(MPI_Pready, low, request[4]);
        CALL(MPI_Pready_range, 1, 1, request[4]);
        CALL(MPI_Pready_list, 2, list, request[4]);
        CALL(MPI_Parrived, request[5], 0, &flag);
        CALL(MPI_Waitall, REQUESTS, request, MPI_STATUSES_IGNORE);
        MIX(sum, all, in);
        calls_mix_all(got, PARTS);
    }
    for (int k = 0; k < REQUESTS; k++)
        CALL(MPI_Request_free, &request[k]);
}

static void duplicates(void)
{
    MPI_Comm made;
    MPI_Request request;
    int size;
    CALL(MPI_Comm_idup_with_info, comm, MPI_INFO_NULL, &made, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    CALL(MPI_Comm_size, made, &size);
    MIX(size);
    CALL(MPI_Comm_free, &made);
}
#endif

#if HAS_LARGE
static void large(void)
{
    int out = calls_rank + 1, in = -1, sum = 0, all[64] = {0}, flag = 0;
    MPI_Count counts[64], length = 0;
    MPI_Aint places[64];
    MPI_Request request[2];
    MPI_Win window;
    int base[2] = {0, 0};
    for (int r = 0; r < 64; r++) {
        counts[r] = 1;
        places[r] = r;
    }
    CALL(MPI_Allreduce_c, &out, &sum, 1, MPI_INT, MPI_SUM, comm);
    CALL(MPI_Allgatherv_c, &out, 1, MPI_INT, all, counts, places, MPI_INT, comm);
    MIX(sum, all[calls_size - 1]);
    CALL(MPI_Irecv_c, &in, 1, MPI_INT, previous, 5, comm, &request[0]);
    CALL(MPI_Send_c, &out, 1, MPI_INT, next, 5, comm);
    CALL(MPI_Wait, &request[0], MPI_STATUS_IGNORE);
    CALL(MPI_Sendrecv_c, &in, 1, MPI_INT, next, 6, &out, 1, MPI_INT, previous, 6, comm, MPI_STATUS_IGNORE);
    MIX(in, out);
    CALL(MPI_Send_init_c, &out, 1, MPI_INT, next, 7, comm, &request[0]);
    CALL(MPI_Allreduce_init_c, &out, &sum, 1, MPI_INT, MPI_MAX, comm, MPI_INFO_NULL, &request[1]);
    CALL(MPI_Startall, 2, request);
    CALL(MPI_Recv_c, &in, 1, MPI_INT, previous, 7, comm, MPI_STATUS_IGNORE);
    CALL(MPI_Waitall, 2, request, MPI_STATUSES_IGNORE);
    MIX(in, sum);
    CALL(MPI_Request_free, &request[0]);
    CALL(MPI_Request_free, &request[1]);
    CALL(MPI_Pack_size_c, 3, MPI_INT, comm, &length);
    CALL(MPI_Iprobe, previous, 8, comm, &flag, MPI_STATUS_IGNORE);
    MIX((int)length, flag);
    CALL(MPI_Win_create_c, base, sizeof base, sizeof *base, MPI_INFO_NULL, comm, &window);
    CALL(MPI_Win_fence, 0, window);
    CALL(MPI_Put_c, &out, 1, MPI_INT, next, 0, 1, MPI_INT, window);
    CALL(MPI_Win_fence, 0, window);
    MIX(base[0]);
    CALL(MPI_Win_free, &window);
    /* The library says that a count is wrong, and goes on. */
    CALL(MPI_Comm_set_errhandler, comm, MPI_ERRORS_RETURN);
    CALL(MPI_Bcast_c, &out, -1, MPI_INT, 0, comm);
    CALL(MPI_Comm_set_errhandler, comm, MPI_ERRORS_ARE_FATAL);
}
#endif

static void everything(void)
{
#if HAS_MPI4
    CALL(MPI_Comm_dup, MPI_COMM_WORLD, &comm);
    next = (calls_rank + 1) % calls_size;
    previous = (calls_rank + calls_size - 1) % calls_size;
    combined();
    persistent();
    duplicates();
    calls_section("MPI-4");
#if HAS_LARGE
    large();
    calls_section("large counts");
#endif
    CALL(MPI_Comm_free, &comm);
#endif
}

/* Rank 0 is late for a collective call with a large count, so that the others wait there. */
static void come_late(void)
{
#if HAS_LARGE
    int one = 1, sum;
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    for (now = begin; calls_rank == 0 && now.tv_sec + 1e-9 * now.tv_nsec < begin.tv_sec + 1e-9 * begin.tv_nsec + 0.5;)
        clock_gettime(CLOCK_MONOTONIC, &now);
    MPI_Allreduce_c(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
#else
    printf("no large counts\n");
#endif
}

#if HAS_MPI4
static int end_comm(const char *mode, MPI_Group group)
{
    if (strcmp(mode, "disconnect") == 0)
        return MPI_Comm_disconnect(&comm);
    return MPI_Comm_free(&comm) ||
           (strcmp(mode, "reused") == 0 && /* as a rule by the same handle */
            (MPI_Comm_create_from_group(group, "again", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm) ||
             MPI_Comm_disconnect(&comm)));
}
#endif

#if HAS_MPI4
/* @return NULL: it has ended */
static void *end_session(void *session)
{
    return MPI_Session_finalize(session) == MPI_SUCCESS ? NULL : session;
}

static int end_session_in(const char *mode, MPI_Session *session)
{
    pthread_t thread;
    void *failed = session;
    if (strcmp(mode, "thread") != 0)
        return end_session(session) != NULL;
    return pthread_create(&thread, NULL, end_session, session) || pthread_join(thread, &failed) || failed;
}
#endif

static int in_session(const char *mode)
{
#if HAS_MPI4
    MPI_Session session, other = MPI_SESSION_NULL;
    MPI_Group group;
    int sum = 0, failed;
    if (MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &session) != MPI_SUCCESS ||
        (strcmp(mode, "beside") == 0 && MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &other) != MPI_SUCCESS))
        return 1;
    failed = MPI_Group_from_session_pset(session, "mpi://WORLD", &group) ||
             MPI_Comm_create_from_group(group, "heteroslice", MPI_INFO_NULL, MPI_ERRORS_RETURN, &comm) ||
             MPI_Comm_rank(comm, &calls_rank) || MPI_Comm_size(comm, &calls_size) ||
             MPI_Allreduce(&calls_rank, &sum, 1, MPI_INT, MPI_SUM, comm) ||
             (strcmp(mode, "overlap") == 0 && MPI_Session_init(MPI_INFO_NULL, MPI_ERRORS_RETURN, &other)) ||
             (strcmp(mode, "within") == 0 && MPI_Init(NULL, NULL));
    printf("rank %d of %d: %d\n", calls_rank, calls_size, sum);
    failed = failed || end_comm(mode, group) || MPI_Group_free(&group) || end_session_in(mode, &session) ||
             (other != MPI_SESSION_NULL && MPI_Session_finalize(&other));
    return failed;
#else
    printf("no sessions\n");
    return 0;
#endif
}

int main(int argc, char **argv)
{
    static const char *const in_one[] = {"session", "disconnect", "reused", "beside", "overlap", "thread", NULL};
    const char *mode = argc > 1 ? argv[1] : "";
    for (const char *const *one = in_one; *one; one++)
        if (strcmp(mode, *one) == 0)
            return in_session(mode);
    if (strcmp(mode, "again") == 0)
        return in_session(mode) || in_session(mode);
    if (strcmp(mode, "within") == 0)
        return in_session(mode) || MPI_Finalize();
    MPI_Init(&argc, &argv);
    if (strcmp(mode, "both") == 0)
        return in_session(mode) || MPI_Finalize();
    CALL(MPI_Comm_rank, MPI_COMM_WORLD, &calls_rank);
    CALL(MPI_Comm_size, MPI_COMM_WORLD, &calls_size);
    if (argc > 1)
        come_late();
    else
        everything();
    printf("rank %d of %d: %ld calls\n", calls_rank, calls_size, calls_made);
    fflush(stdout);
    MPI_Finalize();
    return 0;
}
