/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls.h"
#include <setjmp.h>

/* Attributes, error handlers that return, call MPI, or never come back. */

static int copies, deletes;

static int copy(MPI_Comm comm, int key, void *state, void *value, void *copied, int *flag)
{
    int size;
    MPI_Comm_size(comm, &size);
    copies += size;
    *(void **)copied = value;
    *flag = 1;
    return MPI_SUCCESS;
}

static int drop(MPI_Comm comm, int key, void *value, void *state)
{
    deletes++;
    return MPI_SUCCESS;
}

static void attributes(void)
{
    int key, flag, value = 5, *limit, *got = NULL;
    MPI_Comm comm, twin;
    CALL(MPI_Comm_get_attr, MPI_COMM_WORLD, MPI_TAG_UB, &limit, &flag);
    calls_mix(flag && *limit >= 32767);
    MPI_Comm_create_keyval(copy, drop, &key, NULL);
    CALL(MPI_Comm_dup, MPI_COMM_WORLD, &comm);
    CALL(MPI_Comm_set_attr, comm, key, &value);
    CALL(MPI_Comm_dup, comm, &twin);
    CALL(MPI_Comm_get_attr, twin, key, &got, &flag);
    calls_mix(flag && got == &value);
    CALL(MPI_Comm_delete_attr, twin, key);
    CALL(MPI_Comm_get_attr, twin, key, &got, &flag);
    calls_mix(flag);
    CALL(MPI_Comm_free, &twin);
    CALL(MPI_Comm_free, &comm);
    MPI_Comm_free_keyval(&key);
    calls_mix(copies);
    calls_mix(deletes);
}

static int handled;
static jmp_buf back;

static void note(MPI_Comm *comm, int *code, ...)
{
    int rank;
    MPI_Comm_rank(*comm, &rank);
    handled += 1 + rank;
}

static void jump(MPI_Comm *comm, int *code, ...)
{
    handled += 1000;
    longjmp(back, 1);
}

static void errors(void)
{
    MPI_Errhandler noting, jumping, before;
    MPI_Comm comm;
    int value = 0;
    CALL(MPI_Comm_dup, MPI_COMM_WORLD, &comm);
    CALL(MPI_Comm_get_errhandler, comm, &before);
    calls_mix(before == MPI_ERRORS_ARE_FATAL);
    CALL(MPI_Comm_set_errhandler, comm, MPI_ERRORS_RETURN);
    CALL(MPI_Send, &value, 1, MPI_INT, calls_size, 0, comm);
    CALL(MPI_Bcast, &value, -1, MPI_INT, 0, comm);
    MPI_Comm_create_errhandler(note, &noting);
    CALL(MPI_Comm_set_errhandler, comm, noting);
    CALL(MPI_Send, &value, 1, MPI_INT, calls_size, 0, comm);
    CALL(MPI_Comm_call_errhandler, comm, MPI_ERR_OTHER);
    MPI_Comm_create_errhandler(jump, &jumping);
    CALL(MPI_Comm_set_errhandler, comm, jumping);
    for (volatile int k = 0; k < 3; k++)
        if (setjmp(back) == 0)
            CALL(MPI_Send, &value, 1, MPI_INT, calls_size, 0, comm);
    CALL(MPI_Comm_set_errhandler, comm, MPI_ERRORS_RETURN);
    CALL(MPI_Send, &value, 1, MPI_INT, calls_size, 0, comm);
    MPI_Errhandler_free(&noting);
    MPI_Errhandler_free(&jumping);
    CALL(MPI_Comm_free, &comm);
    calls_mix(handled);
}

void calls_handlers(void)
{
    attributes();
    errors();
    calls_section("handlers");
}
