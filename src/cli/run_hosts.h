/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_RUN_HOSTS_H
#define HS_CLI_RUN_HOSTS_H

#include <heteroslice/hs_status.h>
#include <stddef.h>
#include <stdint.h>

/** A host on which ranks may be started. */
typedef struct run_host {
    char *name;        /* the launcher's name of it; owned */
    char *id;          /* the platform's name of it; owned */
    int64_t slots;     /* ranks in a measurement; more ranks than slots share cores */
    int64_t cores;     /* cores we may use; 0: all */
    int64_t max_ranks; /* ranks we may start; INT64_MAX: any number */
    double memory;     /* bytes; 0: unknown */
} run_host;

typedef struct run_hosts {
    run_host *item;
    size_t count, room;
} run_hosts;

void run_hosts_free(run_hosts *hosts);

/** Add a host, or add slots to the host of that name. localhost, 127.0.0.1 and ::1 are this machine. @return the host; NULL without memory */
run_host *run_hosts_add(run_hosts *hosts, const char *name, int64_t slots);

/** Whether "name:4" in a hostfile is a host with four slots, as MPICH reads it, or an error, as with Open MPI. */
typedef enum run_colon { RUN_COLON_SLOTS, RUN_COLON_REFUSED } run_colon;

/** Read a hostfile: one host per line, "name", "name:4" or "name slots=4 max_slots=8", blanks around "=" being fine. The
 * name may be a range, "n[01-04,7]". A line without slots adds one slot and does not limit the cores; # and // begin
 * comments. Our extension: memory=64GiB.
 * @return HS_OK; HS_ERR_PARSE with the line; HS_ERR_IO; HS_ERR_NOMEM */
hs_status run_hosts_read(const char *path, run_colon rule, run_hosts *hosts, hs_error *error);

/** Add the hosts of "gpu2" or "n[1-3,07]", without slots.
 * @param[in]     where  prefix for messages
 * @param[in,out] item   changed
 * @return HS_OK; HS_ERR_PARSE; HS_ERR_NOMEM */
hs_status run_hosts_expand(const char *where, char *item, run_hosts *hosts, hs_error *error);

/** Read Slurm's hosts from the values of SLURM_JOB_NODELIST ("n[1-3,07],gpu2"), SLURM_TASKS_PER_NODE and
 * SLURM_JOB_CPUS_PER_NODE ("4(x2),3"; one of them may be NULL) and SLURM_MEM_PER_NODE (MiB, may be NULL).
 * @return HS_OK; HS_ERR_PARSE; HS_ERR_NOMEM */
hs_status run_hosts_slurm(const char *nodes, const char *tasks, const char *cpus, const char *memory, run_hosts *hosts,
                          hs_error *error);

#endif
