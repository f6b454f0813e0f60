/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_FILE_H
#define HS_UTIL_FILE_H

#include <heteroslice/hs_status.h>
#include <stdio.h>

/** A file that appears whole or not at all: written beside its path, renamed on commit. "-" is standard output.
 * Symbolic links stay: the file is the one that they lead to. A file that is there keeps its mode, and has to be
 * writable. */
typedef struct hs__file hs__file;

/** Open a temporary file beside path. The caller ends it with hs__file_commit() or hs__file_discard(). */
hs_status hs__file_create(const char *path, hs__file **file, hs_error *error);

/** Whether the file can be made, found out by making it beside its path; nothing is left. For who would learn it too
 * late. Nothing is written to a pipe or device. @return as hs__file_create() */
hs_status hs__file_try(const char *path, hs_error *error);

/** Lend the stream to write to. */
FILE *hs__file_stream(hs__file *file);

/** Flush, rename into place and free. On failure nothing is left at the path or beside it. */
hs_status hs__file_commit(hs__file *file, hs_error *error);

/** Remove the temporary file and free; NULL is fine. */
void hs__file_discard(hs__file *file);

#endif
