/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls.h"

enum { ROOM = 16 };

static void fences(MPI_Win win, const int *memory)
{
    int value[4] = {calls_rank + 1, 2, 3, 4}, got[4] = {0}, next = (calls_rank + 1) % calls_size;
    CALL(MPI_Win_fence, 0, win);
    CALL(MPI_Put, value, 2, MPI_INT, next, 0, 2, MPI_INT, win);
    CALL(MPI_Accumulate, value, 1, MPI_INT, next, 4, 1, MPI_INT, MPI_SUM, win);
    CALL(MPI_Win_fence, 0, win);
    CALL(MPI_Get, got, 2, MPI_INT, next, 0, 2, MPI_INT, win);
    CALL(MPI_Win_fence, 0, win);
    calls_mix_all(got, 4);
    calls_mix_all(memory, ROOM);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
}

static void locks(MPI_Win win, const int *memory)
{
    int one = 1, got = -1, zero = 0, next = (calls_rank + 1) % calls_size;
    CALL(MPI_Win_lock, MPI_LOCK_EXCLUSIVE, next, 0, win);
    CALL(MPI_Fetch_and_op, &one, &got, MPI_INT, next, 5, MPI_SUM, win);
    CALL(MPI_Win_flush, next, win);
    calls_mix(got);
    CALL(MPI_Compare_and_swap, &one, &zero, &got, MPI_INT, next, 6, win);
    CALL(MPI_Win_flush_local, next, win);
    CALL(MPI_Get_accumulate, &one, 1, MPI_INT, &got, 1, MPI_INT, next, 7, 1, MPI_INT, MPI_SUM, win);
    CALL(MPI_Win_unlock, next, win);
    calls_mix(got);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    MPI_Request r[2];
    CALL(MPI_Win_lock_all, 0, win);
    CALL(MPI_Rput, &one, 1, MPI_INT, next, 8, 1, MPI_INT, win, &r[0]);
    CALL(MPI_Raccumulate, &one, 1, MPI_INT, next, 9, 1, MPI_INT, MPI_SUM, win, &r[1]);
    CALL(MPI_Waitall, 2, r, MPI_STATUSES_IGNORE);
    CALL(MPI_Win_flush_all, win);
    CALL(MPI_Rget, &got, 1, MPI_INT, next, 8, 1, MPI_INT, win, &r[0]);
    CALL(MPI_Rget_accumulate, &one, 1, MPI_INT, &zero, 1, MPI_INT, next, 10, 1, MPI_INT, MPI_SUM, win, &r[1]);
    CALL(MPI_Waitall, 2, r, MPI_STATUSES_IGNORE);
    CALL(MPI_Win_flush_local_all, win);
    CALL(MPI_Win_sync, win);
    CALL(MPI_Win_unlock_all, win);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    MIX(got, zero);
    CALL(MPI_Win_lock, MPI_LOCK_SHARED, calls_rank, 0, win);
    calls_mix_all(memory, ROOM);
    CALL(MPI_Win_unlock, calls_rank, win);
}

static void handshakes(MPI_Win win, const int *memory)
{
    int value = calls_rank + 70, next = (calls_rank + 1) % calls_size,
        previous = (calls_rank + calls_size - 1) % calls_size;
    MPI_Group world, to, from;
    CALL(MPI_Win_get_group, win, &world);
    MPI_Group_incl(world, 1, &next, &to);
    MPI_Group_incl(world, 1, &previous, &from);
    CALL(MPI_Win_post, from, 0, win);
    CALL(MPI_Win_start, to, 0, win);
    CALL(MPI_Put, &value, 1, MPI_INT, next, 11, 1, MPI_INT, win);
    CALL(MPI_Win_complete, win);
    CALL(MPI_Win_wait, win);
    calls_mix(memory[11]);
    MPI_Group_free(&to);
    MPI_Group_free(&from);
    MPI_Group_free(&world);
}

static void windows(void)
{
    MPI_Win win;
    int *memory, disp, flag, *kind, length;
    char name[MPI_MAX_OBJECT_NAME];
    MPI_Aint size;
    MPI_Errhandler handler;
    CALL(MPI_Win_allocate_shared, sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_SELF, &memory, &win);
    CALL(MPI_Win_shared_query, win, 0, &size, &disp, &memory);
    CALL(MPI_Win_set_name, win, "a window");
    CALL(MPI_Win_get_name, win, name, &length);
    CALL(MPI_Win_get_attr, win, MPI_WIN_CREATE_FLAVOR, &kind, &flag);
    CALL(MPI_Win_set_errhandler, win, MPI_ERRORS_RETURN);
    CALL(MPI_Win_get_errhandler, win, &handler);
    MIX((int)size, disp, length, flag && *kind == MPI_WIN_FLAVOR_SHARED);
    calls_mix(handler == MPI_ERRORS_RETURN);
    CALL(MPI_Win_free, &win);
}

void calls_one_sided(void)
{
    MPI_Win win;
    int *memory;
    CALL(MPI_Win_allocate, ROOM * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memset(memory, 0, ROOM * sizeof *memory);
    CALL(MPI_Barrier, MPI_COMM_WORLD);
    fences(win, memory);
    locks(win, memory);
    handshakes(win, memory);
    CALL(MPI_Win_free, &win);
    windows();
    calls_section("one-sided");
}
