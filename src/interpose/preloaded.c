/* SPDX-License-Identifier: BSD-3-Clause */
/* Only in the library that is preloaded; see hooks.c. It may come into a program of another MPI library, whose handles
 * the wrappers cannot even hand on. This library brings its own MPI library, to which the dynamic linker then binds all calls
 * without a wrapper, also those that the other MPI library makes to itself. Such a program is started anew without it, before
 * its main(). One that loads its MPI library later cannot be; for it, both are hidden from the dynamic linker before that. */
#include "config.h"

#include "interpose/forward.h"
#include "interpose/preloaded.h"
#include "interpose/unwrapped_symbols.h"
#include "launch/rank.h"
#include "runtime/base/environment.h"
#include "util/brought.h"
#include "util/elf.h"
#include "util/mpi_flavour.h"
#include "util/path.h"
#include <dlfcn.h>
#include <heteroslice/hs_status.h>
#include <link.h>
#include <mpi.h>
#include <pthread.h>
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

static void note_library(const char *name, void *found)
{
    *(unsigned *)found |= hs__mpi_of_library(name);
}

static int note_object(struct dl_phdr_info *object, size_t size, void *found)
{
    note_library(object->dlpi_name, found);
    return 0;
}

/* Which other MPI library than ours is meant. That of MPI-5's ABI may be built upon any of the others: where it is theirs, it is
 * what the program is linked to. */
static hs__mpi_flavour choose_foreign(unsigned found)
{
    unsigned own = hs__mpi_of_name(HS_LIBRARY_FLAVOUR), others = own == HS__MPI_NONE ? 0 : found & ~own;
    return others & HS__MPI_ABI ? HS__MPI_ABI : others;
}

static hs__mpi_flavour find_loaded(void)
{
    unsigned found = 0;
    dl_iterate_phdr(note_object, &found);
    return choose_foreign(found);
}

/* Of a file that is to be loaded; HS__MPI_NONE where it needs ours, too. */
static hs__mpi_flavour find_needed(const char *file)
{
    unsigned found = hs__mpi_of_library(file);
    hs__brought(file, note_library, &found);
    return found & hs__mpi_of_name(HS_LIBRARY_FLAVOUR) ? HS__MPI_NONE : choose_foreign(found);
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

/* @return whether some object could not be hidden or shown */
static int toggle(struct dl_phdr_info *object, size_t size, void *failed)
{
    static const char mpi[] = "libmpi";
    const char *name = hs__path_name(object->dlpi_name);
    if ((strncmp(name, mpi, sizeof mpi - 1) == 0 || hs__elf_holds(object, &hs__preloaded)) && !hs__elf_toggle(object))
        *(int *)failed = 1;
    return 0;
}

typedef void *dlopen_function(const char *file, int mode);

__attribute__((noinline)) static dlopen_function *find_dlopen(void)
{
    dlopen_function *next;
    *(void **)&next = dlsym(RTLD_NEXT, "dlopen");
    return next;
}

/* Whether it is known which MPI library the program calls. It changes under a lock, which is held while ours is hidden or shown: a
 * thread that finds it settled loads nothing that would still be bound to ours. MPI_Init, which is ours, just sets it. */
static int settled;
static pthread_mutex_t settling = PTHREAD_MUTEX_INITIALIZER;

/* @param hidden  1: hide ours, 0: show it again
 * @return whether this call has done so */
static int settle(int hidden)
{
    int failed = 0, changes;
    pthread_mutex_lock(&settling);
    changes = __atomic_load_n(&settled, __ATOMIC_RELAXED) != hidden;
    if (changes)
        dl_iterate_phdr(toggle, &failed);
    if (failed)
        dl_iterate_phdr(toggle, &failed);
    else
        __atomic_store_n(&settled, hidden, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&settling);
    return changes && !failed;
}

/* Load what brings another MPI library than ours into a program that calls none yet, with ours hidden. RTLD_DEEPBIND would do
 * less: the object would have another environ than Python, and plugins of Open MPI that name no MPI library would call ours.
 * @return NULL: it brings none, or cannot be loaded; nothing has changed */
__attribute__((noinline)) static void *load_foreign(const char *file, int mode, dlopen_function *next)
{
    hs__mpi_flavour foreign = find_needed(file);
    if (foreign == HS__MPI_NONE || hs__calls_mpi() || !settle(1))
        return NULL;
    void *loaded = next(file, mode);
    if (!loaded)
        settle(0);
    else if (!hs__environment()->disable)
        tell(HS__LOG_WARN, foreign, "loading a library of", "it runs without");
    return loaded;
}

/* The C library looks for a name without folders where the caller's object says, which it knows by the address that dlopen()
 * returns to: the call of the real one has to be a jump, whatever the compiler's options. */
#ifdef __clang__
#define JUMP __attribute__((musttail)) return
#define MAKES_JUMPS
#else
#define JUMP return
#define MAKES_JUMPS \
    __attribute__((optimize("O2", "optimize-sibling-calls"), no_profile_instrument_function, no_sanitize("thread")))
#endif

HS_API MAKES_JUMPS void *dlopen(const char *file, int mode)
{
    dlopen_function *next = find_dlopen();
    int loads = file && !(mode & RTLD_NOLOAD) && !__atomic_load_n(&settled, __ATOMIC_ACQUIRE);
    void *foreign = loads ? load_foreign(file, mode, next) : NULL;
    if (foreign)
        return foreign;
    JUMP next(file, mode);
}

static int refuse(void)
{
    return MPI_ERR_OTHER;
}

void hs__preloaded_check(void)
{
    static const char *const names[] = {"MPI_Init", "MPI_Init_thread", "MPI_Session_init"};
    hs__mpi_flavour foreign = find_loaded();
    __atomic_store_n(&settled, 1, __ATOMIC_RELEASE);
    if (foreign == HS__MPI_NONE)
        return;
    tell(HS__LOG_ERROR, foreign, "linked to", "MPI_Init fails");
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        hs__function *init = hs__forward_target(names[k]);
        if (init)
            *init = (hs__function)refuse;
    }
}
