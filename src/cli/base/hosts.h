/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_CLI_BASE_HOSTS_H
#define HS_CLI_BASE_HOSTS_H

#include "cli/base/cli.h"
#include <heteroslice/hs_platform.h>

/** The hosts a planner is asked about: speeds that were typed, or those of a platform file. */
typedef struct cli_hosts {
    int count;
    double *speed;         /* [count] of all cores; owned */
    hs_platform *platform; /* whose hosts they are, with their numbers; NULL: they were typed; owned */
    json_t *names;         /* of the platform's hosts; NULL: they have numbers; owned */
} cli_hosts;

/** Check that exactly one of a platform file, --speeds and --speeds-file is given.
 * @return CLI_OK, or CLI_USAGE with one line on stderr */
int cli_check_hosts(const cli_verb *verb, const char *platform, const char *list, const char *path);

/** Read what cli_check_hosts() lets pass.
 * @param[out] hosts  all 0 on entry
 * @return CLI_OK: the caller frees hosts with cli_hosts_free(); CLI_BAD_INPUT after one line on stderr */
int cli_read_hosts(const cli_verb *verb, const char *platform, const char *list, const char *path, cli_hosts *hosts);

void cli_hosts_free(cli_hosts *hosts);

/** The names of a platform's hosts, in the order of their numbers; the caller's reference. */
json_t *cli_host_names(const hs_platform *platform);

/** Name host i: by the list, else, or where that has no name for it, by its number in buffer. */
const char *cli_host_name(const json_t *names, int i, char buffer[16]);

/** Add the names, if there are any, to an answer as "hosts". */
void cli_name_hosts(json_t *object, json_t *names);

/** How many hosts have a speed by size, and how many a largest slice. */
void cli_count_speeds_by_size(const hs_platform *platform, int *functions, int *limits);

/** Print whether a plan of so many bytes in all, 0 without --data, goes by the speed functions and largest slices that the
 * platform has; nothing when it has none and none was asked for. */
void cli_print_speeds_by_size(const hs_platform *platform, double data);

/** The width of a column of names under a heading of so many characters. */
int cli_host_width(const json_t *names, int heading);

/** Print host i at the right of a column of this width. */
void cli_print_host(const json_t *names, int i, int width);

#endif
