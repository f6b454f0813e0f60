/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls.h"

static void mix_comm(MPI_Comm comm)
{
    int rank, size, relation, inter;
    CALL(MPI_Comm_rank, comm, &rank);
    CALL(MPI_Comm_size, comm, &size);
    CALL(MPI_Comm_test_inter, comm, &inter);
    CALL(MPI_Comm_compare, comm, inter ? comm : MPI_COMM_WORLD, &relation);
    MIX(rank, size, relation, inter);
}

static void splitting(void)
{
    MPI_Comm comm, other;
    MPI_Group world, odd;
    MPI_Request request;
    CALL(MPI_Comm_dup, MPI_COMM_WORLD, &comm);
    mix_comm(comm);
    CALL(MPI_Comm_dup_with_info, comm, MPI_INFO_NULL, &other);
    CALL(MPI_Comm_free, &other);
    CALL(MPI_Comm_idup, comm, &other, &request);
    CALL(MPI_Wait, &request, MPI_STATUS_IGNORE);
    mix_comm(other);
    CALL(MPI_Comm_disconnect, &other);
    CALL(MPI_Comm_split, comm, calls_rank % 2, -calls_rank, &other);
    mix_comm(other);
    CALL(MPI_Comm_free, &other);
    CALL(MPI_Comm_split_type, comm, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &other);
    mix_comm(other);
    CALL(MPI_Comm_free, &other);
    int members = calls_size > 1 ? 2 : 1, first_and_last[2] = {0, calls_size - 1}, both[2] = {0, members - 1},
        places[2];
    CALL(MPI_Comm_group, comm, &world);
    MPI_Group_incl(world, members, first_and_last, &odd);
    MPI_Group_translate_ranks(odd, members, both, world, places);
    calls_mix_all(places, members);
    CALL(MPI_Comm_create, comm, odd, &other);
    if (other != MPI_COMM_NULL) {
        mix_comm(other);
        CALL(MPI_Comm_free, &other);
        CALL(MPI_Comm_create_group, comm, odd, 3, &other);
        CALL(MPI_Comm_free, &other);
    }
    MPI_Group_free(&odd);
    MPI_Group_free(&world);
    CALL(MPI_Comm_free, &comm);
    calls_mix(comm == MPI_COMM_NULL);
}

static void between(void)
{
    MPI_Comm half, inter, whole;
    MPI_Group remote;
    int size, rank, sum = 0, mine = calls_rank + 1;
    CALL(MPI_Comm_split, MPI_COMM_WORLD, calls_rank == 0, calls_rank, &half);
    if (calls_size > 1) {
        CALL(MPI_Intercomm_create, half, 0, MPI_COMM_WORLD, calls_rank == 0 ? 1 : 0, 4, &inter);
        mix_comm(inter);
        CALL(MPI_Comm_remote_size, inter, &size);
        CALL(MPI_Comm_remote_group, inter, &remote);
        MPI_Group_free(&remote);
        CALL(MPI_Allreduce, &mine, &sum, 1, MPI_INT, MPI_SUM, inter);
        CALL(MPI_Intercomm_merge, inter, calls_rank == 0, &whole);
        CALL(MPI_Comm_rank, whole, &rank);
        MIX(size, sum, rank);
        CALL(MPI_Comm_free, &whole);
        CALL(MPI_Comm_free, &inter);
    }
    CALL(MPI_Comm_free, &half);
    CALL(MPI_Comm_get_parent, &inter);
    calls_mix(inter == MPI_COMM_NULL);
}

static void names(void)
{
    char name[MPI_MAX_OBJECT_NAME];
    int length;
    MPI_Comm comm;
    MPI_Info info;
    CALL(MPI_Comm_get_name, MPI_COMM_WORLD, name, &length);
    calls_mix(strcmp(name, "MPI_COMM_WORLD") == 0);
    CALL(MPI_Comm_dup, MPI_COMM_SELF, &comm);
    CALL(MPI_Comm_set_name, comm, "a comm");
    CALL(MPI_Comm_get_name, comm, name, &length);
    calls_mix(length);
    CALL(MPI_Comm_get_info, comm, &info);
    CALL(MPI_Comm_set_info, comm, info);
    MPI_Info_free(&info);
    CALL(MPI_Comm_free, &comm);
}

void calls_communicators(void)
{
    splitting();
    between();
    names();
    calls_section("communicators");
}
