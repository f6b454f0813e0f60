/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_BROUGHT_H
#define HS_UTIL_BROUGHT_H

#include "util/elf.h"

/** Note the names of the libraries that loading a file brings: those that it needs, that these need, and so on; what is
 * loaded already brings no more. They are looked for in the folder of the file that needs them, then where the dynamic linker looks for
 * the program's; not in the folders that such a file names (RUNPATH) or that only the linker's cache has.
 * @param[in] file  as dlopen() takes it
 * Cost O(libraries not loaded yet): each is mapped and its dynamic section read, some 20 us. */
void hs__brought(const char *file, hs__elf_note *note, void *context);

#endif
