/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_LAUNCH_H
#define HS_LAUNCH_H

/* The launchers of MPI programs and how each of them says the same thing. Nobody else knows an option of mpirun. */

#include "util/words.h"
#include <heteroslice/hs_status.h>
#include <stdint.h>
#include <stdio.h>

typedef enum hs__launcher_kind {
    HS__LAUNCHER_ORTE,  /* Open MPI up to 4 */
    HS__LAUNCHER_PRRTE, /* Open MPI from 5 on */
    HS__LAUNCHER_HYDRA, /* MPICH */
    HS__LAUNCHER_SRUN   /* Slurm */
} hs__launcher_kind;

typedef struct hs__launcher {
    hs__launcher_kind kind;
    char *command; /* owned */
} hs__launcher;

/** Find the launcher and ask it by --version what it is.
 * @param[in] flavour  the MPI library whose programs it is to start, "openmpi" or "mpich"; NULL: any
 * @param[in] asked    a command, such as MPIEXEC names; NULL or "": the first of mpirun, mpiexec, srun that is there
 * @return HS_OK; HS_ERR_UNSUPPORTED when there is none, or it is none of the known kinds or starts no such programs;
 *         HS_ERR_NOMEM */
hs_status hs__launcher_find(const char *flavour, const char *asked, hs__launcher *launcher, hs_error *error);

/** Release what the launcher owns. */
void hs__launcher_free(hs__launcher *launcher);

/** What to start where. Starts as {0}; all is borrowed. */
typedef struct hs__launch {
    int64_t ranks; /* 0: `program` brings the numbers itself, as in "-n 2 a : -n 1 b" */

    /* Where, at most one of these. None: the hosts that the launcher finds itself. */
    int slots;            /* so many on this machine, for programs that spawn others */
    const char *hosts;    /* "a:1,b:4": hosts and their slots */
    const char *sequence; /* a file made by hs__launch_write_hosts() */

    const char *agent;   /* remote shell, started as AGENT HOST COMMAND ...; NULL: the launcher's own */
    const char *network; /* "10.77.0.0/16" or "lo": ranks and launcher talk by TCP there and nowhere else */
    const char *ports;   /* "61440-61443": the launcher's own connections */
    const char *scratch; /* directory for the launcher's own files */

    int64_t cores_per_rank; /* 0 or 1: one core each */
    int oversubscribe;      /* more ranks than slots are fine */
    int unbound;            /* ranks are not bound to cores */
    int as_root;            /* root may start this */
    int yield;              /* a rank that polls yields its core */

    const hs__words *variables; /* NAME or NAME=VALUE, handed to ranks; may be NULL */
    const hs__words *options;   /* further words for the launcher; may be NULL */
    char *const *program;       /* and its arguments, NULL-terminated */
} hs__launch;

/** A command to execute. Starts as {0}. */
typedef struct hs__command {
    hs__words words;
    hs__words environment; /* NAME=VALUE, besides this process's own */
} hs__command;

/** Say a job in the launcher's words.
 * @return HS_OK; HS_ERR_UNSUPPORTED when this launcher cannot do it; HS_ERR_NOMEM. The caller frees the command. */
hs_status hs__launch_command(const hs__launcher *launcher, const hs__launch *job, hs__command *command,
                             hs_error *error);
void hs__command_free(hs__command *command);

/** Become the command. Returns only on failure, with errno set. */
void hs__command_execute(const hs__command *command);

/** A host and how many consecutive ranks it gets. */
typedef struct hs__launch_host {
    const char *name; /* borrowed */
    int64_t ranks;
} hs__launch_host;

/** Write which host each rank is on, the first host's ranks first, as this kind of launcher reads it. */
void hs__launch_write_hosts(hs__launcher_kind kind, const hs__launch_host *host, size_t hosts, FILE *file);

/** Whether the options bring a list of hosts of their own. */
int hs__launch_brings_hosts(const hs__words *options);

/** Cut text at blanks into words for the launcher. A setting of the environment variable `name` among them
 * ("-x NAME=VALUE", "-genv NAME VALUE") is left out when value is not NULL.
 * @param[in,out] text   its blanks become ends of words
 * @param[out]    value  of the variable, within text; NULL: it is not set there */
void hs__launch_split(char *text, const char *name, hs__words *options, const char **value);

#endif
