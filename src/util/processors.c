/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "util/processors.h"
#include <string.h>

hs__processors hs__processors_of(pid_t process)
{
    hs__processors processors;
    memset(&processors, 0, sizeof processors);
    sched_getaffinity(process, sizeof processors.set, processors.set);
    return processors;
}

int hs__processors_own(void)
{
    const hs__processors own = hs__processors_of(0);
    int count = hs__processors_count(&own);
    return count > 0 ? count : 1;
}

int hs__processors_count(const hs__processors *processors)
{
    return CPU_COUNT_S(sizeof processors->set, processors->set);
}

int hs__processors_hold(const hs__processors *processors, int cpu)
{
    return CPU_ISSET_S((size_t)cpu, sizeof processors->set, processors->set) != 0;
}

void hs__processors_add(hs__processors *processors, const hs__processors *others)
{
    CPU_OR_S(sizeof processors->set, processors->set, processors->set, others->set);
}
