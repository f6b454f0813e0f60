/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_RUN_H
#define HS_CLI_RUN_H

#include "cli/cli.h"
#include "cli/run_hosts.h"
#include "plan/placement/placement.h"

enum { RUN_PATH = 4096 };

/** What the command line asks for. */
typedef struct run_request {
    const char *platform, *hostfile, *lab, *mpirun; /* NULL: not given */
    int64_t ranks;                                  /* 0: a rank a core */
    double memory;                                  /* bytes a rank needs; 0: not known */
    double halo;                                    /* weight of messages, see hs__placement_order() */
    int keep, measure, dry_run, json;
    char **program;
} run_request;

/** Who goes where. */
typedef struct run_plan {
    int64_t ranks;
    int64_t *count;                /* per host of the list; owned */
    hs__placement_host *placement; /* likewise */
    int *order;                    /* hosts with ranks along the ring; owned */
    int used;
    double slowest; /* seconds for one unit of work of each rank */
} run_plan;

/** Start ranks of `program` (NULL-terminated) on the hosts in this order: a line a rank in a file that mpirun reads.
 * @param[in] quiet  not 0: standard output is thrown away
 * @return its exit status; CLI_BAD_INPUT after one line on stderr */
int run_launch(const cli_verb *verb, const run_request *request, const run_hosts *hosts, const int64_t *count,
               const int *order, int used, const char *platform, char **program, int quiet);

#endif
