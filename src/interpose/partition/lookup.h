/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_PARTITION_LOOKUP_H
#define HS_INTERPOSE_PARTITION_LOOKUP_H

/* The partitioners' own functions. This library is not linked to any of them: it finds them where the program has them. */

/** Some function; cast to its own type before it is called. */
typedef void (*hs__foreign_function)(void);

/** The function that the caller would have reached without this library: the next one in the order of the dynamic linker,
 * else the one that the caller's object or its libraries define, as when they were loaded by dlopen with RTLD_LOCAL.
 * @param caller  an address in the calling code; NULL: only the first way
 * @return NULL where there is none */
hs__foreign_function hs__partitioner(const char *name, const void *caller);

/** The same, of the library that defines another of its functions. @return NULL where it has none of that name */
hs__foreign_function hs__partitioner_beside(const char *name, hs__foreign_function other);

/** Tell, once a name, that a function of this name is called and nobody defines it. */
void hs__partitioner_missing(const char *name);

/** Where the wrapper was called from. */
#define HS__CALLER __builtin_extract_return_addr(__builtin_return_address(0))

#endif
