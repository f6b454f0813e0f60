/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that make grids at the same time, on communicators of their own: the one that comes while another reads the platform
 * has its ranks put in order, too. */
#include "tests/mpi.h"

#include "runtime/reorder/reorder.h"
#include <heteroslice/hs_platform.h>
#include <pthread.h>
#include <stdatomic.h>

enum { RANKS = 4, SKIPPED = 77 };

hs_status __real_hs_platform_read(const char *path, hs_platform **platform, hs_error *error);
hs_status __wrap_hs_platform_read(const char *path, hs_platform **platform, hs_error *error);

static _Atomic int is_reading, second_has_ended;

/* Takes until the second thread's call has ended, or a second, since that may wait for this. */
hs_status __wrap_hs_platform_read(const char *path, hs_platform **platform, hs_error *error)
{
    is_reading = 1;
    for (int k = 0; k < 100 && !second_has_ended; k++)
        usleep(10000);
    return __real_hs_platform_read(path, platform, error);
}

static MPI_Comm make_ring(MPI_Comm comm)
{
    const int extent = RANKS, periodic = 1;
    MPI_Comm ring;
    MPI_Cart_create(comm, 1, &extent, &periodic, 1, &ring);
    return ring;
}

/* A ring of ranks that are on two hosts by turns: its ranks are in another order afterwards. */
static void reorder_ring(MPI_Comm comm)
{
    int compared = MPI_UNEQUAL;
    MPI_Comm ring = make_ring(comm);
    hs__reorder_topology(&ring);
    MPI_Comm_compare(comm, ring, &compared);
    REQUIRE(compared == MPI_SIMILAR);
    MPI_Comm_free(&ring);
}

static void *first(void *comm)
{
    reorder_ring(*(MPI_Comm *)comm);
    return NULL;
}

static void *second(void *comm)
{
    while (world_rank() == 0 && !is_reading)
        usleep(1000);
    reorder_ring(*(MPI_Comm *)comm);
    second_has_ended = 1;
    return NULL;
}

static void write_platform(char *path)
{
    FILE *file = fopen(path, "w");
    REQUIRE(file != NULL);
    fputs("<?xml version='1.0'?>\n<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Full\">\n"
          "<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>\n"
          "<link id=\"l\" bandwidth=\"12MBps\" latency=\"20us\"/>\n"
          "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>\n</zone>\n</platform>\n",
          file);
    REQUIRE(fclose(file) == 0);
}

int main(int argc, char **argv)
{
    int level;
    char path[64];
    pthread_t thread[2];
    MPI_Comm comm[2];
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level != MPI_THREAD_MULTIPLE || world_size() != RANKS) {
        MPI_Finalize();
        return SKIPPED;
    }
    snprintf(path, sizeof path, "/tmp/hs-reorder-%ld.xml", (long)getpid());
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    setenv("HS_PLATFORM", path, 1);
    setenv("HS_LAB_HOST", world_rank() % 2 ? "b" : "a", 1);
    setenv("HS_REORDER", "topology", 1);
    if (world_rank() == 0)
        write_platform(path);
    MPI_Comm none = make_ring(MPI_COMM_WORLD); /* Open MPI crashes where two threads make the first one of a process */
    MPI_Comm_free(&none);
    for (int t = 0; t < 2; t++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[t]);
        REQUIRE(pthread_create(&thread[t], NULL, t == 0 ? first : second, &comm[t]) == 0);
    }
    for (int t = 0; t < 2; t++) {
        REQUIRE(pthread_join(thread[t], NULL) == 0);
        MPI_Comm_free(&comm[t]);
    }
    hs__reorder_stop();
    if (world_rank() == 0)
        unlink(path);
    MPI_Finalize();
    return 0;
}
