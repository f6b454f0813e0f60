/* SPDX-License-Identifier: BSD-3-Clause */
/* Another preloaded tool: counts MPI_Barrier and MPI_Pcontrol and hands on to the next in the order of the dynamic
 * linker. Tells at the end what it saw, and whether it saw MPI_Init. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>

static int barriers, inits, pcontrols;

int MPI_Init(int *argc, char ***argv)
{
    int (*next)(int *, char ***);
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Init");
    inits++;
    return next(argc, argv);
}

int MPI_Barrier(MPI_Comm comm)
{
    int (*next)(MPI_Comm);
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Barrier");
    barriers++;
    return next(comm);
}

int MPI_Pcontrol(const int level, ...)
{
    int (*next)(const int, ...);
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Pcontrol");
    pcontrols++;
    return next(level);
}

int MPI_Finalize(void)
{
    int (*next)(void), rank;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    fprintf(stderr, "tool: rank %d: %d inits, %d barriers, %d pcontrols\n", rank, inits, barriers, pcontrols);
    *(void **)&next = dlsym(RTLD_NEXT, "MPI_Finalize");
    return next();
}
