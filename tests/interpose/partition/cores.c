/* SPDX-License-Identifier: BSD-3-Clause */
/* Cuts a path once, on hosts whose ranks have unequal cores by what the library reads of the kernel. Compiled by cores.sh.
 *
 *     cores quota|capacity|none
 *
 * Ranks 0, 1 and 2 have twice the quota or the capacity of the others; prints "WORD: sizes" on rank 0. */
#include "tests/interpose/partition/repartition.h"
#include <dlfcn.h>
#include <mntent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *way;

static int rank_by_launcher(void)
{
    const char *ompi = getenv("OMPI_COMM_WORLD_RANK"), *pmi = getenv("PMI_RANK");
    return ompi ? atoi(ompi) : pmi ? atoi(pmi) : 0;
}

static int is_library(const void *address)
{
    Dl_info caller;
    return dladdr(address, &caller) && strstr(caller.dli_fname, "heteroslice-preload");
}

static FILE *say(const char *format, int number)
{
    static char text[64];
    snprintf(text, sizeof text, format, number);
    return fmemopen(text, strlen(text), "r");
}

/* ---- What the library that is preloaded finds before the functions of the C library ---- */

FILE *setmntent(const char *path, const char *mode)
{
    FILE *(*real)(const char *, const char *) = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "setmntent");
    return is_library(__builtin_return_address(0)) ? say("cgroup2 /groups cgroup2 rw %d 0\n", 0) : real(path, mode);
}

FILE *fopen(const char *path, const char *mode)
{
    FILE *(*real)(const char *, const char *) = (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
    int rank = rank_by_launcher(), favoured = rank < 3;
    if (!way || !is_library(__builtin_return_address(0)))
        return real(path, mode);
    if (strstr(path, "cpu_capacity"))
        return strcmp(way, "capacity") == 0 ? say("%d\n", favoured ? 1024 : 512) : NULL;
    if (strcmp(path, "/proc/self/cgroup") == 0)
        return say("0::/rank%d\n", rank);
    if (strncmp(path, "/groups/rank", 12) == 0 && strstr(path, "cpu.max"))
        return strcmp(way, "quota") == 0 ? say("%d 100000\n", favoured ? 50000 : 25000) : NULL;
    return real(path, mode);
}

int main(int argc, char **argv)
{
    int rank, ranks, dist[MOST_RANKS + 1], size[MOST_RANKS] = {0};
    way = argc > 1 ? argv[1] : "none";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int r = 0; r <= ranks; r++)
        dist[r] = VERTICES * r / ranks;
    repartition(MPI_COMM_WORLD, rank, ranks, dist, size);
    MPI_Allreduce(MPI_IN_PLACE, size, ranks, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0) {
        printf("%s:", way);
        for (int r = 0; r < ranks; r++)
            printf(" %d", size[r]);
        printf("\n");
    }
    MPI_Finalize();
    return 0;
}
