/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_RUN_HOSTS_H
#define HS_CLI_RUN_HOSTS_H

#include <heteroslice/hs_status.h>
#include <stddef.h>
#include <stdint.h>

/** A host ranks may be started on. */
typedef struct run_host {
    char *name;    /* as the launcher knows it; owned */
    char *id;      /* as the platform knows it; owned */
    int64_t slots; /* ranks to measure it with, and more than so many share cores */
    int64_t cores; /* of it that are ours; 0: all it has */
    int64_t most;  /* ranks we may start; INT64_MAX: any number */
    double memory; /* bytes; 0: not known */
} run_host;

typedef struct run_hosts {
    run_host *item;
    size_t count, room;
} run_hosts;

void run_hosts_free(run_hosts *hosts);

/** Add a host, or slots to the host of that name. @return it; NULL when memory is out */
run_host *run_hosts_add(run_hosts *hosts, const char *name, int64_t slots);

/** Read an Open MPI hostfile: a host a line, "name", "name:4" or "name slots=4 max_slots=8"; a line without slots is
 * one slot and leaves the number of cores open; # begins a comment. Of our own: memory=64GiB. @return HS_ERR_PARSE with
 * the line; HS_ERR_IO; HS_ERR_NOMEM
 */
hs_status run_hosts_read(const char *path, run_hosts *hosts, hs_error *error);

/** Slurm's hosts, by SLURM_JOB_NODELIST ("n[1-3,07],gpu2"), SLURM_TASKS_PER_NODE and SLURM_JOB_CPUS_PER_NODE
 * ("4(x2),3"; one of them may be NULL) and SLURM_MEM_PER_NODE (MiB, may be NULL). @return HS_ERR_PARSE; HS_ERR_NOMEM */
hs_status run_hosts_slurm(const char *nodes, const char *tasks, const char *cpus, const char *memory, run_hosts *hosts,
                          hs_error *error);

#endif
