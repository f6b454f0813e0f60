/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/balance/tell.h"
#include "runtime/base/world_handle.h"
#include "runtime/watch/drifts.h"
#include "util/plural.h"
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

void hs__tell_sheet(const hs_context *context, const hs__balance_sheet *sheet)
{
    if (sheet->seconds > 0 && context->rank == 0)
        hs__context_log(
            context, HS__LOG_INFO,
            "moved %d time%s, cost %.3g s, brought %.3g s; ideal balance would have taken %.0f %% less time",
            sheet->moves, hs__plural(sheet->moves), sheet->cost, sheet->brought,
            100 * (sheet->lost + sheet->cost) / (sheet->seconds + sheet->cost));
}

void hs__tell_off(const hs_context *context, const hs__balance_sheet *sheet, double lost)
{
    if (context->rank != 0)
        return;
    if (sheet->off_until > 0)
        hs__context_log(
            context, HS__LOG_WARN,
            "balancing is off until it would have saved %.3g s: moved %d time%s, cost %.3g s, brought %.3g s",
            sheet->off_until, sheet->moves, hs__plural(sheet->moves), sheet->cost, sheet->brought);
    else
        hs__context_log(context, HS__LOG_WARN, "balancing is on again, as it would have saved %.3g s", lost);
}

void hs__tell_phase(const hs_context *context, int64_t iteration, double step, double overhead, int64_t length,
                    const hs__decision *decision, int hurries)
{
    if (context->rank == 0)
        hs__context_log(
            context, HS__LOG_DEBUG,
            "iteration %lld: step %.3g s, now %.3g s, best %.3g s, error %.2g, lost %.3g s, a move costs %.3g s, "
            "overhead %.3g s, next phase %lld iterations%s",
            (long long)iteration, step, decision->now, decision->best, decision->error, decision->loss, decision->price,
            overhead, (long long)length, hurries ? ", a drift is suspected" : "");
}

void hs__tell_turns(const hs_context *context)
{
    hs__context_log(context, HS__LOG_WARN,
                    "threads take turns in ending iterations, so what they compute is not known, and nothing moves: "
                    "say when the program computes (hs_compute_begin(), hs_blocks_compute_begin())");
}

void hs__tell_blind(const hs_context *context)
{
    hs__context_log(
        context, HS__LOG_WARN,
        "no MPI call of this thread was seen, so waiting counts as computing: link by pkg-config --libs heteroslice "
        "before the MPI library, import heteroslice before mpi4py, start the program by hs run, or say when it "
        "computes (hs_compute_begin(), hs_blocks_compute_begin())");
}
