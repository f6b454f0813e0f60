/* SPDX-License-Identifier: BSD-3-Clause */
/* Which MPI library a program needs. Its dynamic linker tells without starting it, as ldd does. */
#include "config.h"

#include "cli/start/program_mpi.h"
#include "util/options.h"
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

int cli_is_program(const char *path)
{
    struct stat file;
    if (stat(path, &file) != 0 || access(path, X_OK) != 0)
        return 0;
    errno = EISDIR;
    return !S_ISDIR(file.st_mode);
}

int cli_find_program(const char *program, char *path)
{
    const char *folders = hs__options_environment("PATH");
    if (strchr(program, '/') || !folders)
        return snprintf(path, PATH_MAX, "%s", program) < PATH_MAX && cli_is_program(path);
    for (;; folders++) {
        int length = (int)strcspn(folders, ":");
        int written = snprintf(path, PATH_MAX, "%.*s/%s", length > 0 ? length : 1, length > 0 ? folders : ".", program);
        if (written < PATH_MAX && cli_is_program(path))
            return 1;
        folders += length;
        if (!*folders)
            return 0;
    }
}

int cli_cannot_start(const char *who, const char *program)
{
    enum { CANNOT_START = 127 };
    fprintf(stderr, "hs %s: cannot start %s: %s\n", who, program, strerror(errno));
    return CANNOT_START;
}

/* The dynamic linker that an executable names. @return whether it names one */
static int read_linker(const char *path, char *linker)
{
    ElfW(Ehdr) head;
    ElfW(Phdr) part = {0};
    int file = open(path, O_RDONLY | O_CLOEXEC), found = 0;
    const char class = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    if (file < 0)
        return 0;
    if (pread(file, &head, sizeof head, 0) == sizeof head && memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 &&
        head.e_ident[EI_CLASS] == class && head.e_phentsize == sizeof part)
        for (int i = 0; i < head.e_phnum && !found; i++)
            found = pread(file, &part, sizeof part, (off_t)(head.e_phoff + (size_t)i * sizeof part)) == sizeof part &&
                    part.p_type == PT_INTERP;
    found = found && part.p_filesz > 1 && part.p_filesz <= PATH_MAX &&
            pread(file, linker, part.p_filesz, (off_t)part.p_offset) == (ssize_t)part.p_filesz &&
            linker[part.p_filesz - 1] == '\0';
    close(file);
    return found;
}

/* In the child. What is preloaded is none of the program's. */
static _Noreturn void list_libraries(const char *linker, const char *path, int out)
{
    int nothing = open("/dev/null", O_RDWR);
    unsetenv("LD_PRELOAD");
    dup2(nothing, STDIN_FILENO);
    dup2(nothing, STDERR_FILENO);
    dup2(out, STDOUT_FILENO);
    execl(linker, linker, "--list", path, (char *)NULL);
    _exit(127);
}

/* A line is "libmpi.so.40 => /usr/lib/libmpi.so.40 (0x...)" or "libmpi.so.40 => not found". Open MPI's library of the ABI
 * is built upon its libopen_mpi; the others are started as MPICH is. */
static unsigned read_list(FILE *list, hs__mpi_flavour *abi_launched)
{
    static const char open_mpi[] = "libopen_mpi.";
    char line[PATH_MAX + 300], name[300];
    unsigned found = 0;
    while (fgets(line, sizeof line, list))
        if (sscanf(line, "%299s", name) == 1) {
            found |= hs__mpi_of_library(name);
            if (strncmp(name, open_mpi, sizeof open_mpi - 1) == 0)
                *abi_launched = HS__MPI_OPENMPI;
        }
    return found;
}

hs__mpi_flavour cli_program_mpi(const char *program, hs__mpi_flavour *launched)
{
    hs__mpi_flavour abi_launched = HS__MPI_MPICH;
    char path[PATH_MAX], linker[PATH_MAX];
    int ends[2];
    *launched = HS__MPI_NONE;
    if (!cli_find_program(program, path) || !read_linker(path, linker) || pipe2(ends, O_CLOEXEC) != 0)
        return HS__MPI_NONE;
    pid_t child = fork();
    if (child == 0)
        list_libraries(linker, path, ends[1]);
    close(ends[1]);
    FILE *list = fdopen(ends[0], "r");
    unsigned found = list ? read_list(list, &abi_launched) : 0;
    if (list)
        fclose(list);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    *launched = found & HS__MPI_ABI ? abi_launched : found;
    return found & HS__MPI_ABI ? HS__MPI_ABI : found;
}
