/* SPDX-License-Identifier: BSD-3-Clause */
/* Which host each rank is on: told to launchers, and found out by ranks. */
#include "config.h"

#include "launch/launch.h"
#include "util/options.h"
#include <stdlib.h>

void hs__launch_write_hosts(hs__launcher_kind kind, const hs__launch_host *host, size_t hosts, FILE *file)
{
    for (size_t i = 0; i < hosts; i++)
        if (kind == HS__LAUNCHER_HYDRA)
            fprintf(file, "%s:%lld\n", host[i].name, (long long)host[i].ranks);
        else
            for (int64_t r = 0; r < host[i].ranks; r++)
                fprintf(file, "%s\n", host[i].name);
}

/* The number in the first of these variables that has one. */
static int number_in(const char *const *names)
{
    for (; *names; names++) {
        const char *text = hs__options_environment(*names);
        char *end;
        long value = text ? strtol(text, &end, 10) : -1;
        if (text && end != text && !*end && value >= 0 && value <= 1 << 24)
            return (int)value;
    }
    return -1;
}

hs__launch_rank hs__launch_this_rank(void)
{
    /* Open MPI, any PMIx, MPICH, Slurm */
    static const char *const rank[] = {"OMPI_COMM_WORLD_RANK", "PMIX_RANK", "PMI_RANK", "SLURM_PROCID", NULL};
    static const char *const local_rank[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID", "SLURM_LOCALID", NULL};
    static const char *const local_ranks[] = {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS", NULL};
    return (hs__launch_rank){number_in(rank), number_in(local_rank), number_in(local_ranks)};
}
