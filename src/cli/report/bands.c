/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/report/bands.h"
#include "cli/report/html.h"
#include "util/assert.h"
#include <string.h>

/* POINTS for a few bands; of more bands as many as keep bands x points below NUMBERS. */
enum { BANDS = 64, POINTS = 400, NUMBERS = 6400 };

double report_phase_time(const hs__trace_entry *phase)
{
    return (double)phase->phase.iterations * phase->phase.step;
}

static int first_rank(const report_bands *b, int band)
{
    return (int)(((int64_t)band * b->trace->ranks + b->count - 1) / b->count);
}

/* Whether the slices are others than in the phase before. */
static int changes(const hs__trace *trace, size_t phase)
{
    return phase == 0 || memcmp(trace->entry[phase].phase.units, trace->entry[phase - 1].phase.units,
                                (size_t)trace->ranks * sizeof(int64_t)) != 0;
}

static void fill_edges(const report_bands *b, const int64_t *units, double *edge)
{
    int64_t all = 0, before = 0;
    for (int r = 0; r < b->trace->ranks; r++)
        all += units[r];
    for (int band = 0, r = 0; band <= b->count; band++) {
        for (; r < first_rank(b, band); r++)
            before += units[r];
        edge[band] = all > 0 ? (double)before / (double)all : 0;
    }
    HS_ASSERT(before == all);
}

static void fill(report_bands *b, size_t stride, size_t last)
{
    size_t change = 0;
    for (size_t i = 0; i < b->trace->entries; i++) {
        if (changes(b->trace, i)) {
            if (change % stride == 0 || change == last) {
                b->begun[b->points] = b->time;
                fill_edges(b, b->trace->entry[i].phase.units, b->edge + b->points * (size_t)(b->count + 1));
                b->points++;
            }
            change++;
        }
        b->time += report_phase_time(&b->trace->entry[i]);
    }
}

hs_status report_bands_make(const hs__trace *trace, report_bands *bands)
{
    *bands = (report_bands){.trace = trace, .count = trace->ranks < BANDS ? trace->ranks : BANDS};
    size_t all = 0, most = (size_t)(NUMBERS / bands->count < POINTS ? NUMBERS / bands->count : POINTS);
    for (size_t i = 0; i < trace->entries; i++)
        all += (size_t)changes(trace, i);
    size_t stride = all / most + 1, room = all / stride + 2;
    bands->begun = hs__pool_new(&bands->pool, room, sizeof *bands->begun);
    bands->edge = hs__pool_new(&bands->pool, room * (size_t)(bands->count + 1), sizeof *bands->edge);
    hs_status status = hs__pool_complete(&bands->pool);
    if (status == HS_OK)
        fill(bands, stride, all - 1);
    HS_ASSERT(bands->points <= room);
    return status;
}

void report_bands_free(report_bands *bands)
{
    hs__pool_free(&bands->pool);
    *bands = (report_bands){0};
}

/* Which rank of the run a rank of the layout is; -1: the log does not say, or the report is of another run. */
static int world_of(const hs__trace *trace, int rank, const report_run *run)
{
    int64_t world = trace->world ? trace->world[rank] : -1;
    return world >= 0 && world < run->ranks ? (int)world : -1;
}

static const char *host_of(const hs__trace *trace, int rank, const report_run *run)
{
    int world = world_of(trace, rank, run);
    return world >= 0 ? run->rank[world].name : NULL;
}

/* Whether all ranks first to last of the layout are on this host. */
static int are_on(const hs__trace *trace, int first, int last, const report_run *run, const char *host)
{
    for (int r = first; r <= last; r++) {
        const char *own = host_of(trace, r, run);
        if (!own || !host || strcmp(own, host) != 0)
            return 0;
    }
    return 1;
}

const char *report_band_host(const report_bands *bands, int band, const report_run *run)
{
    return host_of(bands->trace, first_rank(bands, band), run);
}

void report_band_name(const report_bands *bands, int band, const report_run *run, char *name, size_t size)
{
    int first = first_rank(bands, band), last = first_rank(bands, band + 1) - 1;
    const char *from = host_of(bands->trace, first, run), *to = host_of(bands->trace, last, run);
    int world = world_of(bands->trace, first, run);
    int length = first == last ? snprintf(name, size, "rank %d", world >= 0 ? world : first)
                               : snprintf(name, size, "ranks %d to %d of the layout", first, last);
    HS_ASSERT(length > 0 && (size_t)length < size);
    if (are_on(bands->trace, first, last, run, from))
        snprintf(name + length, size - (size_t)length, " on %s", from);
    else if (from && to && strcmp(from, to) == 0)
        snprintf(name + length, size - (size_t)length, ", on %s and others", from);
    else if (from && to)
        snprintf(name + length, size - (size_t)length, ", from %s to %s", from, to);
    html_cut(name, size - 4);
}
