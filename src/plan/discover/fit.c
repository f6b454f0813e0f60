/* SPDX-License-Identifier: BSD-3-Clause */
/* What max-min fairness makes of each round on the links found, against what was measured. */
#include "plan/discover/cuts.h"
#include "platform/maxmin.h"
#include "util/assert.h"
#include "util/pool.h"
#include "util/sort.h"
#include <math.h>

static const double usual_error = 0.4, late_error = 1.5; /* |log| of predicted over measured */

/* Link 2 c + way of the graph is cut c that way, a shared cut's is 2 c; 2 cuts + f is flow f's own, for FATPIPE. */
typedef struct fitting {
    hs__discovery *d;
    int links;
    double *capacity;                             /* by link */
    int *first_of, *of_flow, *first_on, *on_link; /* of an hs__sharing_graph */
    double *rate;                                 /* by flow of the round */
    double *error;                                /* by flow of all rounds */
    hs__filling filling;
    hs__pool pool; /* has all arrays */
} fitting;

static hs_status fitting_init(fitting *t, hs__discovery *d)
{
    size_t flows = (size_t)d->hosts, cuts = (size_t)d->cuts, links = 2 * cuts + flows;
    *t = (fitting){.d = d, .links = (int)links};
    t->capacity = hs__pool_new(&t->pool, links, sizeof(double));
    t->first_of = hs__pool_new(&t->pool, flows + 1, sizeof(int));
    t->of_flow = hs__pool_new(&t->pool, flows * (cuts + 1), sizeof(int));
    t->first_on = hs__pool_new(&t->pool, links + 2, sizeof(int));
    t->on_link = hs__pool_new(&t->pool, flows * (cuts + 1), sizeof(int));
    t->rate = hs__pool_new(&t->pool, flows, sizeof(double));
    t->error = hs__pool_new(&t->pool, d->flows + 1, sizeof(double));
    if (hs__pool_complete(&t->pool) != HS_OK)
        return HS_ERR_NOMEM;
    for (size_t c = 0; c < cuts; c++)
        for (size_t way = 0; way < 2; way++)
            t->capacity[2 * c + way] = d->cut[c].capacity[way];
    return HS_OK;
}

/* The links that flow f of the round crosses, from of_flow[n] on. @return the next n */
static int cross(fitting *t, int f, const hs__probe_flow *flow, int n)
{
    int own = 2 * t->d->cuts + f;
    t->capacity[own] = INFINITY;
    for (int c = 0; c < t->d->cuts; c++) {
        const hs__cut *cut = &t->d->cut[c];
        int way = cut->side[flow->to];
        if (cut->side[flow->from] == way)
            continue;
        if (cut->policy == HS__CUT_FATPIPE)
            t->capacity[own] = fmin(t->capacity[own], cut->capacity[way]);
        else
            t->of_flow[n++] = 2 * c + (cut->policy == HS__CUT_DUPLEX ? way : 0);
    }
    if (isfinite(t->capacity[own]))
        t->of_flow[n++] = own;
    return n;
}

static hs_status predict(fitting *t, int round)
{
    const hs__discovery *d = t->d;
    int flows = (int)(d->first[round + 1] - d->first[round]), n = 0;
    HS_ASSERT(flows <= d->hosts);
    for (int f = 0; f < flows; f++) {
        t->first_of[f] = n;
        n = cross(t, f, &d->flow[d->first[round] + (size_t)f], n);
    }
    t->first_of[flows] = n;
    hs__list_by_link(t->links, flows, t->first_of, t->of_flow, t->first_on, t->on_link);
    hs__sharing_graph graph = {.links = t->links,
                               .flows = flows,
                               .capacity = t->capacity,
                               .first_of = t->first_of,
                               .of_flow = t->of_flow,
                               .first_on = t->first_on,
                               .on_link = t->on_link};
    return hs__maxmin_rates(&graph, &t->filling, t->rate);
}

/* How many readings the links can fit, whatever they are: one for each direction with a capacity that was seen. */
static size_t fitted(const hs__discovery *d)
{
    size_t n = 0;
    for (int c = 0; c < d->cuts; c++) {
        const hs__cut *cut = &d->cut[c];
        n += cut->policy == HS__CUT_DUPLEX ? (size_t)(cut->full[0] > 0) + (size_t)(cut->full[1] > 0)
                                           : (size_t)(cut->full[0] + cut->full[1] > 0);
    }
    return n;
}

/* @param[in] error  of n readings, least first */
static hs__fit judge(const hs__discovery *d, const double *error, size_t n)
{
    size_t own = fitted(d);
    if (n == 0)
        return (hs__fit){INFINITY, INFINITY, 0};
    hs__fit fit = {.median = error[n / 2], .late = error[n * 9 / 10], .explains = 1};
    if (n >= own + (size_t)d->hosts) {
        const double *other = error + own;
        size_t others = n - own;
        fit.explains = other[others / 2] <= usual_error && other[others * 9 / 10] <= late_error;
    }
    return fit;
}

hs_status hs__discovery_fit(hs__discovery *d, hs__fit *fit)
{
    fitting t;
    size_t n = 0;
    hs_status status = fitting_init(&t, d);
    for (int r = 0; r < d->rounds && status == HS_OK; r++) {
        status = predict(&t, r);
        for (size_t f = d->first[r]; f < d->first[r + 1] && status == HS_OK; f++)
            t.error[n++] = fabs(log(t.rate[f - d->first[r]] / d->flow[f].rate));
    }
    if (status == HS_OK) {
        HS_ASSERT(n == d->flows);
        hs__sort_doubles(t.error, n);
        *fit = judge(d, t.error, n);
    }
    hs__filling_free(&t.filling);
    hs__pool_free(&t.pool);
    return status;
}
