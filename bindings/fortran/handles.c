/* SPDX-License-Identifier: BSD-3-Clause */
/* Fortran's communicators are integers: what the module calls where C takes an MPI_Comm. */
#include <heteroslice/hs_runtime.h>

hs_status hs_fortran_init(MPI_Fint comm, const hs_params *params, hs_context **context, hs_error *error);
hs_status hs_fortran_init(MPI_Fint comm, const hs_params *params, hs_context **context, hs_error *error)
{
    return hs_init(MPI_Comm_f2c(comm), params, context, error);
}

MPI_Fint hs_fortran_comm(const hs_context *context);
MPI_Fint hs_fortran_comm(const hs_context *context)
{
    return MPI_Comm_c2f(hs_comm(context));
}

/* 0 without MPI or a communicator, which the functions that get it refuse. */
int hs_fortran_ranks(MPI_Fint comm);
int hs_fortran_ranks(MPI_Fint comm)
{
    int begun = 0, ended = 0, ranks = 0;
    PMPI_Initialized(&begun);
    PMPI_Finalized(&ended);
    if (begun && !ended && MPI_Comm_f2c(comm) != MPI_COMM_NULL)
        PMPI_Comm_size(MPI_Comm_f2c(comm), &ranks);
    return ranks;
}

hs_status hs_fortran_counts(MPI_Fint comm, int64_t n, int64_t *counts);
hs_status hs_fortran_counts(MPI_Fint comm, int64_t n, int64_t *counts)
{
    return hs_counts(MPI_Comm_f2c(comm), n, counts);
}

hs_status hs_fortran_weights(MPI_Fint comm, float *weights);
hs_status hs_fortran_weights(MPI_Fint comm, float *weights)
{
    return hs_weights(MPI_Comm_f2c(comm), weights);
}
