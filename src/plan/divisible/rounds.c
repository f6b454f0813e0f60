/* SPDX-License-Identifier: BSD-3-Clause */
/* Several installments: the master sends R rounds of messages to the same workers in the same order, so that the last
 * worker does not wait for the whole load of all others; a worker computes one installment while the next arrives.
 * Results, if any, go back in one message a worker at the end.
 *
 * Without results: no worker idles between its first installment and the end when each of its installments but the last
 * is computed exactly until the next has arrived, and all end at once. From the last message backwards, with messages
 * q = r n + k:
 *     s_k + w_k a_q = sum_{j = q+1 .. q+n} (l_j + c_j a_j)                  (r < R - 1)
 *     s_k + w_k a_q = l_{k+1} + s_{k+1} + (c_{k+1} + w_{k+1}) a_{q+1}        (r = R - 1, as in one installment)
 * so every a_q = A_q b + B_q with b the last one, and b follows from the total: O(R n). When the port is the bottleneck
 * only the workers that it can keep busy, by decreasing bandwidth, are worth serving; both choices are tried.
 *
 * For up to PROGRAM_MAX messages, and with results, a linear program like that of fixed.c: the row of message
 * (r, k) holds all sends up to it, all that worker k computes from round r on, and the returns. More rounds are never
 * worse without latencies; with them the numbers of rounds are tried by doubling. */
#include "plan/divisible/plan.h"
#include "util/assert.h"
#include "util/pool.h"
#include <math.h>
#include <string.h>

enum { PROGRAM_MAX = 192 };

typedef struct planner {
    const hs__star *star;
    const hs__schedule *schedule;
    int masters; /* schedule->send[0 .. masters-1] */
    hs_divisible **plan;
} planner;

/* Removes rounds without items. */
static void drop_empty_rounds(hs_divisible *plan)
{
    int kept = 0;
    for (int r = 0; r < plan->rounds; r++) {
        double sum = 0.0;
        for (int i = 0; i < plan->hosts; i++)
            sum += plan->chunk[r * plan->hosts + i];
        if (sum > 0.0)
            memmove(plan->chunk + kept++ * plan->hosts, plan->chunk + r * plan->hosts,
                    (size_t)plan->hosts * sizeof *plan->chunk);
    }
    plan->rounds = kept;
}

/* The items of all installments. */
static double total_of(const hs_divisible *plan)
{
    double sum = 0.0;
    for (int i = 0; i < plan->rounds * plan->hosts; i++)
        sum += plan->chunk[i];
    return sum;
}

/* Makes a plan of chunk[rounds * hosts], and keeps it when it is shorter; none where rounding has lost items. */
static hs_status offer(planner *x, int rounds, const double *chunk)
{
    const hs__star *star = x->star;
    hs_divisible *plan = hs__divisible_plan_new(star->hosts, rounds);
    if (!plan)
        return HS_ERR_NOMEM;
    memcpy(plan->chunk, chunk, (size_t)rounds * (size_t)star->hosts * sizeof *chunk);
    if (star->items == HS_DIVISIBLE_INTEGER)
        hs__divisible_round(plan->chunk, rounds * star->hosts, star->load);
    if (!(fabs(total_of(plan) - star->load) <= 1e-9 * star->load)) {
        hs_divisible_free(plan);
        return HS_OK;
    }
    drop_empty_rounds(plan);
    hs__divisible_plan_orders(plan, x->schedule);
    hs_status status = hs__divisible_plan_finish(plan, star);
    if (status == HS_OK && plan->makespan < (*x->plan)->makespan * (1.0 - 1e-12)) {
        hs_divisible *worse = *x->plan;
        *x->plan = plan;
        plan = worse;
    }
    hs_divisible_free(plan);
    return status;
}

/* ---- Without idle time, by recurrence ---- */

/* value = slope * b + offset */
typedef struct linear {
    double slope, offset;
} linear;

static linear add(linear a, linear b, double factor)
{
    return (linear){a.slope + factor * b.slope, a.offset + factor * b.offset};
}

/* The seconds that message q takes. */
static linear message_time(const hs__star *star, int host, linear load)
{
    return (linear){star->c[host] * load.slope, star->l[host] + star->c[host] * load.offset};
}

