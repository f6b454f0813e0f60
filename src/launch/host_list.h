/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_LAUNCH_HOST_LIST_H
#define HS_LAUNCH_HOST_LIST_H

#include "util/index.h"
#include <heteroslice/hs_status.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum { HS__MAX_HOSTS = 1 << 15, HS__MAX_SLOTS = 1 << 24 };

/** A host on which ranks may be started. */
typedef struct hs__host {
    char *name;        /* the launcher's name of it; owned */
    char *id;          /* the platform's name of it; owned */
    int64_t slots;     /* ranks in a measurement; more ranks than slots share cores */
    int64_t cores;     /* cores we may use; 0: all */
    int64_t threads;   /* cores that one rank uses */
    int64_t max_ranks; /* ranks we may start; INT64_MAX: any number */
    double memory;     /* bytes; 0: unknown */
    int component;     /* of a heterogeneous Slurm job, from 0 */
} hs__host;

typedef struct hs__hosts {
    hs__host *item;
    size_t count, room;
    hs__index by_id; /* of item */
    int components;  /* of a heterogeneous Slurm job; 0 otherwise */
} hs__hosts;

void hs__hosts_free(hs__hosts *hosts);

/** Add a host, or add slots to the host of that name. localhost, 127.0.0.1 and ::1 are this machine. @return the host;
 * NULL without memory */
hs__host *hs__hosts_add(hs__hosts *hosts, const char *name, int64_t slots);

/** Add the hosts of "gpu2", "n[1-3,07]" or "rack[1-2]n[1-4]", without slots.
 * @param[in] where  prefix for messages
 * @return HS_OK; HS_ERR_PARSE; HS_ERR_NOMEM */
hs_status hs__hosts_expand(const char *where, const char *item, hs__hosts *hosts, hs_error *error);

/** Check that a list has nothing but letters, digits, '.', '_', '-' and these marks.
 * @param[in] name  of the list, for messages. @return HS_OK; HS_ERR_PARSE */
hs_status hs__hosts_check_text(const char *name, const char *text, const char *marks, hs_error *error);

/** Read a whole number of so many characters, without sign or blanks. @return 0; -1 when it is none or out of range */
int hs__read_number(const char *text, size_t length, int64_t at_least, int64_t at_most, int64_t *number);

/** Whether "name:4" in a hostfile is a host with four slots, as MPICH reads it, or an error, as with Open MPI. */
typedef enum hs__colon { HS__COLON_SLOTS, HS__COLON_REFUSED } hs__colon;

/** Read a hostfile: one host per line, "name", "name:4" or "name slots=4 max_slots=8", blanks around "=" being fine. The
 * name may be a range, "n[01-04,7]". A line without slots adds one slot and does not limit the cores; # and // begin
 * comments. Our extension: memory=64GiB.
 * @return HS_OK; HS_ERR_PARSE with the line; HS_ERR_IO; HS_ERR_NOMEM */
hs_status hs__hosts_read(const char *path, hs__colon rule, hs__hosts *hosts, hs_error *error);
hs_status hs__hosts_read_stream(FILE *file, hs__colon rule, hs__hosts *hosts, hs_error *error);

/** The value of an environment variable; NULL when it is unset or empty. */
typedef const char *hs__variable(const char *name);

/** Find the hosts that a batch system allocated to this job: Slurm (all components of a heterogeneous job), PBS, LSF.
 * @param[out] file  the file that was read, for messages; NULL: none
 * @return HS_OK, also without any such system: then no hosts are added; HS_ERR_PARSE; HS_ERR_IO; HS_ERR_NOMEM */
hs_status hs__hosts_allocated(hs__variable *variable, hs__hosts *hosts, const char **file, hs_error *error);

/** Slurm's part of it. */
hs_status hs__hosts_slurm(hs__variable *variable, hs__hosts *hosts, hs_error *error);

/** Write the script that starts a command on a host of a heterogeneous Slurm job, as launchers call their remote shell:
 * SCRIPT [OPTION...] HOST COMMAND... */
void hs__slurm_write_agent(const hs__hosts *hosts, FILE *file);

#endif
