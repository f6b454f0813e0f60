/* SPDX-License-Identifier: BSD-3-Clause */
#include "calls.h"

int main(int argc, char **argv)
{
    int flag, version, subversion;
    MPI_Initialized(&flag);
    MPI_Get_version(&version, &subversion);
    if (flag || version < 3)
        return 1;
    MPI_Init(&argc, &argv);
    CALL(MPI_Comm_rank, MPI_COMM_WORLD, &calls_rank);
    CALL(MPI_Comm_size, MPI_COMM_WORLD, &calls_size);
    calls_point_to_point();
    calls_requests();
    calls_collectives();
    calls_neighbours();
    calls_communicators();
    calls_handlers();
    calls_one_sided();
    if (argc > 1)
        calls_files();
    printf("rank %d of %d: %ld calls\n", calls_rank, calls_size, calls_made);
    fflush(stdout);
    MPI_Finalize();
    MPI_Finalized(&flag);
    return flag ? 0 : 1;
}
