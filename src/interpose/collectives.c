/* SPDX-License-Identifier: BSD-3-Clause */
/* The wrappers call the functions of hs__c_target. This library's own are put there, and call the former ones. */
#include "interpose/collectives.h"
#include "interpose/forward.h"
#include "runtime/base/environment.h"
#include "runtime/collectives/collectives.h"
#include "util/assert.h"
#include <string.h>

static hs__function *target_of(const char *name)
{
    for (int n = 0; n < hs__c_count; n++)
        if (strcmp(hs__c_name[n], name) == 0)
            return &hs__c_target[n];
    return NULL;
}

int hs__collectives_take(void)
{
    hs__function *reduce = target_of("MPI_Reduce"), *allreduce = target_of("MPI_Allreduce"),
                 *bcast = target_of("MPI_Bcast");
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

void hs__collectives_leave(void)
{
    hs__collectives_stop();
}
