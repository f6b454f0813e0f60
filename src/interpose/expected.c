/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/expected.h"
#include "runtime/base/world_handle.h"

static void record(int call, int to, MPI_Comm comm, int count, MPI_Datatype type, uintptr_t type_given)
{
    int64_t size = hs__traffic_lasting_size(type);
    hs__expected expected = {call + 1, to, count, (uintptr_t)comm, type_given};
    if (size < 0)
        hs__repeat_do_not_record();
    else
        hs__repeat_record(&expected, hs__traffic_account(hs__world_of(comm), to), size * count);
}

void hs__record_send(int call, int to, MPI_Comm comm, int count, MPI_Datatype type)
{
    record(call, to, comm, count, type, (uintptr_t)type);
}

void hs__record_collective(int call, MPI_Comm comm, int count, MPI_Datatype type)
{
    record(call, HS__TO_ALL, comm, count, type, (uintptr_t)type);
}

void hs__record_exchange(int call, MPI_Comm comm, ...)
{
    record(call, HS__TO_ALL, comm, 0, MPI_DATATYPE_NULL, HS__NO_TYPE);
}

void hs__record_call(int call)
{
    hs__repeat_record(&(hs__expected){call + 1, MPI_PROC_NULL, 0, 0, HS__NO_TYPE}, NULL, 0);
}
