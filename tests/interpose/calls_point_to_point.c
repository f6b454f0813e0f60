/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls.h"

static int next, previous;

static void send_forms(void)
{
    int out[3] = {calls_rank, 2, 3}, in[3] = {0};
    static char attached[4096 + MPI_BSEND_OVERHEAD];
    void *detached;
    int room;
    MPI_Request request;
    MPI_Status status;
    CALL(MPI_Irecv, in, 3, MPI_INT, previous, 1, MPI_COMM_WORLD, &request);
    CALL(MPI_Send, out, 3, MPI_INT, next, 1, MPI_COMM_WORLD);
    CALL(MPI_Wait, &request, &status);
    calls_mix_status(&status);
    CALL(MPI_Irecv, in, 3, MPI_INT, previous, 2, MPI_COMM_WORLD, &request);
    CALL(MPI_Ssend, out, 3, MPI_INT, next, 2, MPI_COMM_WORLD);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    CALL(MPI_Irecv, in, 3, MPI_INT, previous, 3, MPI_COMM_WORLD, &request);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    CALL(MPI_Rsend, out, 3, MPI_INT, next, 3, MPI_COMM_WORLD);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    CALL(MPI_Buffer_attach, attached, sizeof attached);
    CALL(MPI_Bsend, out, 3, MPI_INT, next, 4, MPI_COMM_WORLD);
    CALL(MPI_Recv, in, 3, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, &status);
    CALL(MPI_Buffer_detach, &detached, &room);
    calls_mix(detached == attached && room == sizeof attached);
    calls_mix_status(&status);
    calls_mix_all(in, 3);
}

static void exchange_forms(void)
{
    int out = calls_rank + 10, in = -1;
    MPI_Status status;
    CALL(MPI_Sendrecv, &out, 1, MPI_INT, next, 5, &in, 1, MPI_INT, previous, 5, MPI_COMM_WORLD, &status);
    calls_mix_status(&status);
    calls_mix(in);
    CALL(MPI_Sendrecv_replace, &out, 1, MPI_INT, next, 6, previous, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    calls_mix(out);
    CALL(MPI_Sendrecv, &out, 1, MPI_INT, MPI_PROC_NULL, 7, &in, 1, MPI_INT, MPI_PROC_NULL, 7, MPI_COMM_WORLD, &status);
    calls_mix_status(&status);
}

/* The buffer is given by a datatype with an absolute address. */
static void from_bottom(void)
{
    int out = calls_rank * 7, in = -1, one = 1;
    MPI_Aint address[2];
    MPI_Datatype type[2], old = MPI_INT;
    MPI_Get_address(&out, &address[0]);
    MPI_Get_address(&in, &address[1]);
    for (int k = 0; k < 2; k++) {
        MPI_Type_create_struct(1, &one, &address[k], &old, &type[k]);
        MPI_Type_commit(&type[k]);
    }
    CALL(MPI_Sendrecv, MPI_BOTTOM, 1, type[0], next, 8, MPI_BOTTOM, 1, type[1], previous, 8, MPI_COMM_WORLD,
         MPI_STATUS_IGNORE);
    calls_mix(in);
    MPI_Type_free(&type[0]);
    MPI_Type_free(&type[1]);
}

static void probes(void)
{
    int out = calls_rank, in = -1, flag = 0;
    MPI_Request request;
    MPI_Message message;
    MPI_Status status;
    CALL(MPI_Isend, &out, 1, MPI_INT, next, 9, MPI_COMM_WORLD, &request);
    CALL(MPI_Probe, previous, 9, MPI_COMM_WORLD, &status);
    calls_mix_status(&status);
    CALL(MPI_Iprobe, previous, 9, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    CALL(MPI_Recv, &in, 1, MPI_INT, previous, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    CALL(MPI_Isend, &out, 1, MPI_INT, next, 10, MPI_COMM_WORLD, &request);
    CALL(MPI_Mprobe, previous, 10, MPI_COMM_WORLD, &message, &status);
    CALL(MPI_Mrecv, &in, 1, MPI_INT, &message, &status);
    calls_mix_status(&status);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    CALL(MPI_Issend, &out, 1, MPI_INT, next, 11, MPI_COMM_WORLD, &request);
    MPI_Request receive;
    CALL(MPI_Mprobe, previous, 11, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
    CALL(MPI_Imrecv, &in, 1, MPI_INT, &message, &receive);
    CALL(MPI_Wait, &receive, &status);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    CALL(MPI_Improbe, previous, 12, MPI_COMM_WORLD, &flag, &message, MPI_STATUS_IGNORE);
    calls_mix(flag);
    calls_mix_status(&status);
    calls_mix(in);
}

static void packed(void)
{
    int values[2] = {calls_rank, 5}, place = 0, room, back[2];
    char buffer[64];
    CALL(MPI_Pack_size, 2, MPI_INT, MPI_COMM_WORLD, &room);
    calls_mix(room <= (int)sizeof buffer);
    CALL(MPI_Pack, values, 2, MPI_INT, buffer, sizeof buffer, &place, MPI_COMM_WORLD);
    CALL(MPI_Sendrecv_replace, buffer, place, MPI_PACKED, next, 13, previous, 13, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    place = 0;
    CALL(MPI_Unpack, buffer, sizeof buffer, &place, back, 2, MPI_INT, MPI_COMM_WORLD);
    calls_mix_all(back, 2);
}

void calls_point_to_point(void)
{
    next = (calls_rank + 1) % calls_size;
    previous = (calls_rank + calls_size - 1) % calls_size;
    send_forms();
    exchange_forms();
    from_bottom();
    probes();
    packed();
    calls_section("point to point");
}
