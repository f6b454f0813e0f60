/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLATFORM_BOUNDS_H
#define HS_PLATFORM_BOUNDS_H

/* Of the links that a plan's routes cross, those whose bandwidth is only a lower bound: the plan may take less time than
 * it says, and another one may be better. */

#include <heteroslice/hs_platform.h>

typedef struct hs__bounds {
    const hs_platform *platform; /* borrowed */
    unsigned char *crossed;      /* by link; owned */
    int count, first;            /* of the links; the lowest index, -1: none */
} hs__bounds;

/** None yet. @return HS_OK; HS_ERR_NOMEM, and then it is empty and needs no end */
hs_status hs__bounds_begin(const hs_platform *platform, hs__bounds *bounds);
void hs__bounds_end(hs__bounds *bounds);

/** Add the links of a route that others may share: any of them can be what limits it. */
void hs__bounds_add(hs__bounds *bounds, const int *links, size_t count);

/** Add the links that limit a message alone on its route: a wider one is wide enough, whatever it really has. */
void hs__bounds_add_alone(hs__bounds *bounds, const hs_route *route);

#endif
