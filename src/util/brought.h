/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_BROUGHT_H
#define HS_UTIL_BROUGHT_H

#include "util/elf.h"

/** Note the names of the libraries that loading a file brings: those that it needs, that these need, and so on; what is
 * loaded already brings no more. They are looked for where the dynamic linker does: in folders that the files name (RUNPATH), in
 * the program's, and in those of ld.so.conf.
 * @param[in] file  as dlopen() takes it
 * Cost O(libraries not loaded yet): each is mapped and its dynamic section read, some 20 us. */
void hs__brought(const char *file, hs__elf_note *note, void *context);

#endif
