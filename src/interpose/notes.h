/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_NOTES_H
#define HS_INTERPOSE_NOTES_H

/* What the generated wrappers tell of an outermost call that has gone well: which message went where. */

#include "runtime/volumes.h"

static inline void hs__note_send(int to, MPI_Comm comm, int count, MPI_Datatype type)
{
    hs__volumes_send(comm, to, count, type);
}

static inline void hs__note_persistent(const MPI_Request *request, int to, MPI_Comm comm, int count, MPI_Datatype type)
{
    hs__volumes_persistent(*request, comm, to, count, type);
}

static inline void hs__note_start(const MPI_Request *request)
{
    hs__volumes_start_request(*request);
}

static inline void hs__note_startall(int count, const MPI_Request *requests)
{
    for (int k = 0; k < count; k++)
        hs__volumes_start_request(requests[k]);
}

static inline void hs__note_collective(MPI_Comm comm, int count, MPI_Datatype type)
{
    hs__volumes_collective(comm, count, type);
}

/** The same before the call: what was touched before others ran need not be fetched again. @return whether it is noted
 */
static inline int hs__note_collective_soon(MPI_Comm comm, int count, MPI_Datatype type)
{
    return hs__volumes_collective_soon(comm, count, type);
}

static inline void hs__note_collective_failed(MPI_Comm comm, int count, MPI_Datatype type)
{
    hs__volumes_count(comm, HS__TO_ALL, -1, count, type);
}

/** A collective call whose size no single count tells. */
static inline void hs__note_exchange(MPI_Comm comm, ...)
{
    hs__volumes_collective(comm, 0, MPI_DATATYPE_NULL);
}

static inline int hs__note_exchange_soon(MPI_Comm comm, ...)
{
    return hs__volumes_collective_soon(comm, 0, MPI_DATATYPE_NULL);
}

static inline void hs__note_exchange_failed(MPI_Comm comm, ...)
{
    hs__volumes_count(comm, HS__TO_ALL, -1, 0, MPI_DATATYPE_NULL);
}

/** Before the handle is freed. */
static inline void hs__note_comm_free(const MPI_Comm *comm)
{
    hs__volumes_forget_comm(*comm);
}

static inline void hs__note_request_free(const MPI_Request *request)
{
    hs__volumes_forget_request(*request);
}

/* The same by Fortran's addresses of integers. */

static inline void hs__note_fortran_send(const MPI_Fint *to, const MPI_Fint *comm, const MPI_Fint *count,
                                         const MPI_Fint *type)
{
    hs__volumes_send(PMPI_Comm_f2c(*comm), *to, *count, PMPI_Type_f2c(*type));
}

static inline void hs__note_fortran_persistent(const MPI_Fint *request, const MPI_Fint *to, const MPI_Fint *comm,
                                               const MPI_Fint *count, const MPI_Fint *type)
{
    hs__volumes_persistent(PMPI_Request_f2c(*request), PMPI_Comm_f2c(*comm), *to, *count, PMPI_Type_f2c(*type));
}

static inline void hs__note_fortran_start(const MPI_Fint *request)
{
    hs__volumes_start_request(PMPI_Request_f2c(*request));
}

static inline void hs__note_fortran_startall(const MPI_Fint *count, const MPI_Fint *requests)
{
    for (int k = 0; k < *count; k++)
        hs__volumes_start_request(PMPI_Request_f2c(requests[k]));
}

static inline void hs__note_fortran_collective(const MPI_Fint *comm, const MPI_Fint *count, const MPI_Fint *type)
{
    hs__volumes_collective(PMPI_Comm_f2c(*comm), *count, PMPI_Type_f2c(*type));
}

static inline void hs__note_fortran_exchange(const MPI_Fint *comm, ...)
{
    hs__volumes_collective(PMPI_Comm_f2c(*comm), 0, MPI_DATATYPE_NULL);
}

static inline void hs__note_fortran_comm_free(const MPI_Fint *comm)
{
    hs__volumes_forget_comm(PMPI_Comm_f2c(*comm));
}

static inline void hs__note_fortran_request_free(const MPI_Fint *request)
{
    hs__volumes_forget_request(PMPI_Request_f2c(*request));
}

#endif
