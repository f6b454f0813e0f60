/* SPDX-License-Identifier: BSD-3-Clause */
/* Pairs of one round can share a link, and then all of them read too low. A reading that reaches what both hosts have
 * shown they can (their `top`) is explained by their own access links. One that does not is doubtful: it is taken again
 * alone. If all hosts hang on one shared medium every top is too low and nothing looks doubtful; so one reading that
 * looks unhindered is taken again alone, too, and with time to spare all of them.
 *
 * Readings alone tell the bandwidth of the link that pairs share. When the doubtful readings of a round add up to it,
 * they are explained as well, and need no reading alone. */
#include "runtime/probe/pairs.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>

static const double explained = 0.85;  /* of the smaller top: such a reading is no longer doubtful */
static const double negligible = 0.05; /* other traffic below this part of a reading cannot have slowed it */
static const double same = 0.07;       /* readings alone and together that differ by less are of one kind */
static const double like = 0.1;        /* bandwidths that differ by less may be those of one link */

enum { MOST_SHARED = 8 }; /* shared links looked for */

size_t hs__pair_number(int i, int j)
{
    size_t low = (size_t)(i < j ? i : j), high = (size_t)(i < j ? j : i);
    return high * (high - 1) / 2 + low;
}

hs_status hs__pairs_init(hs__pairs *pairs, int n)
{
    size_t number = (size_t)n * (size_t)(n - 1) / 2;
    *pairs = (hs__pairs){.hosts = n};
    pairs->place = hs__array_new(number, sizeof *pairs->place);
    pairs->top = hs__array_new((size_t)n, sizeof *pairs->top);
    pairs->sum = hs__array_new((size_t)n, sizeof *pairs->sum);
    if (!pairs->place || !pairs->top || !pairs->sum) {
        hs__pairs_free(pairs);
        return HS_ERR_NOMEM;
    }
    for (size_t k = 0; k < number; k++)
        pairs->place[k] = -1;
    return HS_OK;
}

void hs__pairs_free(hs__pairs *pairs)
{
    free(pairs->place);
    free(pairs->pair);
    free(pairs->top);
    free(pairs->sum);
    *pairs = (hs__pairs){0};
}

static hs__pair *find(const hs__pairs *pairs, int i, int j)
{
    int place = pairs->place[hs__pair_number(i, j)];
    return place < 0 ? NULL : &pairs->pair[place];
}

static hs__pair *find_or_add(hs__pairs *pairs, int i, int j)
{
    hs__pair *pair = find(pairs, i, j);
    if (pair)
        return pair;
    if (hs__array_reserve(&pairs->pair, &pairs->capacity, pairs->count + 1, sizeof *pair) != 0)
        return NULL;
    pairs->place[hs__pair_number(i, j)] = (int)pairs->count;
    pair = &pairs->pair[pairs->count++];
    *pair = (hs__pair){.i = i, .j = j, .round = -1};
    return pair;
}

static double together(const hs__pair *pair)
{
    return hs__samples_upper_median(&pair->together, NULL);
}

static double alone(const hs__pair *pair)
{
    return hs__samples_upper_median(&pair->alone, NULL);
}

/* Measured alone and along with others, which slowed it. */
static int slowed(const hs__pair *pair)
{
    return pair->alone.count > 0 && pair->together.count > 0 && together(pair) < (1 - same) * alone(pair);
}

static double reading(const hs__pair *pair)
{
    return slowed(pair) ? alone(pair) : hs__samples_upper_median(&pair->together, &pair->alone);
}

static double ceiling(const hs__pairs *pairs, const hs__pair *pair)
{
    return fmin(pairs->top[pair->i], pairs->top[pair->j]);
}

/* Measured only along with others, which may have slowed it. */
static int unproved(const hs__pair *pair)
{
    return pair->alone.count == 0 && pair->together.count > 0 && pair->others > negligible * together(pair);
}

static int doubtful(const hs__pairs *pairs, const hs__pair *pair)
{
    return unproved(pair) && together(pair) < explained * ceiling(pairs, pair);
}

static void find_tops(hs__pairs *pairs)
{
    for (int i = 0; i < pairs->hosts; i++)
        pairs->top[i] = 0;
    for (size_t k = 0; k < pairs->count; k++) {
        const hs__pair *pair = &pairs->pair[k];
        pairs->top[pair->i] = fmax(pairs->top[pair->i], reading(pair));
        pairs->top[pair->j] = fmax(pairs->top[pair->j], reading(pair));
    }
}

/* May have crossed a shared link of some bandwidth along with others. */
static int may_share(const hs__pairs *pairs, const hs__pair *pair, double bandwidth)
{
    return doubtful(pairs, pair) && together(pair) <= (1 + like) * bandwidth;
}

static int alike(double a, double b)
{
    return fabs(a - b) <= like * fmax(a, b);
}

