/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/base/host_names.h"
#include "platform/platform.h"
#include "util/array.h"
#include <mpi.h>
#include <string.h>

void hs__host_name(const char *given, char name[HS__HOST_NAME_SIZE])
{
    char own[MPI_MAX_PROCESSOR_NAME + HS__HOST_NAME_SIZE] = "";
    int length;
    if (given && given[0])
        strncpy(own, given, HS__HOST_NAME_SIZE - 1);
    else
        PMPI_Get_processor_name(own, &length);
    memcpy(name, own, HS__HOST_NAME_SIZE - 1);
    name[HS__HOST_NAME_SIZE - 1] = '\0';
}

hs_status hs__host_names_gather(hs__peers *peers, const char *given, char **names)
{
    int ranks;
    PMPI_Comm_size(peers->comm, &ranks);
    *names = hs__array_new((size_t)ranks + 1, HS__HOST_NAME_SIZE);
    hs_status status = hs__peers_agree(peers, *names ? HS_OK : HS_ERR_NOMEM, NULL);
    if (status != HS_OK)
        return status;
    hs__host_name(given, *names + (size_t)ranks * HS__HOST_NAME_SIZE);
    return hs__peers_gather(peers, *names, HS__HOST_NAME_SIZE);
}

hs_status hs__host_names_find(const hs_platform *platform, const char *names, int ranks, int *host, hs_error *error)
{
    for (int r = 0; r < ranks; r++) {
        const char *name = names + (size_t)r * HS__HOST_NAME_SIZE;
        int node = hs__platform_find_host(platform, name);
        if (node < 0)
            return hs_error_set(error, HS_ERR_UNREACHABLE, 0, "rank %d runs on '%s', which is no host of the platform",
                                r, name);
        host[r] = node;
    }
    return HS_OK;
}
