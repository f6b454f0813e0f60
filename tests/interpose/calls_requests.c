/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls.h"

enum { MANY = 6 };
static int out[MANY], in[MANY];
static MPI_Request request[2 * MANY];

/* 2 * MANY requests: MANY receives from the rank before, MANY sends to the one behind, with tags 0 .. MANY-1. */
static void begin(void)
{
    int next = (calls_rank + 1) % calls_size, previous = (calls_rank + calls_size - 1) % calls_size;
    for (int k = 0; k < MANY; k++) {
        out[k] = 100 * calls_rank + k;
        in[k] = -1;
        CALL(MPI_Irecv, &in[k], 1, MPI_INT, previous, k, MPI_COMM_WORLD, &request[k]);
    }
    for (int k = 0; k < MANY; k++)
        CALL(MPI_Isend, &out[k], 1, MPI_INT, next, k, MPI_COMM_WORLD, &request[MANY + k]);
}

static void wait_all(void)
{
    MPI_Status status[2 * MANY];
    begin();
    CALL(MPI_Waitall, 2 * MANY, request, status);
    for (int k = 0; k < MANY; k++)
        calls_mix_status(&status[k]);
    calls_mix_all(in, MANY);
    begin();
    CALL(MPI_Waitall, 2 * MANY, request, MPI_STATUSES_IGNORE);
    CALL(MPI_Waitall, 0, NULL, MPI_STATUSES_IGNORE);
    calls_mix_all(in, MANY);
}

/* The order of completion differs from run to run, so what is mixed in does not depend on it; neither may the number of
 * calls, so the sends are waited for with the last receive. */
static void wait_some(void)
{
    MPI_Status status[2 * MANY];
    int index[2 * MANY], done = 0, count, sum = 0;
    begin();
    while (done < 2 * MANY) {
        MPI_Waitsome(2 * MANY, request, &count, index, status);
        calls_made++;
        for (int k = 0; k < count; k++)
            sum += index[k] < MANY ? (index[k] + 1) * (status[k].MPI_TAG + 3) * (status[k].MPI_SOURCE + 1) : 0;
        done += count;
    }
    CALL(MPI_Waitsome, 2 * MANY, request, &count, index, MPI_STATUSES_IGNORE);
    calls_mix(count == MPI_UNDEFINED);
    calls_mix(sum);
}

static void test_any(void)
{
    MPI_Status status;
    int index, flag, sum = 0;
    begin();
    for (int done = 0; done < 2 * MANY; done += flag) {
        MPI_Testany(2 * MANY, request, &index, &flag, &status);
        calls_made++;
        if (flag && index < MANY)
            sum += (index + 1) * (status.MPI_TAG + 3) * (status.MPI_SOURCE + 1);
    }
    CALL(MPI_Testany, 2 * MANY, request, &index, &flag, MPI_STATUS_IGNORE);
    calls_mix(flag && index == MPI_UNDEFINED);
    calls_mix(sum);
}

static void others(void)
{
    MPI_Status status[2 * MANY];
    int index, flag = 0, count, places[2 * MANY];
    begin();
    CALL(MPI_Waitany, MANY, request, &index, MPI_STATUS_IGNORE);
    CALL(MPI_Waitall, 2 * MANY, request, MPI_STATUSES_IGNORE);
    begin();
    while (!flag) {
        MPI_Testall(2 * MANY, request, &flag, status);
        calls_made++;
    }
    calls_mix_status(&status[MANY - 1]);
    begin();
    for (flag = 0; !flag; calls_made++)
        MPI_Request_get_status(request[0], &flag, &status[0]);
    calls_mix_status(&status[0]);
    for (flag = 0; !flag; calls_made++)
        MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    CALL(MPI_Waitall, 2 * MANY, request, MPI_STATUSES_IGNORE);
    CALL(MPI_Testsome, 2 * MANY, request, &count, places, MPI_STATUSES_IGNORE);
    calls_mix(count == MPI_UNDEFINED);
}

static void persistent(void)
{
    int next = (calls_rank + 1) % calls_size, previous = (calls_rank + calls_size - 1) % calls_size;
    CALL(MPI_Recv_init, &in[0], 1, MPI_INT, previous, 20, MPI_COMM_WORLD, &request[0]);
    CALL(MPI_Send_init, &out[0], 1, MPI_INT, next, 20, MPI_COMM_WORLD, &request[1]);
    CALL(MPI_Recv_init, &in[1], 1, MPI_INT, previous, 21, MPI_COMM_WORLD, &request[2]);
    CALL(MPI_Ssend_init, &out[1], 1, MPI_INT, next, 21, MPI_COMM_WORLD, &request[3]);
    for (int round = 0; round < 3; round++) {
        out[0] = round + calls_rank;
        out[1] = round * calls_rank;
        CALL(MPI_Startall, 3, request);
        CALL(MPI_Start, &request[3]);
        CALL(MPI_Waitall, 4, request, MPI_STATUSES_IGNORE);
        calls_mix_all(in, 2);
    }
    for (int k = 0; k < 4; k++)
        CALL(MPI_Request_free, &request[k]);
    MPI_Status status;
    CALL(MPI_Irecv, &in[0], 1, MPI_INT, previous, 22, MPI_COMM_WORLD, &request[0]);
    CALL(MPI_Cancel, &request[0]);
    CALL(MPI_Wait, &request[0], &status);
    int cancelled;
    MPI_Test_cancelled(&status, &cancelled);
    calls_mix(cancelled);
}

static int general_query(void *state, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_INT, *(int *)state);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 3;
    status->MPI_TAG = 4;
    return MPI_SUCCESS;
}

static int general_free(void *state)
{
    *(int *)state = 99;
    return MPI_SUCCESS;
}

static int general_cancel(void *state, int complete)
{
    return MPI_SUCCESS;
}

static void general(void)
{
    int state = 5;
    MPI_Status status;
    MPI_Grequest_start(general_query, general_free, general_cancel, &state, &request[0]);
    CALL(MPI_Grequest_complete, request[0]);
    CALL(MPI_Wait, &request[0], &status);
    calls_mix_status(&status);
    calls_mix(state);
}

void calls_requests(void)
{
    wait_all();
    wait_some();
    test_any();
    others();
    persistent();
    general();
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    calls_section("requests");
}
