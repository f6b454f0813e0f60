/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_PATH_H
#define HS_UTIL_PATH_H

/** The last part of a path, in it: what follows the last slash. */
const char *hs__path_name(const char *path);

/** Remove what is there and, where that is a folder, all that is in it; links are removed and not followed. What cannot be removed
 * stays. */
void hs__path_remove(const char *path);

#endif
