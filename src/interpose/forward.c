/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "interpose/forward.h"
#include "util/assert.h"
#include "util/elf.h"
#include "util/message.h"
#include <dlfcn.h>
#include <link.h>
#include <mpi.h>
#include <stdio.h>
#include <string.h>

/* How the functions behind the wrappers are called: the names a library may give them, in the order they are tried.
 * Open MPI's mpi_f08 has pmpi_send_f08_, from version 6 on pmpi_send_f08ts_ with choice buffers; MPICH's has
 * pmpir_send_f08ts_ with choice buffers and pmpir_wait_f08_ without. */
enum { NAMES = 7 };
static const char *const second_name[HS__FORTRAN_INTERFACES][NAMES] = {
    [HS__FORTRAN_MPIFH] = {"pmpi_%s_", "pmpi_%s", "pmpi_%s__", NULL},
    [HS__FORTRAN_F08] = {"pmpi_%s_f08_", "pmpi_%s_f08ts_", "pmpir_%s_f08ts_", "pmpir_%s_f08_", NULL},
    [HS__FORTRAN_F08_LARGE] = {"pmpir_%s_f08ts_large_", "pmpir_%s_f08_large_", "pmpir_%s_c_f08ts_", "pmpir_%s_c_f08_",
                               "pmpi_%s_c_f08ts_", "pmpi_%s_c_f08_", NULL},
};
static const char *const first_name[HS__FORTRAN_INTERFACES][NAMES] = {
    [HS__FORTRAN_MPIFH] = {"mpi_%s_", "mpi_%s", "mpi_%s__", NULL},
    [HS__FORTRAN_F08] = {"mpi_%s_f08_", "mpi_%s_f08ts_", NULL},
    [HS__FORTRAN_F08_LARGE] = {"mpi_%s_f08ts_large_", "mpi_%s_f08_large_", "mpi_%s_c_f08ts_", "mpi_%s_c_f08_", NULL},
};

/* The process. */
static struct {
    int to_next;
    void (*replace_fortran)(const char *stem, hs__function *function); /* NULL: nothing is replaced */
} self;

/* Whether it is a function of this library. */
static int is_ours(const void *found)
{
    Dl_info theirs, ours;
    return dladdr(found, &theirs) && dladdr(&self, &ours) && theirs.dli_fbase == ours.dli_fbase;
}

/* MPICH 5.0's library of MPI-5's ABI has no PMPI_File_close: where there is no second name, calls go to the first one. */
__attribute__((constructor)) static void complete_targets(void)
{
    for (int n = 0; n < hs__c_count; n++)
        if (!hs__c_target[n])
            *(void **)&hs__c_target[n] = dlsym(RTLD_NEXT, hs__c_name[n]);
}

hs__function *hs__forward_target(const char *name)
{
    for (int n = 0; n < hs__c_count; n++)
        if (strcmp(hs__c_name[n], name) == 0)
            return &hs__c_target[n];
    return NULL;
}

const char *hs__forward_name(int number)
{
    for (int n = 0; n < hs__c_count; n++)
        if (hs__c_number[n] == number)
            return hs__c_name[n];
    return NULL;
}

void hs__forward_to_next(void)
{
    self.to_next = 1;
    for (int n = 0; n < hs__c_count; n++) {
        void *next = dlsym(RTLD_NEXT, hs__c_name[n]);
        HS_ASSERT(!next || !is_ours(next));
        if (next)
            *(void **)&hs__c_target[n] = next;
    }
}

/* Also in objects loaded with RTLD_LOCAL, such as the Fortran libraries under a Python extension. */
static void *find(const char *name)
{
    void *found = dlsym(self.to_next ? RTLD_NEXT : RTLD_DEFAULT, name);
    void *program = found ? NULL : dlopen(NULL, RTLD_LAZY);
    struct link_map *object = NULL;
    if (program && dlinfo(program, RTLD_DI_LINKMAP, &object) != 0)
        object = NULL;
    for (; object && !found; object = object->l_next) {
        found = hs__elf_loaded(object->l_name, name);
        if (found && is_ours(found))
            found = NULL;
    }
    if (program)
        dlclose(program);
    HS_ASSERT(!found || !is_ours(found)); /* a wrapper that calls itself never ends */
    return found;
}

void hs__forward_replace_fortran(void (*replace)(const char *stem, hs__function *function))
{
    self.replace_fortran = replace;
}

hs__function hs__fortran_look_up(hs__fortran_target *target)
{
    const char *const *pattern = (self.to_next ? first_name : second_name)[target->interface];
    hs__function function = NULL;
    if (self.replace_fortran)
        self.replace_fortran(target->stem, &function);
    for (; *pattern && !function; pattern++) {
        char name[64];
        int length = snprintf(name, sizeof name, *pattern, target->stem);
        HS_ASSERT(length < (int)sizeof name);
        *(void **)&function = find(name);
    }
    if (!function) {
        hs__message(
            "error: the program calls mpi_%s, which no loaded MPI library has (link by pkg-config --libs heteroslice)",
            target->stem);
        PMPI_Abort(MPI_COMM_WORLD, 1);
    }
    __atomic_store_n(&target->function, function, __ATOMIC_RELEASE);
    return function;
}
