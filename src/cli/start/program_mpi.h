/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_START_PROGRAM_MPI_H
#define HS_CLI_START_PROGRAM_MPI_H

#include "util/mpi_flavour.h"

/** Whether a path is that of a file that may be started; errno tells why not: EISDIR for a folder. */
int cli_is_program(const char *path);

/** The file that a shell would start for a name; an empty folder of PATH is the working one. @param[out] path  PATH_MAX bytes
 * @return whether there is one; errno tells why not */
int cli_find_program(const char *program, char *path);

/** Say why a program cannot be started: errno. @return the exit status that a shell has then */
int cli_cannot_start(const char *who, const char *program);

/** The MPI libraries a program is linked to, itself or by its shared libraries, as its dynamic linker finds them; several
 * when it needs several. The library of MPI-5's ABI may be built upon another one, and stands for both.
 * @param[in]  program   a path, or a name to be found in PATH
 * @param[out] launched  the one whose launcher starts it: the same, but for the ABI that of whoever made the library found
 * @return HS__MPI_NONE for scripts, programs without MPI and those that load it later */
hs__mpi_flavour cli_program_mpi(const char *program, hs__mpi_flavour *launched);

#endif
