/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_DUPLEX_H
#define HS_TESTS_DUPLEX_H

#include "platform/platform.h"

/** Give a link this bandwidth, of a SPLITDUPLEX link both halves. */
static inline void set_duplex(hs_platform *platform, int link, double bandwidth)
{
    int twin = hs_platform_link_twin(platform, link);
    hs__platform_set_bandwidth(platform, link, bandwidth);
    if (twin >= 0)
        hs__platform_set_bandwidth(platform, twin, bandwidth);
}

#endif
