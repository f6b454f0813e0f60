/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_REPORT_H
#define HS_RUNTIME_REPORT_H

/* The report at the end of a program: where the time of each rank went. */

#include "runtime/report/efficiency.h"
#include "runtime/watch/monitor.h"
#include "util/processors.h"
#include <jansson.h>
#include <mpi.h>
#include <stdio.h>

enum { HS__REPORT_HOST = 256, HS__REPORT_VERSION = 1 };

/** Of one rank; gathered as bytes. */
typedef struct hs__rank_report {
    char host[HS__REPORT_HOST];
    double processors; /* it may use */
    double quota;      /* of its control group */
    hs__processors bound;
    double speed;                                 /* work units a second; 0 when unknown */
    double startup;                               /* seconds in MPI_Init, the library's preparations included */
    double run, compute, transfer, wait, library; /* seconds; run is the sum of the others */
    double measuring;                             /* of library: readings of the clock at both ends of calls */
    double queue;                                 /* ready to run without a core; part of the times above */
    int64_t calls, iterations, period, drifts, decisions;
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

/** What a report says of the run beside its times; lives as long as the process. */
typedef struct hs__report_start {
    char path[4096];                      /* of the file, absolute; "": none */
    char date[32];                        /* when MPI was initialised, 2026-11-22T17:40:54Z */
    char command[8192];                   /* its first words, each with its '\0' */
    size_t command_size;                  /* bytes of it; 0 where HS_REPORT was not set when the process started */
    double startup;                       /* seconds in MPI_Init */
    int64_t timed;                        /* calls up to then */
    const char *(*call_name)(int number); /* of the function that the monitor knows by a number */
} hs__report_start;

/** Note where the run starts. A spawned world writes a file of its own, which has the process number of its rank 0 in its name.
 * @param[in] path      as HS_REPORT has it, see hs__environment_path; "": no file
 * @param[in] is_first  rank 0, which tries whether the file can be written and warns when not */
void hs__report_begin(const char *path, int spawned, int is_first, double startup,
                      const char *(*call_name)(int number));
const hs__report_start *hs__report_started(void);

/** Note that the calling thread enters a phase; what it did since the last mark belongs to the phase before. */
void hs__report_mark(int level);

/** The phases marked up to now, the one under way included; n of them, in the order of their first marks. */
const hs__phase *hs__report_phases(int *n);

/** Gather the reports of all ranks and write them: the summary to `text` by rank 0 when it is not NULL, and all of it
 * as JSON in the file of hs__report_begin(). Collective over comm; `text` and the file of rank 0 count. Speeds come
 * from the platform file, when one is named.
 * @param[in] host  this rank's, by HS_LAB_HOST; "": by the system's name */
void hs__report_tell(MPI_Comm comm, FILE *text, const char *host);

/** The same with the summary on standard error, unless rank 0 is quiet. */
void hs__report_say(MPI_Comm comm, int quiet, const char *host);

/** Whether the reports of n ranks and what was worked out from them keep what must hold: the times of a rank are those of
 * its run, no efficiency is above 1, and their product is right. @return NULL, or what does not hold */
const char *hs__report_check(const hs__rank_report *ranks, int n, const hs__efficiency *e);

/** Write the summary. */
void hs__report_print(FILE *out, const hs__rank_report *ranks, int n, const hs__efficiency *e);

/** This rank's communicators, functions, phases and call sites as JSON text; the caller frees it. NULL when memory is out. */
char *hs__report_details(void);

/** A name of the program's, or a host's, as a JSON text. JSON is UTF-8: in a name that is something else, bytes that are not ASCII
 * become '?'. */
json_t *hs__report_name(const char *name);

/** What partitioners were asked for, from the details of n ranks (see partitions.h). @return a new array */
json_t *hs__report_partitions(char *const *details, int n);

/** Write the report of all ranks; details[r] is rank r's text. Tells on stderr what is wrong. */
void hs__report_write(const char *path, const hs__rank_report *ranks, char *const *details, int n,
                      const hs__efficiency *e);

#endif
