/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_TRAFFIC_HOOKS_H
#define HS_INTERPOSE_TRAFFIC_HOOKS_H

/* What the generated wrappers tell of an outermost call that has gone well: which message went where. */

#include "runtime/watch/traffic.h"

static inline void hs__traffic_hook_send(int to, MPI_Comm comm, int count, MPI_Datatype type)
{
    hs__traffic_send(comm, to, count, type);
}

static inline void hs__traffic_hook_persistent(const MPI_Request *request, int to, MPI_Comm comm, int count,
                                               MPI_Datatype type)
{
    hs__traffic_persistent(*request, comm, to, count, type);
}

static inline void hs__traffic_hook_start(const MPI_Request *request)
{
    hs__traffic_start_request(*request);
}

static inline void hs__traffic_hook_startall(int count, const MPI_Request *requests)
{
    for (int k = 0; k < count; k++)
        hs__traffic_start_request(requests[k]);
}

static inline void hs__traffic_hook_collective(MPI_Comm comm, int count, MPI_Datatype type)
{
    hs__traffic_send(comm, HS__TO_ALL, count, type);
}

/** A collective call whose size no single count tells. */
static inline void hs__traffic_hook_exchange(MPI_Comm comm, ...)
{
    hs__traffic_send(comm, HS__TO_ALL, 0, MPI_DATATYPE_NULL);
}

/** Before the handle is freed. */
static inline void hs__traffic_hook_comm_free(const MPI_Comm *comm)
{
    hs__traffic_forget_comm(*comm);
}

static inline void hs__traffic_hook_request_free(const MPI_Request *request)
{
    hs__traffic_forget_request(*request);
}

/* The same by Fortran's addresses of integers. */

static inline void hs__traffic_hook_fortran_send(const MPI_Fint *to, const MPI_Fint *comm, const MPI_Fint *count,
                                                 const MPI_Fint *type)
{
    hs__traffic_send(PMPI_Comm_f2c(*comm), *to, *count, PMPI_Type_f2c(*type));
}

static inline void hs__traffic_hook_fortran_persistent(const MPI_Fint *request, const MPI_Fint *to,
                                                       const MPI_Fint *comm, const MPI_Fint *count,
                                                       const MPI_Fint *type)
{
    hs__traffic_persistent(PMPI_Request_f2c(*request), PMPI_Comm_f2c(*comm), *to, *count, PMPI_Type_f2c(*type));
}

static inline void hs__traffic_hook_fortran_start(const MPI_Fint *request)
{
    hs__traffic_start_request(PMPI_Request_f2c(*request));
}

static inline void hs__traffic_hook_fortran_startall(const MPI_Fint *count, const MPI_Fint *requests)
{
    for (int k = 0; k < *count; k++)
        hs__traffic_start_request(PMPI_Request_f2c(requests[k]));
}

static inline void hs__traffic_hook_fortran_collective(const MPI_Fint *comm, const MPI_Fint *count,
                                                       const MPI_Fint *type)
{
    hs__traffic_send(PMPI_Comm_f2c(*comm), HS__TO_ALL, *count, PMPI_Type_f2c(*type));
}

static inline void hs__traffic_hook_fortran_exchange(const MPI_Fint *comm, ...)
{
    hs__traffic_send(PMPI_Comm_f2c(*comm), HS__TO_ALL, 0, MPI_DATATYPE_NULL);
}

static inline void hs__traffic_hook_fortran_comm_free(const MPI_Fint *comm)
{
    hs__traffic_forget_comm(PMPI_Comm_f2c(*comm));
}

static inline void hs__traffic_hook_fortran_request_free(const MPI_Fint *request)
{
    hs__traffic_forget_request(PMPI_Request_f2c(*request));
}

#endif
