/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/expected.h"

void hs__record_send(int call, int to, MPI_Comm comm, int count, MPI_Datatype type)
{
    if (hs__volumes_keeps_size(type))
        hs__repeat_record(&(hs__expected){call + 1, to, count, (uintptr_t)comm, (uintptr_t)type});
    else
        hs__repeat_do_not_record();
}

void hs__record_collective(int call, MPI_Comm comm, int count, MPI_Datatype type)
{
    hs__record_send(call, HS__TO_ALL, comm, count, type);
}

void hs__record_exchange(int call, MPI_Comm comm, ...)
{
    hs__repeat_record(&(hs__expected){call + 1, HS__TO_ALL, 0, (uintptr_t)comm, HS__NO_TYPE});
}

void hs__record_call(int call)
{
    hs__repeat_record(&(hs__expected){call + 1, MPI_PROC_NULL, 0, 0, HS__NO_TYPE});
}
