/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "interpose/partition/lookup.h"
#include "interpose/partition/targets.h"
#include "util/elf.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* The main program's handle finds all that is preloaded. */
static int is_own(const void *found)
{
    Dl_info ours, theirs;
    return found && dladdr((const void *)hs__partitioner, &ours) && dladdr(found, &theirs) &&
           ours.dli_fbase == theirs.dli_fbase;
}

/* Of the object that an address is in, and of the libraries that it needs. */
static hs__foreign_function find_in(const void *address, const char *name)
{
    Dl_info info;
    if (!address || !dladdr(address, &info) || !info.dli_fname)
        return NULL;
    void *found = hs__elf_loaded(info.dli_fname, name);
    return is_own(found) ? NULL : (hs__foreign_function)found;
}

hs__foreign_function hs__partitioner(const char *name, const void *caller)
{
    hs__foreign_function next = (hs__foreign_function)dlsym(RTLD_NEXT, name);
    return next ? next : find_in(caller, name);
}

hs__foreign_function hs__partitioner_beside(const char *name, hs__foreign_function other)
{
    return other ? find_in((const void *)other, name) : NULL;
}

void hs__partitioner_missing(const char *name)
{
    hs__partition_pass(name, "no library of the program defines it");
}

static void find_name(const void *address, char *name, size_t size)
{
    Dl_info info;
    const char *path = address && dladdr(address, &info) && info.dli_fname ? info.dli_fname : "";
    const char *slash = strrchr(path, '/');
    snprintf(name, size, "%s", slash ? slash + 1 : path);
    for (char *c = name; *c; c++)
        if ((unsigned char)*c > 127)
            *c = '?';
}

/* The last name is kept: dladdr() looks at every symbol of an object, and PETSc has tens of thousands. */
void hs__object_name(const void *address, char *name, size_t size)
{
    static __thread struct {
        const void *address;
        char name[64];
    } last;
    if (last.address != address) {
        find_name(address, last.name, sizeof last.name);
        last.address = address;
    }
    snprintf(name, size, "%s", last.name);
}
