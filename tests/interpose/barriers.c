/* SPDX-License-Identifier: BSD-3-Clause */
/* Five barriers and a level of MPI_Pcontrol that means nothing here, without the library. */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    for (int k = 0; k < 5; k++)
        MPI_Barrier(MPI_COMM_WORLD);
    MPI_Pcontrol(3);
    MPI_Finalize();
    return 0;
}
