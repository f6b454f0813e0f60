/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_ELF_H
#define HS_UTIL_ELF_H

/* Which functions a program contains and which libraries a file needs, from their tables, and what is loaded, from the dynamic
 * linker. */

#include <stddef.h>

struct dl_phdr_info;

/** Find functions that an ELF file of this machine's kind defines. A file that is none, is damaged or has been stripped
 * defines nothing.
 * @param[in]     file   its bytes, size of them
 * @param[in]     name   [n] of functions
 * @param[in,out] found  [n] set to 1 where the file defines the function; the rest stays
 * Cost O(symbols x n). */
void hs__elf_find(const void *file, size_t size, const char *const *name, int n, unsigned char *found);

/** The same of the running program. */
void hs__elf_find_own(const char *const *name, int n, unsigned char *found);

typedef void hs__elf_note(const char *name, void *context);

/** Note the names of the libraries that an ELF file of this machine's kind needs, and its own (soname). A file that is none, or
 * is damaged, has none.
 * @param[in] file  its bytes, size of them */
void hs__elf_libraries(const void *file, size_t size, hs__elf_note *note, void *context);

/** The same of the file at a path. */
void hs__elf_libraries_of(const char *path, hs__elf_note *note, void *context);

/** Note where the file at a path has the libraries that it needs looked for (RUNPATH, RPATH): lists of folders, with colons
 * between them and $ORIGIN for the folder of the file. */
void hs__elf_folders_of(const char *path, hs__elf_note *note, void *context);

/** A function of an object that is loaded, or of a library that it needs. Objects that were loaded for a plugin alone, or under a
 * Python extension, are found by this way only.
 * @param[in] object  its path or soname; "" is the program
 * @return NULL when it is not loaded, or has no function of that name */
void *hs__elf_loaded(const char *object, const char *name);

/** What an entry of a loaded object's dynamic section points to. @return NULL where it has no such entry */
const void *hs__elf_dynamic(const struct dl_phdr_info *object, int tag);

/** Whether an address is in a loaded object. Unlike dladdr(), may be called by what dl_iterate_phdr() calls: another thread that
 * loads an object holds the lock of dladdr(), and waits for that of dl_iterate_phdr(). */
int hs__elf_holds(const struct dl_phdr_info *object, const void *address);

/** Hide what a loaded object defines from the dynamic linker, or show it again. What is hidden is found neither for objects that
 * are loaded later nor by dlsym(); what is bound stays bound. Of the GNU C library.
 * @return 0 where that is not possible; then nothing has changed */
int hs__elf_toggle(const struct dl_phdr_info *object);

#endif
