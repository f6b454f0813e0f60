/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that the ranks of a node have in common: what one writes the others read, and neither a descriptor nor a file stays, also
 * where there is no room for so much. */
#include "runtime/base/node_memory.h"
#include "tests/mpi.h"
#include <glob.h>

static int entries(const char *pattern)
{
    glob_t found;
    int n = glob(pattern, 0, NULL, &found) == 0 ? (int)found.gl_pathc : 0;
    globfree(&found);
    return n;
}

static void share(size_t bytes)
{
    void *base = NULL;
    REQUIRE(hs__node_memory_get(MPI_COMM_WORLD, bytes, &base) == HS_OK);
    int *number = base;
    number[world_rank()] = 100 + world_rank();
    MPI_Barrier(MPI_COMM_WORLD);
    for (int r = 0; r < world_size(); r++)
        REQUIRE(number[r] == 100 + r);
    hs__node_memory_free(base, bytes);
}

static void ask_for_too_much(void)
{
    void *base = NULL;
    REQUIRE(hs__node_memory_get(MPI_COMM_WORLD, (size_t)1 << 60, &base) == HS_ERR_NOMEM && base == NULL);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    size_t bytes = (size_t)world_size() * sizeof(int);
    share(bytes); /* MPI opens what it needs */
    int descriptors = entries("/proc/self/fd/*");
    for (int k = 0; k < 3; k++) {
        share(bytes);
        ask_for_too_much();
    }
    REQUIRE(entries("/proc/self/fd/*") == descriptors);
    MPI_Finalize();
    return 0;
}
