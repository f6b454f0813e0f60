/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "interpose/partition/lookup.h"
#include "interpose/partition/targets.h"
#include "util/elf.h"
#include "util/path.h"
#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>

/* An address, and the file of the object that it is in: "" of the program, NULL of none. */
typedef struct place {
    const void *address;
    const char *file;
} place;

static int is_in_object(struct dl_phdr_info *object, size_t size, void *context)
{
    place *p = context;
    if (hs__elf_holds(object, p->address))
        p->file = object->dlpi_name;
    return p->file != NULL;
}

/* Not by dladdr(), which looks at every symbol of the object, and PETSc has tens of thousands. */
static const char *file_of(const void *address)
{
    place p = {address, NULL};
    if (address)
        dl_iterate_phdr(is_in_object, &p);
    return p.file;
}

/* The main program's handle finds all that is preloaded. */
static int is_own(const void *found)
{
    return found && file_of(found) == file_of((const void *)hs__partitioner);
}

/* Of the object that an address is in, and of the libraries that it needs. */
static hs__foreign_function find_in(const void *address, const char *name)
{
    const char *file = file_of(address);
    void *found = file ? hs__elf_loaded(file, name) : NULL;
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

void hs__object_name(const void *address, char *name, size_t size)
{
    const char *file = file_of(address), *path = file && !file[0] ? program_invocation_name : file;
    snprintf(name, size, "%s", path ? hs__path_name(path) : "");
    for (char *c = name; *c; c++)
        if ((unsigned char)*c > 127)
            *c = '?';
}
