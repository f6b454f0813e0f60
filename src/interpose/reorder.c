/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/reorder.h"
#include "interpose/unwrapped_symbols.h"
#include "runtime/base/environment.h"
#include "runtime/base/presence.h"
#include "runtime/reorder/reorder.h"
#include "util/assert.h"
#include <fenv.h>

/* The process. */
static struct {
    int reorders; /* topology functions may reorder */
} self;

/* MPICH's mpif.h and `use mpi` call the C function, whose wrapper does the work. */
#ifdef MPICH_VERSION
enum { MPIFH_CALLS_C = 1 };
#else
enum { MPIFH_CALLS_C = 0 };
#endif

/* A call that bypasses the wrappers would go to the wrong ranks. Collective. */
static int all_calls_are_wrapped(void)
{
    const char *unwrapped = hs__unwrapped_call();
    int rank, found = unwrapped != NULL, anywhere = 1;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Allreduce(&found, &anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    if (rank == 0 && anywhere)
        hs__environment_log(HS__LOG_WARN,
                            "HS_REORDER=world: the program calls %s, which is not wrapped: HS_REORDER=topology is used",
                            found ? unwrapped : "a function of MPI on another rank");
    return !anywhere;
}

/* Whether hs__world.comm has the processes of MPI_COMM_WORLD in some order, and rank 0 where it was. */
static int world_is_in_order(void)
{
    int compared = MPI_UNEQUAL, rank, ordered;
    PMPI_Comm_compare(MPI_COMM_WORLD, hs__world.comm, &compared);
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    PMPI_Comm_rank(hs__world.comm, &ordered);
    return (compared != MPI_UNEQUAL) && (rank == 0) == (ordered == 0);
}

void hs__reorder_begin(int may_change_world)
{
    const hs__presence *known = hs__presence_known();
    int mode = hs__environment()->reorder, rank;
    if (mode == HS__REORDER_WORLD && !may_change_world) {
        PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
        if (rank == 0)
            hs__environment_log(HS__LOG_WARN,
                                "HS_REORDER=world needs the library preloaded: HS_REORDER=topology is used");
    } else if (mode == HS__REORDER_WORLD && known->preloaded && all_calls_are_wrapped()) {
        hs__reorder_world();
    }
    HS_ASSERT(hs__world.comm == MPI_COMM_WORLD || (known->preloaded && world_is_in_order()));
    /* Ranks that did not share their settings agree in the call itself. */
    self.reorders = known->preloaded ? mode != HS__REORDER_OFF || hs__reorder_advises() : known->everywhere;
}

void hs__reorder_end(void)
{
    self.reorders = 0;
    hs__reorder_stop();
}

/* Fortran's integers for these are the same, or in MPICH greater by one. MPI_HOST is deprecated, and programs may ask for it. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
static int is_of_the_system(int keyval)
{
    static const int keys[] = {MPI_TAG_UB, MPI_HOST,          MPI_IO,          MPI_WTIME_IS_GLOBAL,
                               MPI_APPNUM, MPI_UNIVERSE_SIZE, MPI_LASTUSEDCODE};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (keyval == keys[i] || keyval == keys[i] + 1)
            return 1;
    return 0;
}
#pragma GCC diagnostic pop

MPI_Comm hs__world_with_key(MPI_Comm comm, int keyval)
{
    if (hs__world.comm == MPI_COMM_WORLD || comm == MPI_COMM_NULL)
        return comm;
    if (!is_of_the_system(keyval))
        return hs__world_of(comm);
    return hs__world_is_source(comm) ? MPI_COMM_WORLD : comm;
}

void *hs__fortran_world_with_key(void *comm, const void *keyval)
{
    if (hs__world.comm == MPI_COMM_WORLD)
        return comm;
    if (!is_of_the_system(*(const MPI_Fint *)keyval))
        return hs__fortran_world_of(comm);
    HS_ASSERT(hs__world.given != hs__world.taken);
    MPI_Comm asked = PMPI_Comm_f2c(*(const MPI_Fint *)comm);
    return asked != MPI_COMM_NULL && hs__world_is_source(asked) ? &hs__world.given : comm;
}

void hs__world_errhandler(MPI_Comm comm, MPI_Errhandler handler)
{
    if (comm == MPI_COMM_WORLD && hs__world.comm != MPI_COMM_WORLD)
        PMPI_Comm_set_errhandler(comm, handler);
}

void hs__fortran_world_errhandler(const void *comm, const void *handler)
{
    if (*(const MPI_Fint *)comm == hs__world.given)
        PMPI_Comm_set_errhandler(MPI_COMM_WORLD, PMPI_Errhandler_f2c(*(const MPI_Fint *)handler));
}

void hs__reorder_made(int reorder, MPI_Comm *comm)
{
    fenv_t program;
    if (!self.reorders || !reorder || !hs__presence_covers(*comm))
        return;
    feholdexcept(&program);
    hs__reorder_topology(comm);
    fesetenv(&program);
}

void hs__fortran_reorder_made(int calls_c, const void *reorder, void *comm)
{
    if (!self.reorders || !*(const MPI_Fint *)reorder || (calls_c && MPIFH_CALLS_C))
        return;
    MPI_Comm made = PMPI_Comm_f2c(*(MPI_Fint *)comm);
    hs__reorder_made(1, &made);
    *(MPI_Fint *)comm = PMPI_Comm_c2f(made);
}
