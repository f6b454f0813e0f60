/* SPDX-License-Identifier: BSD-3-Clause */
/* Only in the library that is preloaded; see hooks.c. It may come into a program of another MPI library, whose handles
 * the wrappers cannot even hand on. Such a program is started anew without it, before its main(). Later would be too late:
 * this library brings its own MPI library, to which the dynamic linker then binds all calls without a wrapper, also those
 * that the other MPI library makes to itself. */
#include "config.h"

#include "interpose/forward.h"
#include "interpose/preloaded.h"
#include "interpose/unwrapped_symbols.h"
#include "launch/rank.h"
#include "runtime/base/environment.h"
#include "util/mpi_flavour.h"
#include "util/path.h"
#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char hs__preloaded __attribute__((visibility("hidden"))) = 1;

static const char *own_file(void)
{
    Dl_info info;
    return dladdr(&hs__preloaded, &info) && info.dli_fname ? hs__path_name(info.dli_fname)
                                                           : "libheteroslice-preload.so";
}

static int note_flavour(struct dl_phdr_info *object, size_t size, void *found)
{
    *(unsigned *)found |= hs__mpi_of_library(object->dlpi_name);
    return 0;
}

/* Another MPI library than ours is loaded. That of MPI-5's ABI may be built upon any of the others: where it is theirs, it
 * is what the program is linked to. */
static hs__mpi_flavour find_loaded(void)
{
    unsigned found = 0, own = hs__mpi_of_name(HS_LIBRARY_FLAVOUR);
    if (own == HS__MPI_NONE)
        return HS__MPI_NONE;
    dl_iterate_phdr(note_flavour, &found);
    found &= ~own;
    return found & HS__MPI_ABI ? HS__MPI_ABI : found;
}

/* A program that calls no MPI yet may load another MPI library than ours later, as Python does: what its launcher is for.
 * Launchers of all start programs of the ABI. */
static hs__mpi_flavour find_expected(void)
{
    hs__mpi_flavour expected = hs__launch_flavour(), own = hs__mpi_of_name(HS_LIBRARY_FLAVOUR);
    int fits = expected == own || own == HS__MPI_ABI || own == HS__MPI_NONE;
    return expected == HS__MPI_NONE || fits || hs__calls_mpi() ? HS__MPI_NONE : expected;
}

/* how: this program is of the other MPI library */
static void tell(hs__log_level level, hs__mpi_flavour foreign, const char *how, const char *outcome)
{
    if (hs__launch_this_rank().rank <= 0)
        hs__environment_log(level,
                            "%s is for programs of " HS_LIBRARY_FLAVOUR " and this one is %s %s: %s "
                            "(libheteroslice-preload-%s.so is its own; hs run finds it)",
                            own_file(), how, hs__mpi_name(foreign), outcome, hs__mpi_name(foreign));
}

/* Take this library out of LD_PRELOAD. @return whether it was there */
static int leave_preload(void)
{
    const char *list = hs__options_environment("LD_PRELOAD");
    char *copy = list ? strdup(list) : NULL, *others = copy ? calloc(strlen(copy) + 1, 1) : NULL;
    int found = 0;
    char *rest = copy, *item;
    while (others && (item = strtok_r(rest, ": ", &rest)))
        if (strcmp(hs__path_name(item), own_file()) == 0)
            found = 1;
        else
            sprintf(others + strlen(others), "%s%s", *others ? ":" : "", item);
    if (found && others[0])
        setenv("LD_PRELOAD", others, 1);
    else if (found)
        unsetenv("LD_PRELOAD");
    free(others);
    free(copy);
    return found;
}

/* The GNU C library hands the arguments of main() to constructors. */
__attribute__((constructor)) static void leave_foreign_program(int argc, char **argv)
{
    hs__mpi_flavour loaded = find_loaded(), foreign = loaded == HS__MPI_NONE ? find_expected() : loaded;
    if (foreign == HS__MPI_NONE || !leave_preload())
        return;
    if (!hs__environment()->disable)
        tell(HS__LOG_WARN, foreign, loaded == HS__MPI_NONE ? "started by the launcher of" : "linked to",
             "it runs without");
    execv("/proc/self/exe", argv);
}

static int refuse(void)
{
    return MPI_ERR_OTHER;
}

void hs__preloaded_check(void)
{
    static const char *const names[] = {"MPI_Init", "MPI_Init_thread", "MPI_Session_init"};
    hs__mpi_flavour foreign = find_loaded();
    if (foreign == HS__MPI_NONE)
        return;
    tell(HS__LOG_ERROR, foreign, "linked to", "MPI_Init fails");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        hs__function *init = hs__forward_target(names[k]);
        if (init)
            *init = (hs__function)refuse;
    }
}
