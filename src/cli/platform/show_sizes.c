/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/platform/show_sizes.h"
#include <heteroslice/hs_units.h>
#include <math.h>
#include <stdio.h>

int cli_has_sizes(const hs_speed_function *function)
{
    return function->points > 0 || function->max_size < INFINITY;
}

void cli_print_sizes(const hs_speed_function *function)
{
    char size[32], speed[32];
    for (int k = 0; k < function->points; k++)
        printf("%s%s with %s", k > 0 ? ", " : "",
               hs_quantity_format(function->point[k].speed, HS_UNIT_SPEED, speed, sizeof speed),
               hs_quantity_format(function->point[k].size, HS_UNIT_SIZE, size, sizeof size));
    if (function->max_size < INFINITY)
        printf("%sat most %s", function->points > 0 ? "; " : "",
               hs_quantity_format(function->max_size, HS_UNIT_SIZE, size, sizeof size));
    putchar('\n');
}

void cli_add_sizes(json_t *host, const hs_speed_function *function)
{
    json_t *points = json_array();
    for (int k = 0; k < function->points; k++)
        json_array_append_new(
            points, json_pack("{s:f, s:f}", "size", function->point[k].size, "speed", function->point[k].speed));
    if (function->points > 0)
        json_object_set(host, "speed_by_size", points);
    json_decref(points);
    if (function->max_size < INFINITY)
        json_object_set_new(host, "max_slice", json_real(function->max_size));
}