/* For a shared link of some bandwidth: what the readings that may have crossed it add up to, by round. */
static void add_up(hs__pairs *pairs, double bandwidth)
{
    for (int round = 0; round < pairs->hosts; round++)
        pairs->sum[round] = 0;
    for (size_t k = 0; k < pairs->count; k++) {
        const hs__pair *pair = &pairs->pair[k];
        int may_cross = pair->alone.count ? alike(alone(pair), bandwidth) : may_share(pairs, pair, bandwidth);
        if (pair->round >= 0 && may_cross)
            pairs->sum[pair->round] += together(pair);
    }
}

/* Mean bandwidth alone of the pairs on a shared link; 0 unless at least two were slowed just as such a link would, and
 * twice as many as were not. */
static double confirm(const hs__pairs *pairs, double bandwidth)
{
    int fit = 0, unfit = 0;
    double total = 0;
    for (size_t k = 0; k < pairs->count; k++) {
        const hs__pair *pair = &pairs->pair[k];
        if (!slowed(pair) || !alike(alone(pair), bandwidth))
            continue;
        if (alike(pairs->sum[pair->round], bandwidth)) {
            total += alone(pair);
            fit++;
        } else {
            unfit++;
        }
    }
    return fit >= 2 && fit >= 2 * unfit ? total / fit : 0;
}

/* Explain doubtful readings by shared links whose bandwidth is known from readings alone. */
static void find_shared(hs__pairs *pairs)
{
    double tried[MOST_SHARED];
    int n = 0;
    for (size_t k = 0; k < pairs->count; k++)
        pairs->pair[k].inferred = 0;
    for (size_t k = 0; k < pairs->count && n < MOST_SHARED; k++) {
        double bandwidth = alone(&pairs->pair[k]);
        int known = !slowed(&pairs->pair[k]);
        for (int t = 0; t < n && !known; t++)
            known = alike(tried[t], bandwidth);
        if (known)
            continue;
        tried[n++] = bandwidth;
        add_up(pairs, bandwidth);
        double shared = confirm(pairs, bandwidth);
        for (size_t m = 0; m < pairs->count && shared > 0; m++) {
            hs__pair *pair = &pairs->pair[m];
            if (pair->inferred == 0 && may_share(pairs, pair, shared) && alike(pairs->sum[pair->round], shared))
                pair->inferred = fmin(shared, ceiling(pairs, pair));
        }
    }
}

hs_status hs__pairs_check(const hs__pairs *pairs, hs_error *error)
{
    size_t number = (size_t)pairs->hosts * (size_t)(pairs->hosts - 1) / 2, measured = 0;
    for (size_t n = 0; n < number; n++)
        measured += pairs->place[n] >= 0;
    if (measured != pairs->count)
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "%zu pairs have a place, %zu are kept", measured, pairs->count);
    for (size_t k = 0; k < pairs->count; k++) {
        const hs__pair *pair = &pairs->pair[k];
        if (pair->i < 0 || pair->i >= pair->j || pair->j >= pairs->hosts || find(pairs, pair->i, pair->j) != pair)
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "pair %zu of hosts %d and %d is not in its place", k,
                                pair->i, pair->j);
        if (pair->inferred > ceiling(pairs, pair) || reading(pair) > ceiling(pairs, pair))
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "hosts %d and %d show more than either of them can", pair->i,
                                pair->j);
    }
    return HS_OK;
}

hs_status hs__pairs_add(hs__pairs *pairs, int round, const hs__reading *readings, int n)
{
    double total = 0;
    for (int k = 0; k < n; k++)
        total += readings[k].value;
    for (int k = 0; k < n; k++) {
        hs__pair *pair = find_or_add(pairs, readings[k].i, readings[k].j);
        if (!pair)
            return HS_ERR_NOMEM;
        hs__samples_add(n > 1 ? &pair->together : &pair->alone, readings[k].value);
        if (n > 1) {
            pair->others = total - readings[k].value;
            pair->round = round;
        }
    }
    find_tops(pairs);
    find_shared(pairs);
    HS_ASSERT_SOUND(hs__pairs_check, pairs);
    return HS_OK;
}

hs_status hs__pairs_add_latency(hs__pairs *pairs, const hs__reading *reading)
{
    hs__pair *pair = find_or_add(pairs, reading->i, reading->j);
    if (!pair)
        return HS_ERR_NOMEM;
    hs__samples_add(&pair->latency, reading->value);
    return HS_OK;
}

int hs__pairs_joins(const hs__pairs *pairs, int i, int j)
{
    const hs__pair *pair = find(pairs, i, j);
    return !pair || !(doubtful(pairs, pair) || slowed(pair));
}

int hs__pairs_alone_count(const hs__pairs *pairs, int i, int j)
{
    const hs__pair *pair = find(pairs, i, j);
    return pair ? pair->alone.count : 0;
}

double hs__pairs_latency(const hs__pairs *pairs, int i, int j)
{
    const hs__pair *pair = find(pairs, i, j);
    return pair ? hs__samples_median(&pair->latency) : 0;
}

/* Whether a reading alone has confirmed that a pair that looks unhindered is not slowed by others. */
static int unhindered_seen(const hs__pairs *pairs)
{
    for (size_t k = 0; k < pairs->count; k++)
        if (pairs->pair[k].alone.count > 0 && !slowed(&pairs->pair[k]))
            return 1;
    return 0;
}

