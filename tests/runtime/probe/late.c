/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that pauses in a message of a measurement for longer than the time-out, and then goes on: all ranks give up, what
 * still arrives does no harm, and another measurement succeeds. Only with three ranks, since it waits for the time-out. */
#include "tests/mpi.h"
#include <heteroslice/hs_probe.h>

enum { RANKS = 3, LATE = 2 };

static const double PAUSE = 3; /* seconds */

static MPI_Comm aside;
static int armed;

int __real_PMPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int __wrap_PMPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

/* Until the others have given up. */
int __wrap_PMPI_Isend(const void *data, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                      MPI_Request *request)
{
    if (armed) {
        armed = 0;
        MPI_Barrier(aside);
    }
    return __real_PMPI_Isend(data, n, type, peer, tag, comm, request);
}

static hs_status measure(double timeout, hs_error *error)
{
    char host[16];
    hs_probe_params params;
    hs_probe_result *result = NULL;
    snprintf(host, sizeof host, "h%d", world_rank());
    hs_probe_params_init(&params);
    params.budget = 0.2;
    params.every_kernel = 0;
    params.host_name = host;
    params.timeout = timeout;
    hs_status status = hs_probe_run(MPI_COMM_WORLD, &params, &result, error);
    REQUIRE((status == HS_OK) == (result != NULL));
    hs_probe_result_free(result);
    return status;
}

int main(int argc, char **argv)
{
    hs_error error = {0};
    MPI_Init(&argc, &argv);
    MPI_Comm_dup(MPI_COMM_WORLD, &aside);
    if (world_size() == RANKS) {
        armed = world_rank() == LATE;
        REQUIRE(measure(world_rank() == LATE ? PATIENCE : PAUSE, &error) == HS_ERR_TIMEOUT && !armed);
        if (world_rank() != LATE) {
            REQUIRE(strcmp(error.text, "measuring hosts and links: rank 2 did not arrive within 3 s") == 0);
            MPI_Barrier(aside);
        }
        REQUIRE(measure(PATIENCE, &error) == HS_OK);
    }
    MPI_Comm_free(&aside);
    MPI_Finalize();
    return 0;
}
