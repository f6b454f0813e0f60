/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_PARTITION_INTEGERS_H
#define HS_INTERPOSE_PARTITION_INTEGERS_H

/* Arrays of a partitioner's integers, which have 32 bits or are wide and have 64. */

#include <stdint.h>

static inline int64_t hs__integer_get(const void *numbers, int wide, int64_t i)
{
    return wide ? ((const int64_t *)numbers)[i] : ((const int32_t *)numbers)[i];
}

static inline void hs__integer_set(void *numbers, int wide, int64_t i, int64_t value)
{
    if (wide)
        ((int64_t *)numbers)[i] = value;
    else
        ((int32_t *)numbers)[i] = (int32_t)value;
}

#endif
