/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_COLLECTIVES_H
#define HS_TESTS_COLLECTIVES_H

/* The MPI library's calls, counted, and a platform of unequal hosts, for tests of our reductions and broadcasts. */

#include "runtime/base/environment.h"
#include "runtime/base/presence.h"
#include "runtime/collectives/collectives.h"
#include "tests/mpi.h"

static int passed;       /* calls that came to the library */
static int does_nothing; /* that is all that the library does */

static inline int library_reduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, int root,
                                 MPI_Comm comm)
{
    passed++;
    return does_nothing ? MPI_SUCCESS : PMPI_Reduce(from, to, n, type, op, root, comm);
}

static inline int library_allreduce(const void *from, void *to, int n, MPI_Datatype type, MPI_Op op, MPI_Comm comm)
{
    passed++;
    return does_nothing ? MPI_SUCCESS : PMPI_Allreduce(from, to, n, type, op, comm);
}

static inline int library_bcast(void *buffer, int n, MPI_Datatype type, int root, MPI_Comm comm)
{
    passed++;
    return does_nothing ? MPI_SUCCESS : PMPI_Bcast(buffer, n, type, root, comm);
}

static const hs__collective_calls library = {library_reduce, library_allreduce, library_bcast};

/* Hosts h0, h1, ...: fast, slow, fast, ...; rank 0 writes the file, every rank gets its name. */
static inline void write_platform(char *path)
{
    strcpy(path, "/tmp/hs-collectives-XXXXXX");
    if (world_rank() == 0) {
        int descriptor = mkstemp(path);
        FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
        REQUIRE(file != NULL);
        fprintf(file, "<?xml version='1.0'?>\n<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Floyd\">\n");
        for (int h = 0; h < world_size(); h++)
            fprintf(file, "<host id=\"h%d\" speed=\"1Gf\"/>\n", h);
        fprintf(file, "<router id=\"s\"/>\n");
        for (int h = 0; h < world_size(); h++)
            fprintf(file, "<link id=\"l%d\" bandwidth=\"%dMBps\" latency=\"20us\" sharing_policy=\"SPLITDUPLEX\"/>\n",
                    h, h % 2 ? 12 : 125);
        for (int h = 0; h < world_size(); h++)
            fprintf(file, "<route src=\"h%d\" dst=\"s\"><link_ctn id=\"l%d\" direction=\"UP\"/></route>\n", h, h);
        fprintf(file, "</zone>\n</platform>\n");
        fclose(file);
    }
    MPI_Bcast(path, 64, MPI_CHAR, 0, MPI_COMM_WORLD);
}

static inline void start(const char *path, int per_host, hs__collectives_mode mode)
{
    hs__options options = *hs__environment();
    options.collectives = mode;
    strcpy(options.platform, path);
    hs__environment_adopt(&options);
    snprintf(options.lab_host, sizeof options.lab_host, "h%d", world_rank() / per_host);
    REQUIRE(hs__collectives_start(&options, &library) == (mode != HS__COLLECTIVES_OFF));
}

#endif
