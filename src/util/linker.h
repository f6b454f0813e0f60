/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_LINKER_H
#define HS_UTIL_LINKER_H

/** Tell the folders that the dynamic linker's configuration names, as ldconfig(8) reads it: also those of included files.
 * @param[in] file  "/etc/ld.so.conf"; one that cannot be read names none */
void hs__linker_folders(const char *file, void (*tell)(const char *folder, void *context), void *context);

#endif
