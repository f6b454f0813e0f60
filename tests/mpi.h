/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_MPI_H
#define HS_TESTS_MPI_H

/* Included by every MPI test: a check that names the rank and ends the whole run, and any number of hosts on one machine.
 */

#include "config.h"
#include <heteroslice/hs_runtime.h>
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __SANITIZE_ADDRESS__
#include <dlfcn.h>
#include <sanitizer/lsan_interface.h>
#ifndef RTLD_NEXT /* <dlfcn.h> has it for _GNU_SOURCE */
#define RTLD_NEXT ((void *)-1l)
#endif
#define NEXT(function) ((__typeof__(&(function)))dlsym(RTLD_NEXT, #function))
/* A library before MPI's, preloaded or linked, calls the PMPI_X below. The MPI library, whose functions have both
 * names, does not. */
#define FIRST(function) (NEXT(function) == NEXT(P##function) ? P##function : NEXT(function))

/* What the MPI library allocates at its start is its own affair. Leaks are looked for while its components are still
 * loaded: afterwards nobody can tell theirs, which lsan.supp names, from ours. Weak, since a program may have several files. */
#pragma weak PMPI_Init_thread
#pragma weak PMPI_Init
#pragma weak PMPI_Finalize
#pragma weak MPI_Init_thread
#pragma weak MPI_Init
#pragma weak MPI_Finalize
int PMPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    __lsan_disable();
    int code = NEXT(PMPI_Init_thread)(argc, argv, required, provided);
    __lsan_enable();
    return code;
}

int PMPI_Init(int *argc, char ***argv)
{
    int provided;
    return PMPI_Init_thread(argc, argv, MPI_THREAD_SINGLE, &provided);
}

int PMPI_Finalize(void)
{
    if (__lsan_do_recoverable_leak_check() != 0)
        abort();
    __lsan_disable();
    return NEXT(PMPI_Finalize)();
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided)
{
    return FIRST(MPI_Init_thread)(argc, argv, required, provided);
}

int MPI_Init(int *argc, char ***argv)
{
    return FIRST(MPI_Init)(argc, argv);
}

int MPI_Finalize(void)
{
    return FIRST(MPI_Finalize)();
}
#endif

#define REQUIRE(condition) require_at(condition, #condition, __FILE__, __LINE__)

/** Seconds: a time-out that only a hang reaches, however slow the machine. */
#define PATIENCE 120

static inline int world_rank(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static inline int world_size(void)
{
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
}

static inline void require_at(int condition, const char *text, const char *file, int line)
{
    if (condition)
        return;
    fprintf(stderr, "%s:%d: rank %d: not so: %s\n", file, line, world_rank(), text);
    MPI_Abort(MPI_COMM_WORLD, 1);
}

/* Of a farm's items: the same seconds on every rank, to compute one and to send one. */
static inline void equal_costs(double *cycle, double compute_s, double *comm, double send_s)
{
    for (int r = 0; r < world_size(); r++) {
        cycle[r] = compute_s;
        comm[r] = send_s;
    }
}

/* Where files go that a test needs for a while. */
static inline const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder ? folder : "/tmp";
}

/* Parameters under which this rank is host "h<number>" of the platform that `write` writes. Rank 0 has it in a file
 * of its own in TMPDIR, which forget_hosts removes once hs_init has read it. */
static inline hs_params params_on_host(hs_balance_mode mode, int number, void (*write)(FILE *file, int how), int how)
{
    static char host[16], path[256];
    snprintf(host, sizeof host, "h%d", number);
    snprintf(path, sizeof path, "%s/hs-hosts-XXXXXX", temporary_folder());
    if (world_rank() == 0) {
        int descriptor = mkstemp(path);
        FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
        REQUIRE(file != NULL);
        fprintf(file, "<?xml version='1.0'?>\n<platform version='4.1'>\n");
        write(file, how);
        fprintf(file, "</platform>\n");
        fclose(file);
    }
    MPI_Bcast(path, sizeof path, MPI_CHAR, 0, MPI_COMM_WORLD);
    return (hs_params){.mode = mode, .platform = path, .host = host, .timeout = PATIENCE};
}

static inline void write_cluster(FILE *file, int hosts)
{
    fprintf(file, "<cluster id='c' prefix='h' suffix='' radical='0-%d' speed='1Gf' bw='1GBps' lat='0s'/>\n", hosts);
}

static inline void write_off_cluster(FILE *file, int hosts)
{
    fprintf(file, "<cluster id='c' prefix='h' suffix='' radical='0-%d' speed='0f' bw='1GBps' lat='0s'/>\n", hosts);
}

/* Rank r is host "h<r>" of a platform of equal hosts on one switch. */
static inline hs_params fake_hosts(hs_balance_mode mode)
{
    return params_on_host(mode, world_rank(), write_cluster, world_size());
}

static inline void forget_hosts(const hs_params *params)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0)
        unlink(params->platform);
}

/* A context on equal hosts. */
static inline hs_context *start_balanced(void)
{
    hs_context *context;
    hs_params params = fake_hosts(HS_BALANCE_ON);
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    forget_hosts(&params);
    return context;
}

/* Another one, which has not seen what the hosts did before. */
static inline void start_again(hs_context **context)
{
    REQUIRE(hs_finalize(context) == HS_OK);
    *context = start_balanced();
}

/* A context that never moves anything by itself, on the hosts as they are measured. */
static inline hs_context *start_unbalanced(double timeout)
{
    hs_context *context;
    hs_params params = {.mode = HS_BALANCE_OFF, .timeout = timeout};
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    return context;
}

static inline int text_has(const hs_context *context, const char *part)
{
    if (strstr(hs_error_text(context), part))
        return 1;
    fprintf(stderr, "'%s' is not in '%s'\n", part, hs_error_text(context));
    return 0;
}

#endif
