/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks learn by PMIx what others have told before MPI_Init, and which have told nothing; a rank that tells nothing
 * learns nothing. Asking adds nothing where all are on one host. */
#include "launch/pmix.h"
#include "launch/rank.h"
#include "tests/mpi.h"

enum { SILENT = 1, FIRST = 1000, SKIPPED = 77 };

static int commits;

/* As in src/interpose/commit.c. */
__attribute__((visibility("default"))) int PMIx_Put(unsigned char scope, const char *key, void *value);
__attribute__((visibility("default"))) int PMIx_Commit(void);

int PMIx_Put(unsigned char scope, const char *key, void *value)
{
    return hs__pmix_put(scope, key, value);
}

int PMIx_Commit(void)
{
    commits++;
    return hs__pmix_commit();
}

static void find_all(void)
{
    uint64_t number;
    for (int r = 0; r < world_size(); r++) {
        int known = hs__pmix_told(r, &number);
        REQUIRE(known == (r != SILENT && world_rank() != SILENT));
        REQUIRE(!known || number == (uint64_t)(FIRST + r));
    }
    REQUIRE(!hs__pmix_told(world_size(), &number));
}

int main(int argc, char **argv)
{
    int rank = hs__launch_this_rank().rank;
    if (rank != SILENT)
        hs__pmix_tell((uint64_t)(FIRST + rank));
    MPI_Init(&argc, &argv);
    if (commits) {
        find_all();
        hs__pmix_ask(world_size());
        find_all();
    } else if (rank == 0)
        puts("skipped: this MPI library does not use PMIx");
    MPI_Finalize();
    return commits ? 0 : SKIPPED;
}
