/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_REPORT_H
#define HS_RUNTIME_REPORT_H

/* The report at the end of a program: where the time of each rank went. */

#include "runtime/report/efficiency.h"
#include "runtime/watch/monitor.h"
#include <jansson.h>
#include <mpi.h>
#include <sched.h>
#include <stdio.h>

enum { HS__REPORT_HOST = 256, HS__REPORT_VERSION = 1 };

/** Of one rank; gathered as bytes. */
typedef struct hs__rank_report {
    char host[HS__REPORT_HOST];
    double processors; /* it may use */
    double quota;      /* of its control group */
    cpu_set_t bound;
    double speed;                                 /* work units a second; 0 when unknown */
    double run, compute, transfer, wait, library; /* seconds; run is the sum of the others */
    int64_t calls, iterations, period, drifts;
    double iteration, first, last; /* seconds: mean; computing, at the first and the last reading */
    int64_t pid;
} hs__rank_report;

/** A stretch of the program marked by MPI_Pcontrol(level), level >= HS__FIRST_PHASE. */
enum { HS__FIRST_PHASE = 16, HS__PHASES = 32 };
typedef struct hs__phase {
    int level;
    int64_t count;
    int64_t compute_ns, mpi_ns, library_ns;
} hs__phase;

/** Note that the calling thread enters a phase; what it did since the last mark belongs to the phase before. */
void hs__report_mark(int level);

/** The phases marked up to now, the one under way included; n of them, in the order of their first marks. */
const hs__phase *hs__report_phases(int *n);

/** Gather the reports of all ranks and write them: the summary to `text` by rank 0 when it is not NULL, and all of it as JSON in a
 * file when path is not "". Collective over comm; `text` and path of rank 0 count. Speeds come from the platform file,
 * when one is named. */
void hs__report_tell(MPI_Comm comm, FILE *text, const char *path, const char *platform, const char *host);

/** Whether the reports of n ranks and what was worked out from them keep what must hold: the times of a rank are those of
 * its run, no efficiency is above 1, and their product is right. @return NULL, or what does not hold */
const char *hs__report_check(const hs__rank_report *ranks, int n, const hs__efficiency *e);

/** Write the summary. */
void hs__report_print(FILE *out, const hs__rank_report *ranks, int n, const hs__efficiency *e);

/** This rank's communicators and phases as JSON text; the caller frees it. NULL when memory is out. */
char *hs__report_details(void);

/** What partitioners were asked for, from the details of n ranks (see partitions.h). @return a new array */
json_t *hs__report_partitions(char *const *details, int n);

/** Write the report of all ranks; details[r] is rank r's text. Tells on stderr what is wrong. */
void hs__report_write(const char *path, const hs__rank_report *ranks, char *const *details, int n,
                      const hs__efficiency *e);

#endif
