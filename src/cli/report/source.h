/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_REPORT_SOURCE_H
#define HS_CLI_REPORT_SOURCE_H

#include "cli/report/run.h"

/** A place in a program or a library, and where in the source it is. */
typedef struct report_source {
    const char *object; /* path; borrowed */
    int64_t offset;     /* as the file numbers its bytes */
    char function[128]; /* "": not known */
    char line[128];     /* file:line, without folders; "": not known */
} report_source;

/** Find function and line of n places by addr2line (binutils). Places stay unknown where there is no addr2line, where
 * the file cannot be read, and where it has changed since the run.
 * Cost:       addr2line is started once a file. */
void report_find_sources(report_source *source, int n, const report_run *run);

#endif
