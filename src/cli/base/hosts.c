/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/hosts.h"
#include "cli/base/speeds.h"
#include "util/array.h"
#include "util/letters.h"
#include "util/plural.h"
#include <heteroslice/hs_units.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int cli_check_hosts(const cli_verb *verb, const char *platform, const char *list, const char *path)
{
    if (platform && (list || path))
        return cli_usage(verb, "a platform file and %s exclude each other", list ? "--speeds" : "--speeds-file");
    if (!platform && !list && !path)
        return cli_usage(verb, "no hosts given: expected a platform file, --speeds or --speeds-file");
    return platform ? CLI_OK : cli_check_speeds(verb, list, path);
}

static int read_platform(const cli_verb *verb, const char *path, cli_hosts *hosts)
{
    hs_error error;
    if (cli_read_platform(path, &hosts->platform, &error) != HS_OK)
        return cli_fail(verb, path, &error);
    hosts->count = hs_platform_hosts(hosts->platform);
    hosts->names = cli_host_names(hosts->platform);
    hosts->speed = hs__array_new((size_t)hosts->count, sizeof *hosts->speed);
    if (!hosts->speed) {
        cli_hosts_free(hosts);
        return cli_bad_value(verb, "out of memory");
    }
    for (int v = 0; v < hosts->count; v++)
        hosts->speed[v] = hs_platform_host_speed(hosts->platform, v) * hs_platform_host_cores(hosts->platform, v);
    return CLI_OK;
}

int cli_read_hosts(const cli_verb *verb, const char *platform, const char *list, const char *path, cli_hosts *hosts)
{
    if (platform)
        return read_platform(verb, platform, hosts);
    return cli_read_speeds(verb, list, path, &hosts->speed, &hosts->count);
}

void cli_hosts_free(cli_hosts *hosts)
{
    free(hosts->speed);
    json_decref(hosts->names);
    hs_platform_free(hosts->platform);
    *hosts = (cli_hosts){0};
}

json_t *cli_host_names(const hs_platform *platform)
{
    json_t *names = json_array();
    for (int v = 0; v < hs_platform_hosts(platform); v++)
        json_array_append_new(names, json_string(hs_platform_node_id(platform, v)));
    return names;
}

const char *cli_host_name(const json_t *names, int i, char buffer[16])
{
    const char *name = json_string_value(json_array_get(names, (size_t)i));
    if (name)
        return name;
    snprintf(buffer, 16, "%d", i);
    return buffer;
}

void cli_name_hosts(json_t *object, json_t *names)
{
    if (names)
        json_object_set(object, "hosts", names);
}

int cli_host_width(const json_t *names, int heading)
{
    char number[16];
    int width = heading;
    for (size_t i = 0; i < json_array_size(names); i++)
        width = hs__column_with(width, cli_host_name(names, (int)i, number));
    return width;
}

void cli_print_host(const json_t *names, int i, int width)
{
    char number[16];
    const char *name = cli_host_name(names, i, number);
    printf("%*s", hs__field(width, name), name);
}

void cli_count_speeds_by_size(const hs_platform *platform, int *functions, int *limits)
{
    *functions = *limits = 0;
    for (int v = 0; v < hs_platform_hosts(platform); v++) {
        const hs_speed_function *f = hs_platform_host_speed_function(platform, v);
        *functions += f->points > 0;
        *limits += f->max_size < INFINITY;
    }
}

void cli_print_speeds_by_size(const hs_platform *platform, double data)
{
    int functions, limits;
    char size[32];
    cli_count_speeds_by_size(platform, &functions, &limits);
    if (data > 0)
        printf("slices of %s in all: %d host%s with speeds by size, %d with a largest slice\n",
               hs_quantity_format(data, HS_UNIT_SIZE, size, sizeof size), functions, hs__plural(functions), limits);
    else if (functions + limits > 0)
        printf("without --data: %d host%s with speeds by size, %d with a largest slice, not used\n", functions,
               hs__plural(functions), limits);
}
