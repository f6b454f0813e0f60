/* SPDX-License-Identifier: BSD-3-Clause */
/* COL-PERI-MAX (matmul-redistribution-2000, section 2.3, theorem 3: NP-complete).
 *
 * A column whose areas add up to w and whose largest is s has the largest half perimeter w + s / w. Up to
 * HS_COLUMNS_MAX_EXACT hosts a dynamic program over subsets is exact: the largest rank not placed yet leads a column,
 * and all sets of followers are tried. Beyond, the best columns of consecutive ranks are found first: under a bound M a
 * column led by s may have any width between the roots of w^2 - M w + s, so the ends that a beginning reaches form an
 * interval, and bisection on M ends at the optimum of that class. It is not the optimum of all (errata: 32 of 78 small
 * cases), so local search follows, see max_search.c. */
#include "plan/columns/columns.h"

#include "util/assert.h"
#include "util/pool.h"
#include <math.h>
#include <stdint.h>
#include <string.h>

/* ---- Columns of consecutive ranks. ---- */

typedef struct task {
    const hs__areas *areas;
    hs__column_scratch *scratch;
    int offset, n;
    double height;
} task;

static double column_cost(const task *t, int begin, int end)
{
    double width = hs__areas_sum(t->areas, t->offset + begin, t->offset + end) / t->height;
    return width + t->areas->area[t->offset + begin] / width;
}

static int is_wide(const task *t, int begin, int end, double width)
{
    return hs__areas_sum(t->areas, t->offset + begin, t->offset + end) >= width * t->height;
}

/* The first end in (begin, n] whose column is at least this wide, n + 1 when none is: galloping from a guess, which the
 * ends of neighbouring beginnings are good for, then bisection. */
static int first_end(const task *t, int begin, double width, int guess)
{
    int low = begin, high = t->n + 1, stride = 1;
    guess = guess <= begin ? begin + 1 : (guess > t->n ? t->n : guess);
    if (is_wide(t, begin, guess, width))
        for (high = guess; high - stride > low && is_wide(t, begin, high - stride, width); stride *= 2)
            high -= stride;
    else
        for (low = guess; low + stride < high && !is_wide(t, begin, low + stride, width); stride *= 2)
            low += stride;
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        *(is_wide(t, begin, middle, width) ? &high : &low) = middle;
    }
    return high;
}

/* The ends [*low, *high) of the columns that begin here with half perimeters up to `bound`; on entry, guesses. */
static void ends_of(const task *t, int begin, double bound, int *low, int *high)
{
    double area = t->areas->area[t->offset + begin], discriminant = bound * bound - 4 * area;
    if (discriminant < 0) {
        *low = *high = t->n + 1;
        return;
    }
    double root = sqrt(discriminant);
    *low = first_end(t, begin, 2 * area / (bound + root), *low);
    *high = first_end(t, begin, nextafter((bound + root) / 2, INFINITY), *high);
}

/* Whether columns within the bound hold all ranks. Leaves in scratch->from[q] 0 or 1: whether ranks before q can be. */
static int reachable(const task *t, double bound)
{
    int *reached = t->scratch->from, *change = t->scratch->start, open = 0, low = 0, high = 0;
    memset(change, 0, ((size_t)t->n + 1) * sizeof *change);
    for (int q = 0; q <= t->n; q++) {
        open += change[q];
        reached[q] = q == 0 || open > 0;
        if (!reached[q] || q == t->n)
            continue;
        ends_of(t, q, bound, &low, &high);
        if (low < high) {
            change[low]++;
            if (high <= t->n)
                change[high]--;
        }
    }
    return reached[t->n];
}

/* Turns the reached ends into beginnings, the shortest column first. */
static double trace(const task *t, double bound)
{
    int *from = t->scratch->from;
    double largest = 0;
    for (int end = t->n, low = end, high = end; end > 0; end = from[end]) {
        int begin = end - 1;
        for (;; begin--) {
            ends_of(t, begin, bound, &low, &high);
            if (from[begin] && low <= end && end < high)
                break;
        }
        from[end] = begin;
        largest = fmax(largest, column_cost(t, begin, end));
    }
    return largest;
}

double hs__columns_max_consecutive(const hs__areas *areas, int i, int j, double height, double precision,
                                   hs__column_scratch *scratch)
{
    task t = {areas, scratch, i, j - i, height};
    double low = 2 * sqrt(areas->area[i]), high = column_cost(&t, 0, t.n);
    while (high - low > precision * high) {
        double middle = low + (high - low) / 2;
        *(reachable(&t, middle) ? &high : &low) = middle;
    }
    for (high *= 1 + 4e-16; !reachable(&t, high);)
        high *= 1 + 1e-15;
    double largest = trace(&t, high);
    HS_ASSERT(largest <= high * (1 + 1e-9));
    return largest;
}

/* ---- All subsets. ---- */

typedef struct subsets {
    double *width, *cost; /* by set of ranks: sum of areas, least objective */
    uint32_t *column;     /* the column of the largest area in an optimum of the set */
} subsets;

static void solve_subsets(const hs__areas *areas, subsets *s)
{
    uint32_t all = ((uint32_t)1 << areas->n) - 1;
    for (uint32_t set = 1; set <= all; set++) {
        uint32_t leader = set & -set, others = set ^ leader;
        double area = areas->area[__builtin_ctz(set)];
        s->width[set] = s->width[others] + area;
        s->cost[set] = INFINITY;
        for (uint32_t followers = others;; followers = (followers - 1) & others) {
            double width = s->width[leader | followers], cost = width + area / width;
            cost = fmax(cost, s->cost[others ^ followers]);
            if (cost < s->cost[set]) {
                s->cost[set] = cost;
                s->column[set] = leader | followers;
            }
            if (followers == 0)
                break;
        }
    }
}

static hs_status columns_of_subsets(const hs__areas *areas, hs__column_sets *sets)
{
    hs__pool pool = {0};
    size_t size = (size_t)1 << areas->n;
    subsets s = {hs__pool_new(&pool, size, sizeof *s.width), hs__pool_new(&pool, size, sizeof *s.cost),
                 hs__pool_new(&pool, size, sizeof *s.column)};
    hs_status status = hs__pool_status(&pool);
    if (status != HS_OK)
        goto out;
    solve_subsets(areas, &s);
    int placed = 0;
    sets->columns = 0;
    for (uint32_t left = (uint32_t)(size - 1); left; left ^= s.column[left]) {
        sets->first[sets->columns++] = placed;
        for (int k = 0; k < areas->n; k++)
            if (s.column[left] >> k & 1)
                sets->rank[placed++] = k;
    }
    sets->first[sets->columns] = placed;
    HS_ASSERT(placed == areas->n);
    HS_ASSERT(fabs(hs__column_sets_cost(areas, sets, HS_COLUMNS_MAX) - s.cost[size - 1]) <= 1e-9 * s.cost[size - 1]);
out:
    hs__pool_free(&pool);
    return status;
}

hs_status hs__columns_max(const hs__areas *areas, hs__column_scratch *scratch, hs__column_sets *sets)
{
    if (areas->n <= HS_COLUMNS_MAX_EXACT)
        return columns_of_subsets(areas, sets);
    hs__columns_max_consecutive(areas, 0, areas->n, 1, areas->n > 10000 ? 1e-6 : 1e-14, scratch);
    hs__column_sets_from(scratch, areas->n, sets);
    return hs__columns_max_search(areas, sets);
}
