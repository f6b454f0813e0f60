/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_BASE_CACHE_FOLDER_H
#define HS_CLI_BASE_CACHE_FOLDER_H

/* Measurements that are kept: a file "platform-<hash of hosts and slots>.xml" for each set of hosts, in
 * $XDG_CACHE_HOME/heteroslice or ~/.cache/heteroslice. A file appears whole by renaming, so jobs that run at the same time,
 * or are killed, leave a whole file or none. */

#include "launch/host_list.h"
#include <heteroslice/hs_platform.h>
#include <stddef.h>

/** The folder, without a slash at its end. @return 0; -1 when neither variable is set or the path is too long */
int cache_folder(char *path, size_t size);

/** The file of these hosts. @return 0; -1 likewise */
int cache_file(const hs__hosts *hosts, char *path, size_t size);

/** Whether a name in the folder is that of a measurement; an unfinished one has six characters more. */
typedef enum cache_kind { CACHE_OTHER, CACHE_WHOLE, CACHE_UNFINISHED } cache_kind;
cache_kind cache_kind_of(const char *name);

/** What may be done with a file of the folder. */
typedef enum cache_state {
    CACHE_ABSENT,         /* there is none */
    CACHE_USABLE,         /* it can be read, and belongs to this user or root, who alone can have written it */
    CACHE_REFUSED,        /* the file must not be used, but may be replaced */
    CACHE_FOLDER_REFUSED, /* nothing in the folder may be used, or written there */
} cache_state;

/** Look at a file of the folder and at the folder. Never follows a symbolic link to the file.
 * @param[in]  hosts     that must be in it; NULL: any
 * @param[out] platform  NULL, or set to the platform when it is usable
 * @param[out] why       one line when refused, else "" */
cache_state cache_look(const char *path, const hs__hosts *hosts, hs_platform **platform, char *why, size_t size);

/** Make the folder when it is not there, and try to write as much as a measurement takes.
 * @return 0; -1 with one line in why */
int cache_writable(const char *path, char *why, size_t size);

#endif
