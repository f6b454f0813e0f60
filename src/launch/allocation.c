/* SPDX-License-Identifier: BSD-3-Clause */
/* The hosts that a batch system (Slurm, PBS, LSF) allocated to this job. */
#include "config.h"

#include "launch/host_list.h"
#include "util/array.h"
#include "util/status.h"
#include <stdlib.h>
#include <string.h>

/* In PBS and LSF a slot stands for one core and one rank: a host takes no more ranks than it has slots. */
static void limit(hs__hosts *hosts)
{
    for (size_t i = 0; i < hosts->count; i++)
        hosts->item[i].cores = hosts->item[i].max_ranks = hosts->item[i].slots;
}

/* Reads "a 4 b 2", as in LSB_MCPU_HOSTS, or without numbers "a a b", as in LSB_HOSTS. */
static hs_status read_lsf(const char *name, const char *text, int with_numbers, hs__hosts *hosts, hs_error *error)
{
    char *copy = hs__text_copy(text), *rest = NULL;
    hs_status status = copy ? hs__hosts_check_text(name, text, " ", error) : hs__error_status(error, HS_ERR_NOMEM);
    for (char *host = copy ? strtok_r(copy, " ", &rest) : NULL; host && status == HS_OK;
         host = strtok_r(NULL, " ", &rest)) {
        const char *number = with_numbers ? strtok_r(NULL, " ", &rest) : "1";
        int64_t slots = 0;
        number = number ? number : "";
        if (hs__read_number(number, strlen(number), 1, HS__MAX_SLOTS, &slots) != 0)
            status = hs_error_set(error, HS_ERR_PARSE, 0, "%s: expected a number of slots after '%.80s', not '%.80s'",
                                  name, host, number);
        else if (hosts->count >= HS__MAX_HOSTS)
            status = hs_error_set(error, HS_ERR_PARSE, 0, "%s: over %d hosts", name, HS__MAX_HOSTS);
        else if (!hs__hosts_add(hosts, host, slots))
            status = hs__error_status(error, HS_ERR_NOMEM);
    }
    free(copy);
    if (status == HS_OK && hosts->count == 0)
        status = hs_error_set(error, HS_ERR_PARSE, 0, "%s: no hosts", name);
    return status;
}

hs_status hs__hosts_allocated(hs__variable *variable, hs__hosts *hosts, const char **file, hs_error *error)
{
    static const char mcpu[] = "LSB_MCPU_HOSTS", one_each[] = "LSB_HOSTS";
    hs_status status = HS_OK;
    *file = NULL;
    if (variable("SLURM_JOB_NODELIST") || variable("SLURM_HET_SIZE") || variable("SLURM_JOB_ID"))
        return hs__hosts_slurm(variable, hosts, error);
    if (variable("PBS_NODEFILE"))
        status = hs__hosts_read(*file = variable("PBS_NODEFILE"), HS__COLON_REFUSED, hosts, error);
    else if (variable(mcpu))
        status = read_lsf(mcpu, variable(mcpu), 1, hosts, error);
    else if (variable(one_each))
        status = read_lsf(one_each, variable(one_each), 0, hosts, error);
    limit(hosts);
    return status;
}
