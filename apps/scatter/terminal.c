/* SPDX-License-Identifier: BSD-3-Clause */
/* Find out whether stderr ends at a terminal. Under mpirun it is a pipe whose data mpirun copies to its own stderr, so
 * this examines the parents as long as theirs is a pipe too. Needs Linux's /proc; elsewhere only our own stderr counts. */
#include "scatter.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { ANCESTORS = 4 };

static long parent_of(long pid)
{
    char path[64], text[512];
    long parent = 0;
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *file = fopen(path, "r");
    if (!file)
        return 0;
    size_t length = fread(text, 1, sizeof text - 1, file);
    text[length] = '\0';
    fclose(file);
    const char *name_end = strrchr(text, ')');
    return name_end && sscanf(name_end + 1, " %*c %ld", &parent) == 1 ? parent : 0;
}

int scatter_seen_on_terminal(void)
{
    if (isatty(STDERR_FILENO))
        return 1;
    struct stat kind;
    char path[64], target[64];
    if (fstat(STDERR_FILENO, &kind) != 0)
        return 0;
    long pid = (long)getppid();
    for (int k = 0; k < ANCESTORS && pid > 1 && (S_ISFIFO(kind.st_mode) || S_ISSOCK(kind.st_mode)); k++) {
        snprintf(path, sizeof path, "/proc/%ld/fd/%d", pid, STDERR_FILENO);
        ssize_t length = readlink(path, target, sizeof target - 1);
        if (length < 0 || stat(path, &kind) != 0)
            return 0;
        target[length] = '\0';
        if (S_ISCHR(kind.st_mode))
            return strncmp(target, "/dev/pts/", 9) == 0 || strncmp(target, "/dev/tty", 8) == 0;
        pid = parent_of(pid);
    }
    return 0;
}
