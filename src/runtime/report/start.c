/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a run starts: the file of its report, which is found to be unwritable before hours of computing and not after, and what
 * the clocks say. */
#include "config.h"

#include "runtime/base/environment.h"
#include "runtime/report/report.h"
#include "runtime/watch/sites.h"
#include "runtime/watch/watched.h"
#include "util/assert.h"
#include "util/file.h"
#include <string.h>
#include <time.h>

static hs__report_start self;

/* Programs take their arguments apart in place, some before MPI_Init. */
__attribute__((constructor)) static void keep_command(void)
{
    const char *wanted = hs__options_environment("HS_REPORT");
    FILE *file = wanted && wanted[0] ? fopen("/proc/self/cmdline", "re") : NULL;
    if (!file)
        return;
    self.command_size = fread(self.command, 1, sizeof self.command, file);
    if (self.command_size == sizeof self.command)
        self.command[sizeof self.command - 1] = '\0';
    fclose(file);
}

const hs__report_start *hs__report_started(void)
{
    return &self;
}

static void try_file(void)
{
    hs_error error = {0};
    if (hs__file_try(self.path, &error) != HS_OK)
        hs__environment_log(HS__LOG_ERROR, "HS_REPORT: %s (tried again at MPI_Finalize)", error.text);
}

void hs__report_begin(const char *path, int spawned, int is_first, double startup, const char *(*call_name)(int number))
{
    time_t now = time(NULL);
    struct tm utc;
    HS_ASSERT(startup >= 0 && call_name);
    if (gmtime_r(&now, &utc))
        strftime(self.date, sizeof self.date, "%Y-%m-%dT%H:%M:%SZ", &utc);
    self.startup = startup;
    self.call_name = call_name;
    self.timed = hs__watch_calls();
    if (path[0])
        hs__environment_path(path, self.path, sizeof self.path);
    if (path[0] && spawned && strcmp(path, "-") != 0)
        hs__environment_name_spawned(self.path, sizeof self.path);
    if (path[0] && is_first)
        try_file();
    if (path[0] && hs__environment()->sites) {
        hs__sites_start();
        hs__watch_closely();
    }
}
