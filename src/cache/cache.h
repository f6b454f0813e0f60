/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CACHE_CACHE_H
#define HS_CACHE_CACHE_H

/* Measurements that are kept: a file "platform-<hash of hosts and their ranks>.xml" for each set of hosts, in
 * $XDG_CACHE_HOME/heteroslice or ~/.cache/heteroslice; a variable that is no absolute path counts as not set. A file
 * appears whole by renaming, so jobs that run at the same time, or are killed, leave a whole file or none. */

#include <heteroslice/hs_platform.h>
#include <stddef.h>
#include <stdint.h>

enum { HS__CACHE_PATH = 4096, HS__CACHE_WHY = 300 };

/** Seconds that a measurement counts. */
static const double HS__CACHE_MAX_AGE = 7 * 24 * 3600.0;

/** A host of a measurement. */
typedef struct hs__cache_host {
    const char *name;
    int64_t ranks; /* that measured there at the same time */
} hs__cache_host;

/** The folder, without a slash at its end. @return 0; -1 when neither variable is set or the path is too long */
int hs__cache_folder(char *path, size_t size);

/** The file of n different hosts, which are put into the order of their names: the same set has the same file. @return 0; -1
 * likewise */
int hs__cache_file(hs__cache_host *host, size_t n, char *path, size_t size);

/** Whether a name in the folder is that of a measurement; an unfinished one has six characters more. */
typedef enum hs__cache_kind { HS__CACHE_OTHER, HS__CACHE_WHOLE, HS__CACHE_UNFINISHED } hs__cache_kind;
hs__cache_kind hs__cache_kind_of(const char *name);

/** What may be done with a file of the folder. */
typedef enum hs__cache_state {
    HS__CACHE_ABSENT,         /* there is none */
    HS__CACHE_USABLE,         /* it can be read, and belongs to this user or root, who alone can have written it */
    HS__CACHE_REFUSED,        /* the file must not be used, but may be replaced */
    HS__CACHE_FOLDER_REFUSED, /* nothing in the folder may be used, or written there */
} hs__cache_state;

/** Look at a file of the folder and at the folder. Never follows a symbolic link to the file.
 * @param[in]  host      [n] that must be in it
 * @param[out] platform  NULL, or set to the platform when it is usable
 * @param[out] why       one line when refused, else "" */
hs__cache_state hs__cache_look(const char *path, const hs__cache_host *host, size_t n, hs_platform **platform,
                               char *why, size_t size);

/** Seconds since a file was written; INFINITY when it is not there, or marked, which has lost the time. */
double hs__cache_age(const char *path);

/** Write "5 minutes", "3 hours", "2 days". @return text */
const char *hs__cache_age_text(double seconds, char *text, size_t size);

/** Let the file be refused from now on, as it was found not to hold.
 * @return whether it is; 0 when that is not possible, or its name is not that of a measurement */
int hs__cache_mark(const char *path);

/** Make the folder when it is not there, remove a file there that was refused, and try to write as much as a measurement
 * takes. @return 0; -1 with one line in why */
int hs__cache_prepare(const char *path, char *why, size_t size);

/** Write a measurement, whole, in the place of one that is there. @return 0; -1 with one line in why: nothing is changed, but
 * for what was refused */
int hs__cache_write(const char *path, const hs_platform *platform, char *why, size_t size);

/** The same in the place of a measurement of the same links, whose date it gets: age counts from when links were measured.
 * @return as hs__cache_write(); -1 also when there is none, or its name is not that of a measurement */
int hs__cache_refresh(const char *path, const hs_platform *platform, char *why, size_t size);

#endif
