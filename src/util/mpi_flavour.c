/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/mpi_flavour.h"
#include "util/path.h"
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static const struct {
    const char *name;
    hs__mpi_flavour flavour;
} names[] = {{"openmpi", HS__MPI_OPENMPI}, {"mpich", HS__MPI_MPICH}, {"mpiabi", HS__MPI_ABI}};

enum { NAMES = sizeof names / sizeof *names, MPICH_ABI = 12 };

hs__mpi_flavour hs__mpi_of_name(const char *name)
{
    for (size_t i = 0; i < NAMES; i++)
        if (strcmp(name, names[i].name) == 0)
            return names[i].flavour;
    return HS__MPI_NONE;
}

const char *hs__mpi_name(hs__mpi_flavour flavour)
{
    for (size_t i = 0; i < NAMES; i++)
        if (flavour == names[i].flavour)
            return names[i].name;
    return NULL;
}

/* Version 12 of libmpi is MPICH's; Open MPI's are 20, 40, ... Debian's libraries of the ABI are libmpi_abi_mpich.so.1.0.0 and
 * libmpi_abi_openmpi.so.1.0.0. */
hs__mpi_flavour hs__mpi_of_library(const char *path)
{
    static const char libmpi[] = "libmpi.so.";
    const char *name = hs__path_name(path);
    if (strncmp(name, "libmpi_abi.", sizeof "libmpi_abi." - 1) == 0 ||
        strncmp(name, "libmpi_abi_", sizeof "libmpi_abi_" - 1) == 0)
        return HS__MPI_ABI;
    if (strncmp(name, "libmpich.so", sizeof "libmpich.so" - 1) == 0 ||
        strncmp(name, "libmpi_cray.so", sizeof "libmpi_cray.so" - 1) == 0)
        return HS__MPI_MPICH;
    if (strncmp(name, libmpi, sizeof libmpi - 1) != 0)
        return HS__MPI_NONE;
    return atoi(name + sizeof libmpi - 1) == MPICH_ABI ? HS__MPI_MPICH : HS__MPI_OPENMPI;
}
