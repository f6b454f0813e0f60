/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_START_RUN_H
#define HS_CLI_START_RUN_H

#include "cli/base/cli.h"
#include "launch/host_list.h"
#include "launch/launch.h"
#include "plan/placement/placement.h"

/* Temporary files: a platform, and hosts and an agent, each for the measurement and for the program. */
enum { RUN_PATH = 4096, RUN_TEMPORARIES = 5 };

/** The parsed command line. */
typedef struct run_request {
    const char *platform, *hostfile, *lab, *mpirun; /* NULL: not given */
    int64_t ranks;                                  /* 0: one rank per core */
    double memory;                                  /* bytes a rank needs; 0: unknown */
    double halo;                                    /* weight of messages, see hs__placement_order() */
    double max_age;                                 /* seconds that a measurement counts */
    int keep, measure, dry_run, all, json;
    char **program;
    const char *mpi;       /* the MPI library the program is linked to; NULL: not known before it runs */
    const char *launched;  /* the one whose launcher starts it: another one than mpi for MPI-5's ABI */
    hs__launcher launcher; /* starts the program; not found in a dry run */
} run_request;

/** The number of ranks on each host, and the order of hosts. */
typedef struct run_plan {
    int64_t ranks;
    int64_t *count;                /* ranks of each host of the list; owned */
    hs__placement_host *placement; /* the planner's view of each host; owned */
    int *order;                    /* hosts that have ranks, in ring order; owned */
    int used;
    double slowest; /* seconds for one unit of work of each rank */
} run_plan;

/** The value of an environment variable; NULL when it is unset or empty. */
const char *run_variable(const char *name);

/** Make an empty file FOLDER/NAME-XXXXXX, which is removed when this run ends or a signal ends it.
 * @param[out] path  RUN_PATH bytes
 * @return its descriptor; -1 with errno */
int run_temporary(const char *folder, const char *name, char *path);

/** Start ranks of `program` (NULL-terminated) on the hosts in this order, through a host file with one line per rank.
 * @param[in] platform  NULL: a measurement, which leaves standard input and output to the program
 * @return its exit status; CLI_BAD_INPUT after one line on stderr */
int run_launch(const cli_verb *verb, const run_request *request, const hs__hosts *hosts, const int64_t *count,
               const int *order, int used, const char *platform, char **program);

/** Find the launcher that starts the program, or measures, and whether it may. The caller frees it.
 * @return CLI_OK; CLI_BAD_INPUT after one line on stderr */
int run_find_launcher(const cli_verb *verb, const run_request *request, int measures, hs__launcher *launcher);

/** Copy an input that is read once into a new file for this run only, as a platform is read several times.
 * @param[out] path  RUN_PATH bytes
 * @return CLI_OK; CLI_BAD_INPUT after one line on stderr */
int run_keep_input(const cli_verb *verb, const char *input, char *path);

/** What the platform file of a run is. */
typedef struct run_measurement {
    int unknown; /* a dry run has said that it would have to measure */
    int cached;  /* it was made by an earlier run */
} run_measurement;

/** Find the platform file of the hosts: path when it is not empty, else a measurement made before, else a new one.
 * @param[in,out] path  RUN_PATH bytes
 * @return CLI_OK; CLI_BAD_INPUT after one line on stderr */
int run_find_platform(const cli_verb *verb, const run_request *request, const hs__hosts *hosts, char *path,
                      run_measurement *found);

#endif
