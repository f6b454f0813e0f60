/* SPDX-License-Identifier: BSD-3-Clause */
/* The wrappers call the functions of hs__c_target. This library's own are put there, and call the former ones. */
#include "interpose/collectives.h"
#include "interpose/forward.h"
#include "runtime/base/environment.h"
#include "runtime/collectives/collectives.h"
#include "util/assert.h"

int hs__collectives_take(void)
{
    hs__function *reduce = hs__forward_target("MPI_Reduce"), *allreduce = hs__forward_target("MPI_Allreduce"),
                 *bcast = hs__forward_target("MPI_Bcast");
    if (!reduce || !allreduce || !bcast)
        return 0;
    HS_ASSERT(reduce != allreduce && allreduce != bcast && bcast != reduce &&
              *bcast != (hs__function)hs__collective_bcast);
    hs__collective_calls calls = {(__typeof__(calls.reduce))*reduce, (__typeof__(calls.allreduce))*allreduce,
                                  (__typeof__(calls.bcast))*bcast};
    if (!hs__collectives_start(hs__environment(), &calls))
        return 0;
    hs__forward_replace_fortran(hs__collectives_fortran);
    *reduce = (hs__function)hs__collective_reduce;
    *allreduce = (hs__function)hs__collective_allreduce;
    *bcast = (hs__function)hs__collective_bcast;
    return 1;
}
