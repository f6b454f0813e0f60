/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_PARTITION_LOOKUP_H
#define HS_INTERPOSE_PARTITION_LOOKUP_H

/* The partitioners' own functions. This library is not linked to any of them: it finds them where the program has them. */

#include "runtime/watch/sites.h"
#include <stddef.h>

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

/** A call of a wrapper: the function's name, and an address in the calling code or NULL. */
typedef struct hs__call_site {
    const char *call;
    const void *caller;
} hs__call_site;

#define HS__CALL_SITE ((hs__call_site){__func__, HS__CALLER})

/** The file of the code at an address, without folders; bytes that are not ASCII become '?'. Empty where it is not known. */
void hs__object_name(const void *address, char *name, size_t size);

#endif
