/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks to hosts. Every rank brings the same work, so a host with k ranks on c cores of speed s takes max(1, k / c) /
 * s. That grows with k, so giving the ranks out one by one, each to the host where it ends earliest, is optimal: when
 * the last rank makes the slowest host, any placement with a smaller maximum would have to fit the same n ranks under
 * limits that hold one less. */
#include "plan/placement/placement.h"
#include "util/assert.h"
#include "util/pool.h"
#include <math.h>

double hs__placement_time(const hs__placement_host *host, int64_t k)
{
    return k > 0 ? fmax(1, (double)k / host->cores) / host->speed : 0;
}

/* Hosts by what one more rank would cost there: a heap whose first entry is the best. */
typedef struct heap {
    const hs__placement_host *host;
    int64_t *count;
    int *entry;
    int size;
} heap;

static int comes_before(const heap *h, int a, int b)
{
    double x = hs__placement_time(&h->host[a], h->count[a] + 1), y = hs__placement_time(&h->host[b], h->count[b] + 1);
    int shared_a = (double)h->count[a] + 1 > h->host[a].cores, shared_b = (double)h->count[b] + 1 > h->host[b].cores;
    if (x < y || x > y)
        return x < y;
    return shared_a != shared_b ? shared_b : a < b;
}

static void sink(heap *h, int k)
{
    for (int child = 2 * k + 1; child < h->size; k = child, child = 2 * k + 1) {
        if (child + 1 < h->size && comes_before(h, h->entry[child + 1], h->entry[child]))
            child++;
        if (!comes_before(h, h->entry[child], h->entry[k]))
            return;
        int swap = h->entry[k];
        h->entry[k] = h->entry[child];
        h->entry[child] = swap;
    }
}

static int are_valid(const hs__placement_host *host, int hosts)
{
    for (int i = 0; i < hosts; i++)
        if (!(host[i].speed >= 0) || !isfinite(host[i].speed) || !(host[i].cores > 0) || !isfinite(host[i].cores) ||
            host[i].max_ranks < 0)
            return 0;
    return 1;
}

/* All hosts that compute, the best on top. */
static void fill(heap *h, int hosts)
{
    h->size = 0;
    for (int i = 0; i < hosts; i++)
        if (h->host[i].speed > 0)
            h->entry[h->size++] = i;
    for (int k = h->size / 2; k-- > 0;)
        sink(h, k);
}

/* Gives out up to `ranks` ranks, none later than `deadline`, with or without sharing cores. @return ranks left over */
static int64_t give_out(heap *h, int hosts, int64_t ranks, double deadline, int share)
{
    fill(h, hosts);
    while (ranks > 0 && h->size > 0) {
        int best = h->entry[0];
        int64_t next = h->count[best] + 1;
        const hs__placement_host *host = &h->host[best];
        if (next > host->max_ranks || hs__placement_time(host, next) > deadline ||
            (!share && (double)next > host->cores)) {
            h->entry[0] = h->entry[--h->size];
        } else {
            h->count[best] = next;
            ranks--;
        }
        sink(h, 0);
    }
    return ranks;
}

hs_status hs__placement_counts(const hs__placement_host *host, int hosts, int64_t ranks, int64_t *count,
                               double *slowest)
{
    hs__pool pool = {0};
    if (hosts < 1 || ranks < 0 || !are_valid(host, hosts))
        return HS_ERR_ARG;
    heap h = {.host = host,
              .count = hs__pool_new(&pool, (size_t)hosts, sizeof *h.count),
              .entry = hs__pool_new(&pool, (size_t)hosts, sizeof *h.entry)};
    hs_status status = hs__pool_status(&pool);
    double longest = 0;
    if (status != HS_OK)
        goto out;
    if (give_out(&h, hosts, ranks, INFINITY, 1) > 0) {
        status = HS_ERR_INFEASIBLE;
        goto out;
    }
    for (int i = 0; i < hosts; i++) {
        longest = fmax(longest, hs__placement_time(&host[i], h.count[i]));
        h.count[i] = 0;
    }
    /* The same deadline with as little sharing as possible. */
    int64_t left = give_out(&h, hosts, give_out(&h, hosts, ranks, longest, 0), longest, 1);
    HS_ASSERT(left == 0);
    HS_ASSERT(hs__placement_check(host, hosts, ranks, h.count, longest, NULL) == HS_OK);
    for (int i = 0; i < hosts; i++)
        count[i] = h.count[i];
    if (slowest)
        *slowest = longest;
out:
    hs__pool_free(&pool);
    return status;
}
