/* SPDX-License-Identifier: BSD-3-Clause */
/* Reports of runs, as `hs report` reads them, and the page that it makes of them. */
#include "cli/report/sections.h"
#include "tests/fuzz/fuzz.h"

static void write_page(const report_run *run)
{
    FILE *out = fopen("/dev/null", "w");
    FUZZ_CHECK(out);
    report_summary(out, run, NULL);
    report_time(out, run);
    FUZZ_CHECK(report_hosts(out, run, NULL) == HS_OK);
    report_drifts(out, run);
    report_partitions(out, run);
    report_ranks(out, run);
    FUZZ_CHECK(report_messages(out, run) == HS_OK && report_calls(out, run) == HS_OK);
    report_settings(out, run);
    report_changes(out, run, run, 1);
    fclose(out);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    report_run run;
    hs_error error;
    json_t *root = json_loadb((const char *)data, size, 0, NULL);
    if (!root)
        return 0;
    if (report_run_read("run.json", root, &run, &error) != HS_OK) {
        fuzz_check_error(&error);
        return 0;
    }
    FUZZ_CHECK(run.ranks >= 1 && run.hosts >= 1 && run.hosts <= run.ranks);
    write_page(&run);
    report_run_free(&run);
    return 0;
}
