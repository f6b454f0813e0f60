/* SPDX-License-Identifier: BSD-3-Clause */
/* Logs of decisions: read, decided again, and by other rules. */
#include "config.h"

#include "plan/decision/replay.h"
#include "tests/fuzz/fuzz.h"
#include <math.h>

enum { FEW_RANKS = 8, FEW_PHASES = 100 };

static void replay(const hs__trace *trace)
{
    static const hs__decide_rule rules[] = {
        {HS__DECIDE_LEAST_GAIN, 1}, {HS__DECIDE_LEAST_GAIN, INFINITY}, {HS__DECIDE_LEAST_GAIN, 0}};
    int line;
    hs__replay_outcome outcome;
    if (trace->ranks > FEW_RANKS || trace->entries > FEW_PHASES)
        return;
    hs__replay_measured(trace);
    FUZZ_CHECK(hs__replay_verify(trace, &line) == HS_OK);
    for (size_t k = 0; k < sizeof rules / sizeof *rules && trace->has_slices; k++)
        FUZZ_CHECK(hs__replay_suppose(trace, &rules[k], 1, &outcome) == HS_OK);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    hs__traces traces;
    hs_error error;
    FILE *stream = fopen(fuzz_file(data, size), "r");
    FUZZ_CHECK(stream);
    hs_status status = hs__traces_read(stream, &traces, &error);
    fclose(stream);
    if (status != HS_OK) {
        fuzz_check_error(&error);
        return 0;
    }
    FUZZ_CHECK(traces.count >= 1);
    for (size_t i = 0; i < traces.count; i++)
        replay(&traces.trace[i]);
    hs__traces_free(&traces);
    return 0;
}
