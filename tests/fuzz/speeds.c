/* SPDX-License-Identifier: BSD-3-Clause */
/* Files of speeds, for hs columns, grid and others. */
#include "cli/base/help.h"
#include "cli/base/speeds.h"
#include "tests/fuzz/fuzz.h"
#include <math.h>

/* Nobody asks for help here; its pages are part of hs alone. */
void cli_print_help(const cli_verb *verb)
{
    FUZZ_CHECK(!verb);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const cli_verb verb = {.name = "columns", .usage = "", .summary = ""};
    double *speed = NULL;
    int hosts = 0;
    if (cli_read_speeds(&verb, NULL, fuzz_file(data, size), &speed, &hosts) != CLI_OK)
        return 0;
    FUZZ_CHECK(hosts >= 1);
    for (int i = 0; i < hosts; i++)
        FUZZ_CHECK(speed[i] >= 0 && isfinite(speed[i]));
    free(speed);
    return 0;
}
