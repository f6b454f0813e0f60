/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/pages.h"
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* The first address of a page at or behind an address, and the last one at or before it. */
static uintptr_t page_up(uintptr_t address, uintptr_t page)
{
    return (address + page - 1) / page * page;
}

static uintptr_t page_down(uintptr_t address, uintptr_t page)
{
    return address / page * page;
}

static int give_back(uintptr_t first, uintptr_t end)
{
    return first < end && madvise((void *)first, end - first, MADV_DONTNEED) == 0;
}

void hs__pages_zero(void *memory, size_t bytes)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)memory;
    uintptr_t first = page_up(begin, page), end = page_down(begin + bytes, page);
    if (!give_back(first, end)) {
        memset(memory, 0, bytes);
        return;
    }
    memset(memory, 0, first - begin);
    memset((void *)end, 0, begin + bytes - end);
}

size_t hs__pages_release(void *memory, size_t from, size_t to)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), begin = (uintptr_t)memory;
    uintptr_t first = page_up(begin, page), done = page_down(begin + from, page), end = page_down(begin + to, page);
    first = done > first ? done : first;
    return give_back(first, end) ? end - first : 0;
}
