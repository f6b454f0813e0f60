/* SPDX-License-Identifier: BSD-3-Clause */
/* What ranks of one job know of each other before any message: who has the library, how, and with the same settings. */
#include "runtime/base/presence.h"
#include "runtime/base/environment.h"
#include "tests/mpi.h"
#include <dirent.h>

/* Of a rank. */
typedef enum way { ABSENT, LINKED, PRELOADED, OTHERWISE /* preloaded, with another setting */ } way;

static int open_files(void)
{
    int count = 0;
    DIR *folder = opendir("/proc/self/fd");
    REQUIRE(folder != NULL);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

static void announce(way own)
{
    const hs__options before = *hs__environment();
    hs__options options = before;
    options.balance += own == OTHERWISE;
    hs__environment_adopt(&options);
    if (own != ABSENT)
        hs__presence_announce(own != LINKED);
    hs__environment_adopt(&before);
}

/* The first rank, the last one and those between them came so; of one rank alone only the first. */
static void find(way first, way between, way last)
{
    int size = world_size(), rank = world_rank(), files = open_files();
    int there = 0, preloaded = 0, others = 0, lowest = size;
    const way own = rank == 0 ? first : rank == size - 1 ? last : between;
    for (int r = 0; r < size; r++) {
        way how = r == 0 ? first : r == size - 1 ? last : between;
        there += how != ABSENT;
        preloaded += how >= PRELOADED;
        others += how != own;
        lowest = how >= PRELOADED && r < lowest ? r : lowest;
    }
    announce(own);
    MPI_Barrier(MPI_COMM_WORLD);
    hs__presence_find(own >= PRELOADED);
    const hs__presence *known = hs__presence_known();
    if (own != ABSENT) { /* nothing is known where the library is not */
        REQUIRE(known->everywhere == (there == size));
        REQUIRE(known->preloaded == (preloaded == size));
        REQUIRE(known->alike == (others == 0));
        REQUIRE(known->ranks == there);
        REQUIRE(known->first == (lowest >= rank));
        REQUIRE(hs__presence_covers(MPI_COMM_WORLD) == (there == size));
        REQUIRE(own < PRELOADED || hs__presence_in_job_of(size) == (preloaded == size));
        REQUIRE(!hs__presence_in_job_of(size + 1));
    }
    MPI_Barrier(MPI_COMM_WORLD);
    hs__presence_end();
    REQUIRE(open_files() == files);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    find(PRELOADED, PRELOADED, PRELOADED);
    find(LINKED, LINKED, LINKED);
    find(LINKED, PRELOADED, PRELOADED);
    find(PRELOADED, PRELOADED, LINKED);
    if (world_size() > 1) {
        find(PRELOADED, PRELOADED, OTHERWISE);
        find(PRELOADED, PRELOADED, ABSENT);
        find(ABSENT, PRELOADED, PRELOADED);
    }
    MPI_Finalize();
    return 0;
}
