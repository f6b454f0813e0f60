/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/slices/spans.h"
#include "util/assert.h"

static int is_edge(const int64_t *count, int rank, int size, int step)
{
    for (int r = rank + step; r >= 0 && r < size; r += step)
        if (count[r] > 0)
            return 0;
    return 1;
}

/* What a rank is the source of under slices count[]: its units and, at a fixed edge, the boundary beyond them. */
static hs__span owned_span(const hs_layout *layout, const int64_t *count, int rank, int64_t halo)
{
    hs__span found = {hs__layout_first(count, rank), 0};
    found.end = found.first + count[rank];
    if (count[rank] == 0 || layout->edges == HS_PERIODIC)
        return found;
    if (is_edge(count, rank, layout->context->size, -1))
        found.first -= halo;
    if (is_edge(count, rank, layout->context->size, 1))
        found.end += halo;
    return found;
}

hs__span hs__needed_span(const int64_t *count, int rank, int64_t halo)
{
    int64_t first = hs__layout_first(count, rank);
    if (count[rank] == 0)
        return (hs__span){first, first};
    return (hs__span){first - halo, first + count[rank] + halo};
}

hs__span hs__span_in_both(hs__span a, hs__span b)
{
    int64_t first = a.first > b.first ? a.first : b.first, end = a.end < b.end ? a.end : b.end;
    return (hs__span){first, first < end ? end : first};
}

int64_t hs__wraps(const hs_layout *layout)
{
    return layout->edges == HS_PERIODIC ? 1 : 0;
}

hs__span hs__common_span(const hs_layout *layout, const int64_t *count, int64_t halo, int source, int sink,
                         int64_t shift)
{
    HS_ASSERT(shift == 0 || layout->edges == HS_PERIODIC);
    hs__span owned = owned_span(layout, layout->count, source, halo), needed = hs__needed_span(count, sink, halo);
    return hs__span_in_both((hs__span){owned.first + shift, owned.end + shift}, needed);
}
