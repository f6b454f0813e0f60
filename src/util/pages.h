/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_UTIL_PAGES_H
#define HS_UTIL_PAGES_H

#include <stddef.h>

/** Zero memory from malloc() and its kin without taking pages for it: whole pages go back to the system, which gives
 * zeroed ones when they are touched. */
void hs__pages_zero(void *memory, size_t bytes);

/** Give the whole pages of memory[0] to memory[to - 1] back to the system, but those that calls with `to` up to the
 * present `from` have given back. They stay allocated; their contents are lost.
 * @return bytes given back by this call; 0 where the system takes none */
size_t hs__pages_release(void *memory, size_t from, size_t to);

#endif