/* load[rounds * n] of the first n workers by b; *end is the makespan by b. */
static void recur(const planner *x, int rounds, int n, linear *load, linear *end)
{
    const hs__star *star = x->star;
    const int *worker = x->schedule->send + x->masters;
    int last = rounds * n - 1, i = worker[n - 1];
    linear window = {0.0, 0.0}, sent = {0.0, 0.0}, target = {star->w[i], star->s[i]};
    *end = target;
    for (int q = last; q >= 0; q--) {
        i = worker[q % n];
        /* target: seconds of computing that message q must give */
        load[q] = (linear){target.slope / star->w[i], (target.offset - star->s[i]) / star->w[i]};
        linear time = message_time(star, i, load[q]);
        sent = add(sent, time, 1.0);
        window = add(window, time, 1.0);
        if (q + n <= last)
            window = add(window, message_time(star, i, load[q + n]), -1.0);
        if (q > last - n + 1)
            target = add(target, time, 1.0);
        else
            target = window;
    }
    *end = add(*end, sent, 1.0);
}

/* b from the total: the messages' loads and the masters'. */
static double last_load(const planner *x, int messages, const linear *load, linear end)
{
    linear total = {0.0, 0.0};
    for (int q = 0; q < messages; q++)
        total = add(total, load[q], 1.0);
    for (int k = 0; k < x->masters; k++) {
        int i = x->schedule->send[k];
        total = add(total, end, 1.0 / x->star->w[i]);
        total.offset -= x->star->s[i] / x->star->w[i];
    }
    return (x->star->load - total.offset) / total.slope;
}

/* Offers the plan without idle time, if no load comes out negative. */
static hs_status offer_busy(planner *x, int rounds, int n, linear *load, double *chunk)
{
    const hs__star *star = x->star;
    linear end;
    recur(x, rounds, n, load, &end);
    double b = last_load(x, rounds * n, load, end), makespan = end.slope * b + end.offset;
    memset(chunk, 0, (size_t)rounds * (size_t)star->hosts * sizeof *chunk);
    for (int q = 0; q < rounds * n; q++) {
        double items = load[q].slope * b + load[q].offset;
        if (!(items >= 0.0) || isinf(items))
            return HS_OK;
        chunk[q / n * star->hosts + x->schedule->send[x->masters + q % n]] = items;
    }
    for (int k = 0; k < x->masters; k++) {
        int i = x->schedule->send[k];
        chunk[i] = (makespan - star->s[i]) / star->w[i];
        if (!(chunk[i] >= 0.0) || isinf(chunk[i]))
            return HS_OK;
    }
    return offer(x, rounds, chunk);
}

/* The workers, by decreasing bandwidth, that the port can keep busy all the time. */
static int steady_workers(const planner *x, int workers)
{
    double port = 0.0;
    int n = 0;
    while (n < workers && port < 1.0) {
        int i = x->schedule->send[x->masters + n++];
        port += x->star->c[i] / x->star->w[i];
    }
    return n;
}

static hs_status offer_all_busy(planner *x, int max_rounds, linear *load, double *chunk)
{
    int workers = x->schedule->n - x->masters, steady = steady_workers(x, workers);
    hs_status status = HS_OK;
    for (int rounds = 2; status == HS_OK; rounds = 2 * rounds < max_rounds ? 2 * rounds : max_rounds) {
        status = offer_busy(x, rounds, workers, load, chunk);
        for (int n = steady; n < workers && n > 0 && n >= steady - 1 && status == HS_OK; n--)
            status = offer_busy(x, rounds, n, load, chunk);
        if (rounds == max_rounds)
            break;
    }
    return status;
}

/* ---- By linear program ---- */

/* The messages of a program in send order; those of masters are their computations. */
typedef struct messages {
    int n;
    int *host, *round;
} messages;

static double returns_after(const planner *x, int host, int other)
{
    const hs__schedule *s = x->schedule;
    for (int k = 0; k < s->n; k++) {
        if (s->collect[k] == host)
            return 1.0;
        if (s->collect[k] == other)
            return 0.0;
    }
    return 0.0;
}

/* Whether message j is the first of its host: the one that stands for its return. */
static int is_first(const messages *m, int j)
{
    for (int k = 0; k < j; k++)
        if (m->host[k] == m->host[j])
            return 0;
    return 1;
}

static void fill_message(const planner *x, const messages *m, int q, hs__packing *packing)
{
    const hs__star *star = x->star;
    int host = m->host[q], master = hs__star_is_master(star, host);
    double *row = hs__packing_row(packing, q), constant = 0.0;
    for (int j = 0; j < m->n; j++) {
        int i = m->host[j];
        row[j] = 0.0;
        if (i == host && j >= q) {
            row[j] += star->w[i];
            constant += star->s[i];
        }
        if (master)
            continue;
        if (j <= q) {
            row[j] += star->c[i];
            constant += star->l[i];
        }
        if (star->results > 0.0 && !hs__star_is_master(star, i) && returns_after(x, host, i)) {
            row[j] += star->results * star->c[i];
            constant += is_first(m, j) * star->l[i];
        }
    }
    hs__packing_add(packing, q, constant / star->load);
}

