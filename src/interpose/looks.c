/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI calls every eighth time it looks what has been registered as of low priority. */
#include "config.h"

#include "interpose/looks.h"
#include "runtime/watch/monitor.h"
#include <dlfcn.h>
#include <mpi.h>

typedef int registration(int (*callback)(void));

static registration *find(const char *name)
{
    registration *found;
    *(void **)&found = dlsym(RTLD_DEFAULT, name);
    return found;
}

void hs__looks_take(void)
{
    int provided = MPI_THREAD_MULTIPLE;
    PMPI_Query_thread(&provided);
    registration *begin = find("opal_progress_register_lp");
    if (provided != MPI_THREAD_MULTIPLE && begin && find("opal_progress_unregister"))
        hs__monitor_looks = begin(hs__monitor_look) == 0;
}

void hs__looks_leave(void)
{
    if (hs__monitor_looks)
        find("opal_progress_unregister")(hs__monitor_look);
    hs__monitor_looks = 0;
}
