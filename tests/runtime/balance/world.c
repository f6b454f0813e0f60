/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's MPI_COMM_WORLD has another order than MPI's, as under HS_REORDER=world: what is logged, and noted for the report,
 * names ranks as the program counts them. */
#include "plan/decision/trace.h"
#include "runtime/balance/tell.h"
#include "runtime/base/world_handle.h"
#include "runtime/watch/drifts.h"
#include "tests/mpi.h"

enum { MOST_RANKS = 64 };

/* All but rank 0 the other way round: the program's rank of MPI's, or MPI's of the program's. */
static int other_rank(int rank)
{
    return rank == 0 ? 0 : world_size() - rank;
}

static MPI_Comm replace_world(void)
{
    MPI_Comm ordered;
    MPI_Comm_split(MPI_COMM_WORLD, 0, other_rank(world_rank()), &ordered);
    hs__world_replace(ordered);
    return ordered;
}

/* The line of the layout in the log of the first rank of the ring. place[r]: the program's rank there. */
static void check_log(const char *folder, int mine, const int *place)
{
    char path[64], host[16];
    hs__traces traces;
    snprintf(path, sizeof path, mine == 0 ? "%s/log" : "%s/log.%d", folder, mine);
    FILE *file = fopen(path, "r");
    REQUIRE(file && hs__traces_read(file, &traces, NULL) == HS_OK && traces.count == 1);
    const hs__trace_site *site = &traces.trace[0].site;
    REQUIRE(site->host != NULL);
    for (int r = 0; r < world_size(); r++) {
        snprintf(host, sizeof host, "h%d", other_rank(place[r]));
        REQUIRE(traces.trace[0].world[r] == place[r]);
        REQUIRE(strcmp(site->host[r], host) == 0 && site->speed[r] == 1e9);
    }
    hs__traces_free(&traces);
    fclose(file);
    unlink(path);
}

static void check_notes(const hs_context *context, const int *place)
{
    hs__drift_note notes[HS__MAX_DRIFTS];
    for (int r = 0; r < world_size(); r++)
        hs__tell_drift(context, &(hs__drift){HS__DRIFT_HOST, r, 1, 2, 10}, 100);
    REQUIRE(hs__drifts_noted(notes) == (context->rank == 0 ? world_size() : 0));
    for (int r = 0; r < world_size() && context->rank == 0; r++)
        REQUIRE(notes[r].world == place[r] && notes[r].iteration == 90);
}

int main(int argc, char **argv)
{
    hs_context *context;
    hs_layout *layout;
    char folder[] = "/tmp/hs-world-XXXXXX", path[32]; /* a rank has its own */
    int mine, place[MOST_RANKS];
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/log", folder);
    REQUIRE(setenv("HS_LOG_DECISIONS", path, 1) == 0);
    MPI_Init(&argc, &argv);
    hs_params params = fake_hosts(HS_BALANCE_ON);
    MPI_Comm_rank(replace_world(), &mine);
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    forget_hosts(&params);
    MPI_Allgather(&mine, 1, MPI_INT, place, 1, MPI_INT, hs_comm(context));
    REQUIRE(hs_layout_create(context, 100, 0, HS_FIXED, &layout) == HS_OK);
    check_notes(context, place);
    REQUIRE(hs_finalize(&context) == HS_OK);
    MPI_Barrier(MPI_COMM_WORLD);
    if (place[0] == mine && world_size() > 1)
        check_log(folder, mine, place);
    MPI_Finalize();
    return rmdir(folder) != 0;
}
