/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Pcontrol is not in the table, since an unknown number of arguments cannot be forwarded. MPI libraries ignore them. */
#include "config.h"

#include "interpose/hooks.h"
#include "runtime/base/environment.h"
#include <dlfcn.h>
#include <heteroslice/hs_status.h>
#include <mpi.h>

HS_API int MPI_Pcontrol(const int level, ...)
{
    int (*next)(const int, ...) = NULL;
    hs__pcontrol_begin(level);
    if (hs__environment()->forward == HS__FORWARD_NEXT || hs__environment()->disable)
        *(void **)&next = dlsym(RTLD_NEXT, "MPI_Pcontrol");
    int code = next ? next(level) : PMPI_Pcontrol(level);
    hs__pcontrol_end();
    return code;
}