/* How much a reading alone may change what is known, above 1 when it is urgent, 0 when it is not wanted. */
static double worth(const hs__pairs *pairs, const hs__pair *pair, int seen, int wanted)
{
    double now = together(pair);
    if (pair->alone.count >= wanted || pair->together.count == 0)
        return 0;
    if (doubtful(pairs, pair) && pair->inferred == 0)
        return 1 + fmin(ceiling(pairs, pair), now + pair->others) / now;
    if (doubtful(pairs, pair) || slowed(pair))
        return 1;
    if (!unproved(pair))
        return 0;
    int shows_most = now >= pairs->top[pair->i] || now >= pairs->top[pair->j];
    return (shows_most ? seen ? 0.5 : 1 : 0) + 0.5 * pair->others / (now + pair->others);
}

int hs__pairs_next_alone(const hs__pairs *pairs, hs__urgency urgency, int wanted, int *i, int *j)
{
    const hs__pair *best = NULL;
    double most = urgency == HS__URGENT ? 1 : 0;
    int seen = unhindered_seen(pairs);
    for (size_t k = 0; k < pairs->count; k++) {
        const hs__pair *pair = &pairs->pair[k];
        double gain = worth(pairs, pair, seen, wanted);
        if (gain > most ||
            (gain == most && best && hs__pair_number(pair->i, pair->j) < hs__pair_number(best->i, best->j))) {
            best = pair;
            most = gain;
        }
    }
    if (!best)
        return 0;
    *i = best->i;
    *j = best->j;
    return 1;
}

int hs__pairs_steady(const hs__pairs *pairs, double tolerance)
{
    for (size_t k = 0; k < pairs->count; k++) {
        const hs__pair *pair = &pairs->pair[k];
        if (!hs__samples_steady(&pair->alone, tolerance) &&
            !(hs__samples_steady(&pair->together, tolerance) && hs__pairs_joins(pairs, pair->i, pair->j)))
            return 0;
    }
    return 1;
}

static void conclude_measured(const hs__pairs *pairs, const hs__pair *pair, hs_probe_link *link)
{
    link->bandwidth = reading(pair);
    link->readings = pair->alone.count + (slowed(pair) ? 0 : pair->together.count);
    link->source = pair->alone.count ? HS_PROBE_ALONE : HS_PROBE_TOGETHER;
    if (doubtful(pairs, pair))
        link->source = pair->inferred > 0 ? HS_PROBE_INFERRED : HS_PROBE_CONTENDED;
    if (link->source == HS_PROBE_INFERRED)
        link->bandwidth = pair->inferred;
}

/* Median latency of each host's pairs, by host; hosts without a reading get that of all. */
static hs_status host_latencies(const hs__pairs *pairs, double *latency)
{
    hs__samples *of_host = hs__array_new((size_t)pairs->hosts, sizeof *of_host), all = {0};
    if (!of_host)
        return HS_ERR_NOMEM;
    for (size_t k = 0; k < pairs->count; k++) {
        const hs__pair *pair = &pairs->pair[k];
        double middle = hs__samples_median(&pair->latency);
        if (pair->latency.count == 0)
            continue;
        hs__samples_add(&of_host[pair->i], middle);
        hs__samples_add(&of_host[pair->j], middle);
        hs__samples_add(&all, middle);
    }
    for (int i = 0; i < pairs->hosts; i++)
        latency[i] = hs__samples_median(of_host[i].count ? &of_host[i] : &all);
    free(of_host);
    return HS_OK;
}

/* Highest bandwidth of a host; of all hosts the lowest for one that was not measured. */
static double top_or_least(const hs__pairs *pairs, int i)
{
    double least = INFINITY;
    if (pairs->top[i] > 0)
        return pairs->top[i];
    for (int k = 0; k < pairs->hosts; k++)
        if (pairs->top[k] > 0)
            least = fmin(least, pairs->top[k]);
    return least;
}

hs_status hs__pairs_conclude(const hs__pairs *pairs, hs_probe_link *link)
{
    double *latency = hs__array_new((size_t)pairs->hosts, sizeof *latency);
    hs_status status = latency ? host_latencies(pairs, latency) : HS_ERR_NOMEM;
    if (status == HS_OK && isinf(top_or_least(pairs, 0)))
        status = HS_ERR_UNREACHABLE;
    for (int j = 1; j < pairs->hosts && status == HS_OK; j++)
        for (int i = 0; i < j; i++) {
            const hs__pair *pair = find(pairs, i, j);
            hs_probe_link *between = &link[hs__pair_number(i, j)];
            *between = (hs_probe_link){.source = HS_PROBE_ESTIMATED};
            if (pair && reading(pair) > 0)
                conclude_measured(pairs, pair, between);
            else
                between->bandwidth = fmin(top_or_least(pairs, i), top_or_least(pairs, j));
            between->latency =
                pair && pair->latency.count ? hs__samples_median(&pair->latency) : fmax(latency[i], latency[j]);
        }
    free(latency);
    return status;
}
