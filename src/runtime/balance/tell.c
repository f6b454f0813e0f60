/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/balance/tell.h"
#include "runtime/base/world_handle.h"
#include "runtime/watch/drifts.h"
#include <heteroslice/hs_units.h>
#include <string.h>

void hs__tell_drift(const hs_context *context, const hs__drift *drift, int64_t end)
{
    if (context->rank != 0 || drift->kind == HS__DRIFT_NONE)
        return;
    hs__drift_note note = {.what = drift->kind == HS__DRIFT_HOST ? HS__DRIFTED_HOST : HS__DRIFTED_MESSAGES,
                           .world = hs__world_rank(context->internal, drift->rank),
                           .iteration = end - drift->iterations,
                           .before = drift->before,
                           .after = drift->after};
    hs__drifts_note(&note);
    if (drift->kind == HS__DRIFT_HOST)
        hs__context_log(context, HS__LOG_INFO, "rank %d takes %.3g times as long for a unit since iteration %lld",
                        drift->rank, drift->after / drift->before, (long long)note.iteration);
    else
        hs__context_log(context, HS__LOG_INFO,
                        "messages take %.3g s of a step since iteration %lld, %.3g s before, and no host is slower",
                        drift->after, (long long)note.iteration, drift->before);
}

_Static_assert(sizeof((hs__link_found){0}.id) == sizeof((hs__drift_note){0}.link), "an id of a link fits");

void hs__tell_link(const hs_context *context, const hs__link_found *link, int64_t since)
{
    char before[32], after[32];
    if (context->rank != 0)
        return;
    hs__drift_note note = {.what = HS__DRIFTED_LINK,
                           .world = hs__world_rank(context->internal, 0),
                           .iteration = since,
                           .before = link->before,
                           .after = link->after};
    memcpy(note.link, link->id, sizeof note.link);
    hs__drifts_note(&note);
    hs__context_log(context, HS__LOG_INFO, "link %s%s%s%s carries %s since iteration %lld, %s before", link->id,
                    link->shared ? ", both ways," : "", link->host[0] ? " of host " : "", link->host,
                    hs_quantity_format(link->after, HS_UNIT_BANDWIDTH, after, sizeof after), (long long)since,
                    hs_quantity_format(link->before, HS_UNIT_BANDWIDTH, before, sizeof before));
}

void hs__tell_no_link(const hs_context *context, int64_t since)
{
    if (context->rank == 0)
        hs__context_log(context, HS__LOG_INFO,
                        "no link explains what was measured for messages that changed with iteration %lld",
                        (long long)since);
}
