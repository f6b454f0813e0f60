/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "util/brought.h"
#include "util/path.h"
#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST = 128, LENGTH = 1024 };

typedef struct search {
    hs__elf_note *note;
    void *context;
    const Dl_serinfo *folders; /* of the program; NULL: not known */
    const char *path;          /* of the file that is read */
    struct stat seen[MOST];
    int count;
} search;

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

static void take(const char *name, void *context);

static void follow(search *s, const char *path)
{
    const char *outer = s->path;
    if (!is_new(s, path))
        return;
    s->path = path;
    hs__elf_libraries_of(path, take, s);
    s->path = outer;
}

static void take(const char *name, void *context)
{
    search *s = context;
    char path[LENGTH];
    s->note(name, s->context);
    if (strchr(name, '/') || dl_iterate_phdr(has_name, (void *)name))
        return;
    int beside = (int)(hs__path_name(s->path) - s->path);
    snprintf(path, sizeof path, "%.*s%s", beside, s->path, beside > 0 ? name : "");
    for (unsigned k = 0; access(path, R_OK) != 0; k++) {
        if (!s->folders || k == s->folders->dls_cnt)
            return;
        snprintf(path, sizeof path, "%s/%s", s->folders->dls_serpath[k].dls_name, name);
    }
    follow(s, path);
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
    search s = {.note = note, .context = context, .folders = folders, .path = ""};
    if (strchr(file, '/'))
        follow(&s, file);
    else
        take(file, &s);
    free(folders);
}
