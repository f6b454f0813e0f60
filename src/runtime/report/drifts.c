/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/report/drifts.h"
#include "runtime/watch/drifts.h"
#include <heteroslice/hs_units.h>

enum { MOST_LINES = 6 };

static const char *const kinds[] = {"host", "messages", "link"};

json_t *hs__drifts_json(void)
{
    hs__drift_note notes[HS__MAX_DRIFTS];
    json_t *list = json_array();
    int n = hs__drifts_noted(notes);
    for (int k = 0; k < n; k++) {
        const hs__drift_note *note = &notes[k];
        json_t *drift = json_pack("{s:s,s:o,s:I,s:f,s:f}", "of", kinds[note->what], "rank",
                                  note->world >= 0 ? json_integer(note->world) : json_null(), "iteration",
                                  (json_int_t)note->iteration, "before", note->before, "after", note->after);
        if (note->link[0])
            json_object_set_new(drift, "link", hs__report_name(note->link));
        json_array_append_new(list, drift);
    }
    return list;
}

json_t *hs__drifts_merge(json_t *const *lists, int ranks)
{
    json_t *all = json_array();
    for (int r = 0; r < ranks; r++)
        if (lists[r])
            json_array_extend(all, lists[r]);
    return all;
}

static void print_host(FILE *out, const hs__drift_note *note, const hs__rank_report *ranks, int n)
{
    fprintf(out, "heteroslice: host %s (rank %d) takes %.3g times as long for a unit since iteration %lld\n",
            note->world >= 0 && note->world < n ? ranks[note->world].host : "?", note->world,
            note->after / note->before, (long long)note->iteration);
}

static void print_link(FILE *out, const hs__drift_note *note)
{
    char before[32], after[32];
    fprintf(out, "heteroslice: link %s carries %s since iteration %lld, %s before\n", note->link,
            hs_quantity_format(note->after, HS_UNIT_BANDWIDTH, after, sizeof after), (long long)note->iteration,
            hs_quantity_format(note->before, HS_UNIT_BANDWIDTH, before, sizeof before));
}

static void print_messages(FILE *out, const hs__drift_note *note)
{
    char before[32], after[32];
    fprintf(out, "heteroslice: messages take %s of a step since iteration %lld, %s before, and no host is slower\n",
            hs_quantity_format(note->after, HS_UNIT_TIME, after, sizeof after), (long long)note->iteration,
            hs_quantity_format(note->before, HS_UNIT_TIME, before, sizeof before));
}

void hs__drifts_print(FILE *out, const hs__rank_report *ranks, int n)
{
    hs__drift_note notes[HS__MAX_DRIFTS];
    int count = hs__drifts_noted(notes);
    for (int k = 0; k < count && k < MOST_LINES; k++)
        if (notes[k].what == HS__DRIFTED_HOST)
            print_host(out, &notes[k], ranks, n);
        else if (notes[k].what == HS__DRIFTED_LINK)
            print_link(out, &notes[k]);
        else
            print_messages(out, &notes[k]);
    if (count > MOST_LINES)
        fprintf(out, "heteroslice: ... and %d changes more\n", count - MOST_LINES);
}
