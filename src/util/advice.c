/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/advice.h"
#include "util/assert.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Parts of a run that are worth advice. */
#define WORTH 0.05
#define COMMUNICATING 0.2
#define CROWDED 0.1

static int is(const char *setting, const char *value)
{
    return setting && strcmp(setting, value) == 0;
}

static hs__advice advise_on_imbalance(const hs__run_facts *f)
{
    if (is(f->balance, "off") || is(f->balance, "static"))
        return HS__ADVISE_BALANCING;
    if (f->calls_balance)
        return HS__ADVISE_DECISIONS;
    return f->hosts > 1 && !f->platform ? HS__ADVISE_MORE_ON_FASTER : HS__ADVISE_PARTS;
}

void hs__advice_add_host(hs__run_facts *facts, int ranks, double queue, double run)
{
    if (ranks > 1 && run > 0)
        facts->queue = fmax(facts->queue, queue / ranks / run);
}

hs__advice hs__advice_choose(const hs__run_facts *f)
{
    if (f->queue > CROWDED)
        return HS__ADVISE_FEWER_RANKS;
    if (f->lost >= WORTH)
        return advise_on_imbalance(f);
    if (f->communicating <= COMMUNICATING)
        return HS__ADVISE_NOTHING;
    return f->hosts > 1 && !is(f->reorder, "topology") && !is(f->reorder, "world") ? HS__ADVISE_REORDERING
                                                                                   : HS__ADVISE_FEWER_MESSAGES;
}

const char *hs__advice_command(const hs__run_facts *f, char text[HS__ADVICE_SIZE])
{
    static const char *const variable[] = {[HS__ADVISE_FEWER_RANKS] = "",
                                           [HS__ADVISE_BALANCING] = "HS_BALANCE=on ",
                                           [HS__ADVISE_DECISIONS] = "HS_LOG_DECISIONS=decisions ",
                                           [HS__ADVISE_MORE_ON_FASTER] = "",
                                           [HS__ADVISE_REORDERING] = "HS_REORDER=topology ",
                                           [HS__ADVISE_FEWER_MESSAGES] = NULL};
    hs__advice advice = hs__advice_choose(f);
    const char *hosts = f->run_hosts && strlen(f->run_hosts) < HS__ADVICE_SIZE / 2 ? f->run_hosts : "";
    char lab[64] = "", ranks[32] = "";
    text[0] = '\0';
    if (!variable[advice] || (advice == HS__ADVISE_DECISIONS && f->logs_decisions))
        return text;
    if (f->lab && f->lab[0])
        snprintf(lab, sizeof lab, " --lab %s", f->lab);
    if (advice != HS__ADVISE_FEWER_RANKS)
        snprintf(ranks, sizeof ranks, " -n %d", f->ranks);
    int length = snprintf(text, HS__ADVICE_SIZE, "%shs run%s%s%s%s --", variable[advice], lab, hosts[0] ? " " : "",
                          hosts, ranks);
    HS_ASSERT(length < HS__ADVICE_SIZE);
    return text;
}
