/* SPDX-License-Identifier: BSD-3-Clause */
#include "platform/bounds.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>

hs_status hs__bounds_begin(const hs_platform *platform, hs__bounds *bounds)
{
    *bounds = (hs__bounds){.platform = platform, .first = -1};
    bounds->crossed = hs__array_new((size_t)hs_platform_links(platform), 1);
    return bounds->crossed ? HS_OK : HS_ERR_NOMEM;
}

void hs__bounds_end(hs__bounds *bounds)
{
    free(bounds->crossed);
    *bounds = (hs__bounds){.first = -1};
}

static void add(hs__bounds *bounds, const int *links, size_t count, double widest)
{
    for (size_t k = 0; k < count; k++) {
        int link = links[k];
        HS_ASSERT(link >= 0 && link < hs_platform_links(bounds->platform));
        if (bounds->crossed[link] || !hs_platform_link_at_least(bounds->platform, link) ||
            hs_platform_link_bandwidth(bounds->platform, link) > widest)
            continue;
        bounds->crossed[link] = 1;
        bounds->first = bounds->count == 0 || link < bounds->first ? link : bounds->first;
        bounds->count++;
    }
}

void hs__bounds_add(hs__bounds *bounds, const int *links, size_t count)
{
    add(bounds, links, count, INFINITY);
}

void hs__bounds_add_alone(hs__bounds *bounds, const hs_route *route)
{
    add(bounds, route->links, route->count, route->bandwidth);
}
