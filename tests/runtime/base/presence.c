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

/* One rank needs nobody to know that it is all, also where no launcher says anything. */
static void one_rank_is_all(void)
{
    for (int preloaded = 0; preloaded < 2; preloaded++) {
        hs__presence_find(preloaded);
        const hs__presence *known = hs__presence_known();
        REQUIRE(known->everywhere && known->alike && known->preloaded == preloaded && known->ranks == 1);
        REQUIRE(hs__presence_in_job_of(1));
    }
}

/* Communicators of ranks that are all known to have the library. */
static void covers(MPI_Comm children)
{
    int right = world_rank() >= world_size() / 2;
    MPI_Comm half, both;
    hs__presence_announce(1);
    MPI_Barrier(MPI_COMM_WORLD);
    REQUIRE(!hs__presence_covers(MPI_COMM_SELF));
    hs__presence_find(1);
    REQUIRE(hs__presence_covers(MPI_COMM_SELF) && !hs__presence_covers(MPI_COMM_NULL));
    MPI_Comm_split(MPI_COMM_WORLD, right, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, right ? 0 : world_size() / 2, 5, &both);
    REQUIRE(hs__presence_covers(half) && hs__presence_covers(both));
    REQUIRE(!hs__presence_covers(children));
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Barrier(MPI_COMM_WORLD);
    hs__presence_end();
}

/* A world of its own. */
static MPI_Comm spawn(void)
{
    MPI_Comm children = MPI_COMM_NULL;
#if defined OMPI_MAJOR_VERSION && OMPI_MAJOR_VERSION < 5
    char self[512] = "", *arguments[] = {"spawned", NULL};
    REQUIRE(readlink("/proc/self/exe", self, sizeof self - 1) > 0);
    if (world_size() <= 3)
        MPI_Comm_spawn(self, arguments, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &children, MPI_ERRCODES_IGNORE);
#endif
    return children;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc > 1) { /* spawned */
        MPI_Finalize();
        return 0;
    }
    if (world_size() == 1)
        one_rank_is_all();
    else
        covers(spawn());
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
