/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_REPORT_RUN_H
#define HS_CLI_REPORT_RUN_H

#include "util/pool.h"
#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_status.h>
#include <jansson.h>
#include <stdio.h>

/** Where time goes, in the order in which the report lists it; together they are the wall time. */
typedef enum report_kind {
    REPORT_STARTUP,
    REPORT_COMPUTE,
    REPORT_WAIT,
    REPORT_TRANSFER,
    REPORT_LIBRARY,
    REPORT_KINDS
} report_kind;
extern const char *const report_kind_names[REPORT_KINDS];

/** The ranks of a host, one rank, or all: sums. */
typedef struct report_row {
    const char *name; /* of a host; borrowed from the file */
    int ranks;
    double seconds[REPORT_KINDS]; /* of all its ranks */
    double speed, queue;          /* likewise; speed 0: not known */
    double sent;                  /* bytes by messages to single ranks */
    double decisions;             /* of hs_balance() */
} report_row;

/** A report of HS_REPORT, read. */
typedef struct report_run {
    const char *path; /* borrowed */
    json_t *root;     /* owned; everything lent comes from it */
    int ranks, hosts;
    report_row *rank; /* [ranks], name is the host's */
    report_row *host; /* [hosts], in the order of their first ranks */
    int *host_of;     /* [ranks] */
    report_row all;
    double wall;                                       /* of the longest rank */
    double lost, communicating, balanced;              /* by the wall time; the file's are by the time after MPI_Init */
    double run, parallel, load_balance, communication; /* as in the file */
    hs__pool pool;
} report_run;

/** Read a report and check that it is one. On HS_OK report_run_free() ends it.
 * @param[in] root  the file as JSON; it becomes the run's, or is released on failure */
hs_status report_run_read(const char *path, json_t *root, report_run *run, hs_error *error);
void report_run_free(report_run *run);

/** Call take for each pair of ranks that exchanged messages, over all communicators; a pair may come several times. */
void report_run_messages(const report_run *run,
                         void (*take)(void *context, int from, int to, double messages, double bytes), void *context);

/** The value of a number in a report; 0 where there is none, or one that no run has: below 0, or so large that sums overflow. */
double report_number(const json_t *number);

/** Mean over the ranks of a row. */
double report_mean(const report_row *row, report_kind kind);

/** Mean wall time of the ranks of a row. */
double report_mean_wall(const report_row *row);

/** The value of a setting that the run had; NULL when it was not set or the report does not say. */
const char *report_setting(const report_run *run, const char *name);

#endif
