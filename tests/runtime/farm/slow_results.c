/* SPDX-License-Identifier: BSD-3-Clause */
/* Results that come slowly, but come: a rank that returns them is not silent, however long all of them take. */
#include "runtime/farm/run.h"
#include "tests/clock.h"
#include "tests/mpi.h"

enum { ITEMS = 400, TIMEOUT = 1000, POLLS = 8 };

/* The root's receives of results: each is found to be there at the last of some polls, which take less than the time-out. */
static const MPI_Request *result; /* NULL: none yet */
static int polls;

int __real_PMPI_Irecv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int __wrap_PMPI_Irecv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int __real_PMPI_Test(MPI_Request *, int *, MPI_Status *);
int __wrap_PMPI_Test(MPI_Request *, int *, MPI_Status *);

int __wrap_PMPI_Irecv(void *place, int count, MPI_Datatype type, int peer, int tag, MPI_Comm comm, MPI_Request *request)
{
    result = tag == HS__RESULTS_TAG ? request : result;
    return __real_PMPI_Irecv(place, count, type, peer, tag, comm, request);
}

int __wrap_PMPI_Test(MPI_Request *request, int *done, MPI_Status *status)
{
    if (!result)
        return __real_PMPI_Test(request, done, status);
    *done = ++polls % POLLS == 0;
    if (*done)
        return MPI_Wait(request, status);
    clock_pass(0.1 * TIMEOUT);
    return MPI_SUCCESS;
}

static void twice(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    for (int64_t i = 0; i < count; i++)
        ((double *)results)[i] = 2 * ((const double *)items)[i];
}

int main(int argc, char **argv)
{
    double items[ITEMS], results[ITEMS] = {0};
    hs_farm *farm;
    hs_farm_report report;
    MPI_Init(&argc, &argv);
    double *cycle = malloc((size_t)world_size() * sizeof *cycle), *comm = malloc((size_t)world_size() * sizeof *comm);
    hs_farm_job job = {ITEMS, items, MPI_DOUBLE, results, MPI_DOUBLE, twice, NULL, NULL};
    equal_costs(cycle, 1e-3, comm, 1e-4);
    for (int i = 0; i < ITEMS; i++)
        items[i] = i;
    hs_farm_params params = {.item_bytes = sizeof *items,
                             .result_bytes = sizeof *results,
                             .cycle_time = cycle,
                             .comm_time = comm,
                             .rounds = 2,
                             .timeout = TIMEOUT};
    REQUIRE(hs_farm_create(MPI_COMM_WORLD, &params, &farm, NULL) == HS_OK);
    REQUIRE(hs_farm_run(farm, &job, &report) == HS_OK);
    REQUIRE(world_size() < 2 || report.rounds > 1); /* of one message the first poll would be the last */
    for (int i = 0; i < ITEMS && world_rank() == 0; i++)
        REQUIRE(results[i] == 2 * i);
    hs_farm_free(farm);
    free(cycle);
    free(comm);
    MPI_Finalize();
    return 0;
}
