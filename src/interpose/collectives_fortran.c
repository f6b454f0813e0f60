/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran's reductions and broadcasts take the same entry points as C's. Open MPI's Fortran libraries call PMPI_
 * functions, so the Fortran call itself is replaced: handles are translated, and so are the addresses of MPI_IN_PLACE
 * and MPI_BOTTOM. MPICH's Fortran libraries call the MPI_ functions of C, which are wrapped. */
#include "interpose/collectives.h"
#include "runtime/collectives/collectives.h"
#include <dlfcn.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

#if defined OPEN_MPI && OMPI_MAJOR_VERSION < 6
#define REPLACES

/* Variables of Open MPI whose addresses are Fortran's MPI_IN_PLACE and MPI_BOTTOM. */
static struct {
    const void *in_place, *bottom;
} self;

static const void *find_variable(const char *name)
{
    static const char *const pattern[] = {"mpi_fortran_%s_", "mpi_fortran_%s", "mpi_fortran_%s__"};
    for (int n = 0; n < 3; n++) {
        char symbol[64];
        snprintf(symbol, sizeof symbol, pattern[n], name);
        const void *found = dlsym(RTLD_DEFAULT, symbol);
        if (found)
            return found;
    }
    return NULL;
}

static void *c_buffer(void *buffer)
{
    return buffer == self.in_place ? MPI_IN_PLACE : buffer == self.bottom ? MPI_BOTTOM : buffer;
}

static void set_code(MPI_Fint *code, int value)
{
    if (code) /* may be absent in calls of mpi_f08 */
        *code = (MPI_Fint)value;
}

static void fortran_reduce(void *from, void *to, const MPI_Fint *count, const MPI_Fint *type, const MPI_Fint *op,
                           const MPI_Fint *root, const MPI_Fint *comm, MPI_Fint *code)
{
    set_code(code, hs__collective_reduce(c_buffer(from), c_buffer(to), (int)*count, PMPI_Type_f2c(*type),
                                         PMPI_Op_f2c(*op), (int)*root, PMPI_Comm_f2c(*comm)));
}

static void fortran_allreduce(void *from, void *to, const MPI_Fint *count, const MPI_Fint *type, const MPI_Fint *op,
                              const MPI_Fint *comm, MPI_Fint *code)
{
    set_code(code, hs__collective_allreduce(c_buffer(from), c_buffer(to), (int)*count, PMPI_Type_f2c(*type),
                                            PMPI_Op_f2c(*op), PMPI_Comm_f2c(*comm)));
}

static void fortran_bcast(void *buffer, const MPI_Fint *count, const MPI_Fint *type, const MPI_Fint *root,
                          const MPI_Fint *comm, MPI_Fint *code)
{
    set_code(code, hs__collective_bcast(c_buffer(buffer), (int)*count, PMPI_Type_f2c(*type), (int)*root,
                                        PMPI_Comm_f2c(*comm)));
}

#endif

/* Set the function that replaces the call; leave it alone when the call belongs to the library. MPICH's Fortran functions
 * call C's, and later versions of Open MPI may pass descriptors of arrays instead of addresses: their calls are not
 * replaced. */
static void replace(int which, hs__function *function)
{
#ifdef REPLACES
    static const hs__function replacement[] = {(hs__function)fortran_reduce, (hs__function)fortran_allreduce,
                                               (hs__function)fortran_bcast};
    if (!self.in_place) {
        self.in_place = find_variable("in_place");
        self.bottom = find_variable("bottom");
    }
    if (self.in_place && self.bottom)
        *function = replacement[which];
#endif
}

void hs__collectives_fortran(const char *stem, hs__function *function)
{
    static const char *const stems[] = {"reduce", "allreduce", "bcast"};
    for (int which = 0; which < 3; which++)
        if (strcmp(stem, stems[which]) == 0)
            replace(which, function);
}
