/* SPDX-License-Identifier: BSD-3-Clause */
/* Memory that runs out on one rank, or a folder that is gone in the end: no rank waits for another, and there is either a whole
 * timeline or none, with one line that says why. */
#include "tests/fail_in_turn.h"

#include "runtime/base/environment.h"
#include "runtime/base/ticks.h"
#include "runtime/tracing/tracing.h"
#include "timeline/events.h"
#include "timeline/write.h"
#include <dirent.h>

static char folder[] = "/tmp/hs-trace-XXXXXX";

/* The folder's files; they are removed. Rank 0. */
static int remove_files(void)
{
    int n = 0;
    DIR *directory = opendir(folder);
    REQUIRE(directory != NULL);
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.')
            continue;
        REQUIRE(unlinkat(dirfd(directory), entry->d_name, 0) == 0);
        n++;
    }
    closedir(directory);
    return n;
}

static const char *name_of(int number)
{
    return "MPI_Send";
}

/* One timeline with an event of each rank, while an allocation of one rank fails. @return whether ranks recorded; all or none */
static int record(int victim, int allocation)
{
    countdown = world_rank() == victim ? allocation : -1;
    hs__array_fails = fails;
    hs__tracing_start(MPI_COMM_WORLD, name_of);
    int recorded = hs__events_self.event != NULL;
    REQUIRE(same_everywhere(recorded));
    int64_t now = hs__ticks();
    hs__events_call(1, 10, now);
    hs__tracing_stop();
    hs__array_fails = NULL;
    REQUIRE(!hs__events_self.event);
    return recorded;
}

static void out_of_memory(int victim)
{
    for (int allocation = 0, fired = 1; fired; allocation++) {
        record(victim, allocation);
        fired = countdown < 0;
        MPI_Bcast(&fired, 1, MPI_INT, victim, MPI_COMM_WORLD);
        if (world_rank() == 0)
            REQUIRE(remove_files() == !fired);
    }
}

/* Rank 0 has no folder in the end: nothing is left, and the next timeline is whole. */
static void folder_gone(void)
{
    hs__tracing_start(MPI_COMM_WORLD, name_of);
    REQUIRE(hs__events_self.event != NULL);
    if (world_rank() == 0)
        REQUIRE(rmdir(folder) == 0);
    hs__tracing_stop();
    REQUIRE(record(-1, 0));
    if (world_rank() == 0)
        REQUIRE(remove_files() == 1);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    hs__ticks_start();
    if (world_rank() == 0)
        REQUIRE(mkdtemp(folder) != NULL);
    MPI_Bcast(folder, sizeof folder, MPI_CHAR, 0, MPI_COMM_WORLD);
    setenv("HS_TRACE", folder, 1);
    if (hs__timeline_can_write()) {
        out_of_memory(0);
        out_of_memory(world_size() - 1);
        folder_gone();
    } else
        REQUIRE(!record(-1, 0));
    if (world_rank() == 0)
        REQUIRE(rmdir(folder) == 0);
    MPI_Finalize();
    return 0;
}
