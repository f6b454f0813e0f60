/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "util/brought.h"
#include "util/linker.h"
#include "util/path.h"
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 128, LENGTH = 1024 };

/* A file that is read, and that which needs it. */
typedef struct reading {
    const char *path;
    const struct reading *outer;
} reading;

typedef struct search {
    hs__elf_note *note;
    void *context;
    const Dl_serinfo *folders; /* of the program; NULL: not known */
    const reading *file;       /* NULL: none yet */
    struct stat seen[MOST];
    int count;
} search;

/* A library that is looked for. */
typedef struct wanted {
    const char *name, *origin; /* what stands for $ORIGIN: the path of a file in it */
    int found;
    char path[LENGTH];
} wanted;

static int has_name(struct dl_phdr_info *object, size_t size, void *name)
{
    (void)size;
    return strcmp(hs__path_name(object->dlpi_name), name) == 0;
}

/* Whether it is found, and had not been found before. */
static int is_new(search *s, const char *path)
{
    struct stat *facts = &s->seen[s->count];
    if (s->count == MOST - 1 || stat(path, facts) != 0)
        return 0;
    for (int k = 0; k < s->count; k++)
        if (s->seen[k].st_dev == facts->st_dev && s->seen[k].st_ino == facts->st_ino)
            return 0;
    s->count++;
    return 1;
}

/* ---- Where a library is ---- */

static void try_folder(const char *folder, void *context)
{
    wanted *w = context;
    if (w->found)
        return;
    int length = snprintf(w->path, sizeof w->path, "%s/%s", folder, w->name);
    w->found = length < LENGTH && access(w->path, R_OK) == 0;
}

/* An entry of a file's list of folders. */
static void try_entry(const char *entry, size_t length, wanted *w)
{
    static const char *const origins[] = {"$ORIGIN", "${ORIGIN}"};
    char folder[LENGTH];
    for (int k = 0; k < 2; k++) {
        size_t mark = strlen(origins[k]), beside = (size_t)(hs__path_name(w->origin) - w->origin);
        if (length < mark || strncmp(entry, origins[k], mark) != 0)
            continue;
        snprintf(folder, sizeof folder, "%.*s.%.*s", (int)beside, w->origin, (int)(length - mark), entry + mark);
        try_folder(folder, w);
        return;
    }
    snprintf(folder, sizeof folder, "%.*s", (int)length, entry);
    try_folder(folder, w);
}

static void try_list(const char *list, void *context)
{
    for (size_t length; *list; list += length + (list[length] == ':')) {
        length = strcspn(list, ":");
        if (length > 0)
            try_entry(list, length, context);
    }
}

/* In the folders that the file names, or one that needs it, in the program's, and in those of the linker's configuration. */
static int find(const search *s, wanted *w)
{
    for (const reading *file = s->file; file && !w->found; file = file->outer) {
        w->origin = file->path;
        hs__elf_folders_of(file->path, try_list, w);
    }
    for (unsigned k = 0; s->folders && k < s->folders->dls_cnt; k++)
        try_folder(s->folders->dls_serpath[k].dls_name, w);
    if (!w->found)
        hs__linker_folders("/etc/ld.so.conf", try_folder, w);
    return w->found;
}

/* ---- What it needs ---- */

static void take(const char *name, void *context);

static void follow(search *s, const char *path)
{
    const reading file = {path, s->file};
    if (!is_new(s, path))
        return;
    s->file = &file;
    hs__elf_libraries_of(path, take, s);
    s->file = file.outer;
}

static void take(const char *name, void *context)
{
    search *s = context;
    wanted w = {.name = name};
    s->note(name, s->context);
    if (!strchr(name, '/') && !dl_iterate_phdr(has_name, (void *)name) && find(s, &w))
        follow(s, w.path);
}

/* Where the dynamic linker looks for what the program needs. NULL: it does not say; to be freed. */
static Dl_serinfo *find_folders(void)
{
    Dl_serinfo size, *folders = NULL;
    void *program = dlopen(NULL, RTLD_LAZY);
    if (program && dlinfo(program, RTLD_DI_SERINFOSIZE, &size) == 0)
        folders = malloc(size.dls_size);
    if (folders &&
        (dlinfo(program, RTLD_DI_SERINFOSIZE, folders) != 0 || dlinfo(program, RTLD_DI_SERINFO, folders) != 0)) {
        free(folders);
        folders = NULL;
    }
    if (program)
        dlclose(program);
    return folders;
}

void hs__brought(const char *file, hs__elf_note *note, void *context)
{
    Dl_serinfo *folders = find_folders();
    search s = {.note = note, .context = context, .folders = folders};
    if (strchr(file, '/'))
        follow(&s, file);
    else
        take(file, &s);
    free(folders);
}
