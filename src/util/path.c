/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/path.h"
#include "config.h"
#include <ftw.h>
#include <stdio.h>
#include <string.h>

const char *hs__path_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static int remove_entry(const char *path, const struct stat *facts, int kind, struct FTW *where)
{
    (void)facts, (void)kind, (void)where;
    remove(path);
    return 0;
}

void hs__path_remove(const char *path)
{
    nftw(path, remove_entry, 8, FTW_DEPTH | FTW_PHYS);
}
