/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_BASE_ENVIRONMENT_H
#define HS_RUNTIME_BASE_ENVIRONMENT_H

#include "util/options.h"
#include <mpi.h>

/** The process's HS_ variables, read when they are first asked for. Any thread; lives forever. */
const hs__options *hs__environment(void);

/** A path that a variable names, made absolute: a relative one is one of the folder that was the process's when its variables
 * were read, since the program may go elsewhere. "-" is none. Any thread.
 * @param[out] absolute  size bytes; a path that is too long is cut */
void hs__environment_path(const char *path, char *absolute, size_t size);

/** What a file of a process that MPI has spawned is called instead, since its parents write the file of that name: "run.json"
 * becomes "run-spawned-4711.json". */
void hs__environment_name_spawned(char *path, size_t size);

/** The file that HS_PLATFORM names, made absolute likewise; NULL: none. Any thread; lives forever. */
const char *hs__environment_platform(void);

/** Make another rank's values this process's, but for those of a rank or a host. One thread, while MPI is initialised. */
void hs__environment_adopt(const hs__options *others);

/** Make those of rank 0 everybody's likewise; collective over comm. */
void hs__environment_share(MPI_Comm comm);

/** Zero what may differ from rank to rank. */
void hs__environment_blank(hs__options *options);

/** Print a line on stderr if HS_LOG asks for that level: what the process says outside of any context. Any thread. */
void hs__environment_log(hs__log_level level, const char *format, ...) __attribute__((format(printf, 2, 3)));

/** Tell on stderr what is wrong with them, a line each, the first time this is called in the process. */
void hs__environment_complain(void);

#endif
