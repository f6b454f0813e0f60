/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/bounds.h"
#include <stdio.h>

void cli_print_bounds(const hs__bounds *bounds)
{
    if (bounds->count > 0)
        printf(
            "\nlinks in use whose bandwidth is only a lower bound: %d (first: %s); it may take less time, and another "
            "plan may be better\n",
            bounds->count, hs_platform_link_id(bounds->platform, bounds->first));
}

void cli_name_bounds(json_t *object, const hs__bounds *bounds)
{
    if (bounds->count == 0)
        return;
    json_t *ids = json_array();
    for (int l = bounds->first; l < hs_platform_links(bounds->platform); l++)
        if (bounds->crossed[l])
            json_array_append_new(ids, json_string(hs_platform_link_id(bounds->platform, l)));
    json_object_set_new(object, "at_least", ids);
}
