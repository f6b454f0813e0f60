/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_ELF_H
#define HS_UTIL_ELF_H

/* Which functions a program contains, from its symbol tables, and those of what is loaded, from the dynamic linker. */

#include <stddef.h>

/** Find functions that an ELF file of this machine's kind defines. A file that is none, is damaged or has been stripped
 * defines nothing.
 * @param[in]     file   its bytes, size of them
 * @param[in]     name   [n] of functions
 * @param[in,out] found  [n] set to 1 where the file defines the function; the rest stays
 * Cost O(symbols x n). */
void hs__elf_find(const void *file, size_t size, const char *const *name, int n, unsigned char *found);

/** The same of the running program. */
void hs__elf_find_own(const char *const *name, int n, unsigned char *found);

/** A function of an object that is loaded, or of a library that it needs. Objects that were loaded for a plugin alone, or under a
 * Python extension, are found by this way only.
 * @param[in] object  its path or soname; "" is the program
 * @return NULL when it is not loaded, or has no function of that name */
void *hs__elf_loaded(const char *object, const char *name);

#endif
