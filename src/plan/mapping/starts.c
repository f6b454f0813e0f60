/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the search for a mapping starts: from the identity; from vertices in their own order along the chain or the
 * ring of the hosts, which is right for rows and rings; and from halves. */
#include "plan/mapping/mapping.h"
#include "plan/placement/placement.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/pool.h"
#include <stdlib.h>
#include <string.h>

enum { RING_HOSTS_MAX = 48 }; /* the ring planner takes longer than it gains with more */

/* Order the hosts so that each is near the one before: chain[] is a permutation. */
static hs_status chain_of_hosts(const hs__mapping *m, int *chain)
{
    char *in = hs__array_new((size_t)m->hosts, 1);
    if (!in)
        return HS_ERR_NOMEM;
    int last = m->home[0];
    chain[0] = last;
    in[last] = 1;
    for (int k = 1; k < m->hosts; k++) {
        int next = -1;
        for (int h = 0; h < m->hosts; h++) {
            int here = last * m->hosts + h, best = last * m->hosts + next;
            if (!in[h] && (next < 0 || m->slowest[here] < m->slowest[best] ||
                           (m->slowest[here] <= m->slowest[best] && m->all[here] < m->all[best])))
                next = h;
        }
        HS_ASSERT(next >= 0);
        chain[k] = last = next;
        in[next] = 1;
    }
    free(in);
    return HS_OK;
}

/* The ring of least traffic on shared links, begun where vertex 0 is at home. */
static hs_status ring_order(const hs__mapping *m, const hs_platform *platform, int *chain)
{
    hs__pool pool = {0};
    size_t hosts = (size_t)m->hosts;
    hs__placement_host *host = hs__pool_new(&pool, hosts, sizeof *host);
    int64_t *count = hs__pool_new(&pool, hosts, sizeof *count);
    int *order = hs__pool_new(&pool, hosts, sizeof *order), n = 0, begin = 0;
    hs_error ignored;
    hs_status status = hs__pool_status(&pool);
    for (int h = 0; h < m->hosts && status == HS_OK; h++) {
        host[h] = (hs__placement_host){1, m->room[h], INT64_MAX};
        count[h] = m->room[h];
    }
    if (status == HS_OK)
        status = hs__placement_order(platform, m->node, host, count, m->hosts, 0.01, order, &n, &ignored);
    HS_ASSERT(status != HS_OK || n == m->hosts);
    while (status == HS_OK && order[begin] != m->home[0])
        begin++;
    for (int k = 0; k < n && status == HS_OK; k++)
        chain[k] = order[(begin + k) % n];
    hs__pool_free(&pool);
    return status;
}

static void fill_in_order(const hs__mapping *m, const int *chain, int *host)
{
    for (int k = 0, v = 0; k < m->hosts; k++)
        for (int i = 0; i < m->room[chain[k]]; i++)
            host[v++] = chain[k];
}

/* The pinned vertex goes home, in exchange for the first one there. */
static void go_home(const hs__mapping *m, int *host)
{
    if (m->pinned < 0 || host[m->pinned] == m->home[m->pinned])
        return;
    int other = 0;
    while (host[other] != m->home[m->pinned])
        other++;
    host[other] = host[m->pinned];
    host[m->pinned] = m->home[m->pinned];
}

/* With the chain: 1 in order, 2 halves, 3 ... halves of a grid cut across each dimension; likewise with the ring. */
int hs__mapping_start(const hs__mapping *m, const hs_platform *platform, int k, int *host)
{
    int each = 2 + (m->dimensions > 1 ? m->dimensions : 0), which = (k - 1) % each, ring = k > each;
    if (k == 0) {
        memcpy(host, m->home, (size_t)m->vertices * sizeof *host);
        return 1;
    }
    if (k > (m->hosts <= RING_HOSTS_MAX ? 2 : 1) * each)
        return 0;
    int *chain = hs__array_new((size_t)m->hosts, sizeof *chain);
    hs_status status = HS_ERR_NOMEM;
    if (chain)
        status = ring ? ring_order(m, platform, chain) : chain_of_hosts(m, chain);
    if (status == HS_OK && which == 0)
        fill_in_order(m, chain, host);
    else if (status == HS_OK)
        status = hs__mapping_halve(m, chain, which - 2, host);
    if (status == HS_OK)
        go_home(m, host);
    else if (status != HS_ERR_NOMEM)
        memcpy(host, m->home, (size_t)m->vertices * sizeof *host);
    free(chain);
    return status == HS_ERR_NOMEM ? -1 : 1;
}
