/* SPDX-License-Identifier: BSD-3-Clause */
/* Is this a schedule? No host is in two messages at a time or receives after it has sent, and each but the root sends one
 * message. The paper's inequality 1, 2 A(s, t) + C(s, t) <= n at all t, follows: a message under way has two hosts to
 * itself, and one that is over has its sender for good. */
#include "plan/reduction/reduction.h"
#include "util/status.h"
#include <math.h>
#include <stdlib.h>

static const double rounding = 1e-9; /* of the makespan */

/* A host's part in a message. */
typedef struct part {
    int host, sends;
    double start, end;
} part;

static int by_host_and_start(const void *left, const void *right)
{
    const part *a = left, *b = right;
    if (a->host != b->host)
        return a->host < b->host ? -1 : 1;
    if (a->start != b->start)
        return a->start < b->start ? -1 : 1;
    return (a->end > b->end) - (a->end < b->end);
}

static hs_status check_one(const double *time, int hosts, int root, const hs_transfer *m, double slack, hs_error *error)
{
    if (m->from < 0 || m->from >= hosts || m->to < 0 || m->to >= hosts || m->from == m->to)
        return hs_error_set(error, HS_ERR_INFEASIBLE, 0, "a message from host %d to host %d", m->from, m->to);
    if (m->from == root)
        return hs_error_set(error, HS_ERR_INFEASIBLE, 0, "the root, host %d, sends", root);
    if (!(m->start >= 0.0) || !isfinite(m->end) || !(fabs(m->end - m->start - time[m->from]) <= slack))
        return hs_error_set(error, HS_ERR_INFEASIBLE, 0, "host %d sends from %g to %g, it needs %g s", m->from,
                            m->start, m->end, time[m->from]);
    return HS_OK;
}

/* Each host's parts follow each other, its own message last. */
static hs_status check_hosts(const part *list, int n, double slack, hs_error *error)
{
    for (int i = 1; i < n; i++) {
        if (list[i].host != list[i - 1].host)
            continue;
        if (list[i - 1].sends)
            return hs_error_set(error, HS_ERR_INFEASIBLE, 0, "host %d %s at %g, after it has sent", list[i].host,
                                list[i].sends ? "sends again" : "receives", list[i].start);
        if (list[i].start < list[i - 1].end - slack)
            return hs_error_set(error, HS_ERR_INFEASIBLE, 0, "host %d is in two messages at %g", list[i].host,
                                list[i].start);
    }
    return HS_OK;
}

hs_status hs_reduction_check(const double *time, int hosts, int root, const hs_transfer *transfer, hs_error *error)
{
    if (!time || hosts < 1 || root < 0 || root >= hosts || (!transfer && hosts > 1))
        return hs_error_set(error, HS_ERR_ARG, 0, "no times, no messages, or root %d of %d hosts", root, hosts);
    int n = hosts - 1;
    double slack = 0.0;
    hs__pool pool = {0};
    part *list = hs__pool_new(&pool, 2 * (size_t)hosts, sizeof *list);
    hs_status status = hs__pool_status(&pool);
    if (status != HS_OK)
        hs__error_status(error, status);
    for (int i = 0; i < n; i++)
        slack = fmax(slack, rounding * fabs(transfer[i].end));
    for (int i = 0; i < n && status == HS_OK; i++) {
        const hs_transfer *m = &transfer[i];
        status = check_one(time, hosts, root, m, slack, error);
        list[2 * i] = (part){m->from, 1, m->start, m->end};
        list[2 * i + 1] = (part){m->to, 0, m->start, m->end};
    }
    if (status == HS_OK) {
        qsort(list, 2 * (size_t)n, sizeof *list, by_host_and_start);
        status = check_hosts(list, 2 * n, slack, error);
    }
    hs__pool_free(&pool);
    return status;
}