static void fill_port(const planner *x, const messages *m, hs__packing *packing)
{
    const hs__star *star = x->star;
    double *row = hs__packing_row(packing, m->n), constant = 0.0;
    for (int j = 0; j < m->n; j++) {
        row[j] = (1.0 + star->results) * star->c[m->host[j]];
        constant += (1 + is_first(m, j)) * star->l[m->host[j]];
    }
    hs__packing_add(packing, m->n, constant / star->load);
}

/* Takes out the messages that carry nothing. @return how many */
static int drop_empty_messages(messages *m, const double *share)
{
    int kept = 0, before = m->n;
    for (int j = 0; j < before; j++) {
        if (!(share[j] > 0.0))
            continue;
        m->host[kept] = m->host[j];
        m->round[kept++] = m->round[j];
    }
    m->n = kept;
    return before - kept;
}

static hs_status solve_messages(planner *x, messages *m, hs__packing *packing, int rounds, double *chunk)
{
    const hs__star *star = x->star;
    int port = star->results > 0.0 && star->port == HS_DIVISIBLE_ONE_PORT, again = 1;
    while (again) {
        hs__packing_begin(packing, m->n + port, m->n);
        for (int q = 0; q < m->n; q++)
            fill_message(x, m, q, packing);
        if (port)
            fill_port(x, m, packing);
        hs__packing_solve(packing);
        double sum = 0.0;
        memset(chunk, 0, (size_t)rounds * (size_t)star->hosts * sizeof *chunk);
        for (int j = 0; j < m->n; j++)
            sum += packing->x[j];
        for (int j = 0; j < m->n; j++)
            chunk[m->round[j] * star->hosts + m->host[j]] = packing->x[j] * star->load / sum;
        again = star->affine && drop_empty_messages(m, packing->x) > 0;
    }
    return offer(x, rounds, chunk);
}

static void list_messages(const planner *x, int rounds, messages *m)
{
    m->n = 0;
    for (int r = 0; r < rounds; r++)
        for (int k = r == 0 ? 0 : x->masters; k < x->schedule->n; k++) {
            m->host[m->n] = x->schedule->send[k];
            m->round[m->n++] = r;
        }
}

static hs_status offer_programs(planner *x, int max_rounds, double *chunk)
{
    int host[PROGRAM_MAX], round[PROGRAM_MAX], workers = x->schedule->n - x->masters;
    int fit = workers > 0 ? (PROGRAM_MAX - x->masters) / workers : 0;
    hs__packing packing = {0};
    messages m = {0, host, round};
    max_rounds = fit < max_rounds ? fit : max_rounds;
    if (max_rounds < 2)
        return HS_OK;
    hs_status status = hs__packing_init(&packing, PROGRAM_MAX + 1, PROGRAM_MAX);
    for (int rounds = x->star->affine ? 2 : max_rounds; status == HS_OK;
         rounds = 2 * rounds < max_rounds ? 2 * rounds : max_rounds) {
        list_messages(x, rounds, &m);
        status = solve_messages(x, &m, &packing, rounds, chunk);
        if (rounds == max_rounds)
            break;
    }
    hs__packing_free(&packing);
    return status;
}

hs_status hs__divisible_in_rounds(hs__task *task, const hs__schedule *schedule, hs_divisible **plan)
{
    hs__pool pool = {0};
    planner x = {.star = &task->star, .schedule = schedule, .plan = plan};
    int max_rounds = task->params->rounds;
    while (x.masters < schedule->n && hs__star_is_master(x.star, schedule->send[x.masters]))
        x.masters++;
    if (max_rounds < 2 || x.masters == schedule->n)
        return HS_OK;
    size_t size = (size_t)max_rounds * (size_t)x.star->hosts;
    double *chunk = hs__pool_new(&pool, size, sizeof *chunk);
    linear *load = hs__pool_new(&pool, size, sizeof *load);
    hs_status status = hs__pool_status(&pool);
    if (status == HS_OK && x.star->results == 0.0)
        status = offer_all_busy(&x, max_rounds, load, chunk);
    if (status == HS_OK)
        status = offer_programs(&x, max_rounds, chunk);
    hs__pool_free(&pool);
    return status;
}
