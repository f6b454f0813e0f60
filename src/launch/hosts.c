/* SPDX-License-Identifier: BSD-3-Clause */
/* Which host each rank is on, told to launchers. */
#include "config.h"

#include "launch/launch.h"
#include "util/assert.h"

void hs__launch_write_hosts(hs__launcher_kind kind, const hs__launch_host *host, size_t hosts, FILE *file)
{
    for (size_t i = 0; i < hosts; i++) {
        HS_ASSERT(host[i].ranks > 0);
        if (kind == HS__LAUNCHER_HYDRA)
            fprintf(file, "%s:%lld\n", host[i].name, (long long)host[i].ranks);
        else
            for (int64_t r = 0; r < host[i].ranks; r++)
                fprintf(file, "%s\n", host[i].name);
    }
}
