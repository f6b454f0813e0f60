/* SPDX-License-Identifier: BSD-3-Clause */
/* hs generate: a random platform file of three levels. */
#include "cli/base/cli.h"
#include "cli/base/verbs.h"
#include "util/assert.h"
#include <heteroslice/hs_platform.h>
#include <limits.h>

int cli_generate(const cli_verb *verb, int argc, char **argv)
{
    int64_t hosts = 0, routers = 0, links = 0, seed = 1;
    const char *path = "-";
    const cli_option options[] = {
        {.name = "--hosts", .kind = CLI_INTEGER, .target = &hosts, .at_least = 1, .at_most = INT_MAX},
        {.name = "--routers", .kind = CLI_INTEGER, .target = &routers, .at_least = 1, .at_most = INT_MAX},
        {.name = "--links", .kind = CLI_INTEGER, .target = &links, .at_least = 1, .at_most = INT_MAX},
        {.name = "--seed", .kind = CLI_INTEGER, .target = &seed, .at_least = 0},
        {.name = "-o", .kind = CLI_OUTPUT, .target = &path},
        {.name = NULL}};
    int code = cli_parse(verb, argc, argv, options, NULL, 0, NULL);
    if (code != CLI_OK)
        return code;
    if (!hosts || !routers || !links)
        return cli_usage(verb, "%s is missing", !hosts ? "--hosts" : !routers ? "--routers" : "--links");
    hs_platform *platform;
    hs_error error;
    if (hs_platform_generate((int)hosts, (int)routers, (int)links, (uint64_t)seed, &platform, &error) != HS_OK)
        return cli_fail(verb, NULL, &error);
    HS_ASSERT(hs_platform_hosts(platform) == hosts && hs_platform_routers(platform) == routers);
    if (hs_platform_write(platform, path, &error) != HS_OK)
        code = cli_fail(verb, NULL, &error);
    hs_platform_free(platform);
    return code;
}
