/* SPDX-License-Identifier: BSD-3-Clause */
/* Plans for a farm, by hs_divisible_create() on the root. */
#include "runtime/farm/farm.h"
#include "runtime/farm/pieces.h"
#include "runtime/farm/remaining.h"
#include "util/array.h"
#include "util/assert.h"
#include <fenv.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The least part of its cycle time that a message to a rank takes: only the root has a comm_time of 0. */
static const double NO_TIME = 1e-15;

/* A rank is silent when it takes this many times as long as expected, besides the time-out. */
static const double MAX_SLOWDOWN = 10.0;

double hs__farm_patience(const hs_farm *farm, double expected)
{
    return farm->facts.timeout + MAX_SLOWDOWN * expected;
}

double hs__farm_time_limit(const hs_farm *farm)
{
    return hs__farm_patience(farm, hs_farm_makespan(farm));
}

int hs__farm_pieces(const hs_farm *farm, int64_t n)
{
    int64_t pieces = n / farm->size / hs__piece_items(farm->facts.item_bytes, HS__FINE);
    return pieces < 1 ? 1 : pieces > HS_DIVISIBLE_ROUNDS_MAX ? HS_DIVISIBLE_ROUNDS_MAX : (int)pieces;
}

hs_status hs__farm_wait(hs_farm *farm, double seconds, int count, MPI_Request *requests)
{
    double usual = farm->context->peers.timeout;
    farm->context->peers.timeout = seconds;
    hs_status status = hs__wait_all(farm->context, count, requests);
    farm->context->peers.timeout = usual;
    return status;
}

hs_status hs__farm_agree(hs_farm *farm, double seconds, const hs__record *mine)
{
    double usual = farm->context->peers.timeout;
    farm->context->peers.timeout = seconds;
    hs_status status = hs__agree(farm->context, mine, NULL);
    farm->context->peers.timeout = usual;
    return status;
}

hs_status hs__farm_share(hs_farm *farm, void *bytes, size_t count)
{
    return hs__share(farm->context, farm->root, bytes, count);
}

/* The root's problem in the terms of hs_divisible_params. Its arrays are of the farm's size. */
typedef struct problem {
    hs__pool pool; /* of all arrays */
    double *comm_time, *latency;
    int *send, *host; /* host[k]: the rank of the plan's host k */
    double *cycle_time;
    int hosts;
} problem;

int hs__farm_computes(const hs_farm *farm, int rank)
{
    int idle = rank == farm->root && farm->size > 1 && farm->facts.root_role == HS_FARM_ROOT_IDLE;
    return !idle && isfinite(farm->cycle_time[rank]);
}

static int root_computes(const hs_farm *farm, hs__farm_kind kind)
{
    int programs = farm->facts.result_bytes > 0 && kind != HS__FARM_OVERLAPPED;
    return hs__farm_computes(farm, farm->root) && (!programs || farm->size <= HS_DIVISIBLE_GIVEN_MAX);
}

static hs_status problem_new(const hs_farm *farm, hs__farm_kind kind, problem *x)
{
    size_t p = (size_t)farm->size;
    *x = (problem){0};
    x->comm_time = hs__pool_new(&x->pool, p, sizeof *x->comm_time);
    x->latency = hs__pool_new(&x->pool, p, sizeof *x->latency);
    x->send = hs__pool_new(&x->pool, p, sizeof *x->send);
    x->host = hs__pool_new(&x->pool, p, sizeof *x->host);
    x->cycle_time = hs__pool_new(&x->pool, p, sizeof *x->cycle_time);
    if (hs__pool_status(&x->pool) != HS_OK)
        return HS_ERR_NOMEM;
    for (int r = 0; r < farm->size; r++) {
        int is_root = r == farm->root, k = x->hosts;
        if (is_root ? !root_computes(farm, kind) : !hs__farm_computes(farm, r))
            continue;
        x->host[k] = r;
        x->cycle_time[k] = farm->cycle_time[r];
        x->comm_time[k] = is_root || !farm->timed ? 0.0 : fmax(farm->comm_time[r], NO_TIME * farm->cycle_time[r]);
        x->latency[k] = is_root || !farm->timed ? 0.0 : farm->latency[r];
        x->hosts++;
    }
    return HS_OK;
}

static void set_params(const hs_farm *farm, const problem *x, int64_t n, hs_divisible_params *p)
{
    hs_divisible_params_init(p);
    p->hosts = x->hosts;
    p->cycle_time = x->cycle_time;
    p->comm_time = x->comm_time;
    p->latency = x->latency;
    p->load = (double)n;
    p->items = HS_DIVISIBLE_INTEGER;
    if (farm->timed && farm->facts.item_bytes > 0)
        p->results = (double)farm->facts.result_bytes / (double)farm->facts.item_bytes;
}

/* The orders of plan with the root, whose messages take no time, after all others. */
static void root_last(const hs_farm *farm, problem *x, const hs_divisible *plan)
{
    int k = 0, root = -1;
    for (int i = 0; i < x->hosts; i++) {
        int h = plan ? hs_divisible_send_host(plan, i) : i;
        if (x->host[h] == farm->root)
            root = h;
        else
            x->send[k++] = h;
    }
    if (root < 0)
        return;
    x->send[k] = root;
    x->comm_time[root] = NO_TIME * x->cycle_time[root];
}

/* One installment; the root takes its share when all others have theirs. */
static hs_status plan_blocking(const hs_farm *farm, problem *x, hs_divisible_params *p, int rank_order,
                               hs_divisible **plan, hs_error *error)
{
    int *collect = hs__array_new((size_t)farm->size, sizeof *collect), *all = x->send;
    hs_divisible *first = NULL;
    hs_status status = collect ? HS_OK : HS_ERR_NOMEM;
    if (status == HS_OK && !rank_order)
        status = hs_divisible_create(p, &first, error);
    if (status == HS_OK && (rank_order || root_computes(farm, HS__FARM_BLOCKING))) {
        for (int i = 0; first && i < x->hosts; i++)
            collect[i] = hs_divisible_collect_host(first, i);
        root_last(farm, x, first);
        p->order = HS_DIVISIBLE_GIVEN;
        p->send_order = all;
        p->collect_order = first ? collect : NULL;
        status = hs_divisible_create(p, plan, error);
    } else if (status == HS_OK) {
        *plan = first;
        first = NULL;
    }
    hs_divisible_free(first);
    free(collect);
    return status;
}

/* The ranks of an order, then those that are no hosts of the plan. */
static void copy_order(const hs_farm *farm, const problem *x, const hs_divisible *plan,
                       int (*host_at)(const hs_divisible *, int), int *order)
{
    int absent = x->hosts, host = 0;
    for (int k = 0; k < x->hosts; k++)
        order[k] = x->host[host_at(plan, k)];
    for (int r = 0; r < farm->size; r++) {
        if (host < x->hosts && x->host[host] == r)
            host++;
        else
            order[absent++] = r;
    }
}

static hs_status adopt(hs_farm *farm, const problem *x, const hs_divisible *plan)
{
    hs__farm_plan *own = &farm->plan;
    int rounds = hs_divisible_rounds(plan);
    int64_t *chunk = hs__array_new((size_t)rounds * (size_t)farm->size, sizeof *chunk);
    if (!chunk)
        return HS_ERR_NOMEM;
    for (int r = 0; r < rounds; r++)
        for (int k = 0; k < x->hosts; k++)
            chunk[r * farm->size + x->host[k]] = llround(hs_divisible_installment(plan, r, k));
    for (int r = 0; r < farm->size; r++)
        own->count[r] = 0;
    for (int k = 0; k < x->hosts; k++)
        own->count[x->host[k]] = hs_divisible_count(plan, k);
    free(own->chunk);
    own->chunk = chunk;
    own->rounds = rounds;
    own->at_once = 0;
    own->makespan = hs_divisible_makespan(plan);
    copy_order(farm, x, plan, hs_divisible_send_host, own->send);
    copy_order(farm, x, plan, hs_divisible_collect_host, own->collect);
    return HS_OK;
}

/* Shares for messages to all ranks at once. *sending: the seconds of these messages one after the other.
 * @return when all is computed */
static double share_at_once(const hs_farm *farm, int64_t n, double *cycle_time, double *share, double *sending)
{
    memcpy(cycle_time, farm->cycle_time, (size_t)farm->size * sizeof *cycle_time);
    if (!root_computes(farm, HS__FARM_OVERLAPPED))
        cycle_time[farm->root] = INFINITY;
    hs__remaining remaining = {farm->size, farm->latency, cycle_time, farm->comm_time, hs__farm_pieces(farm, n), 0};
    double end = hs__remaining_share(&remaining, n, farm->plan.send, share);
    *sending = 0.0;
    for (int r = 0; r < farm->size; r++)
        *sending += share[r] * farm->comm_time[r];
    return end;
}

/* One installment to all ranks at once, which the run divides, in the place of the plan that is there. Installments of items
 * that were not sampled are kept where sending takes longer than computing: elsewhere all of them would be under way before
 * a rank has reported what its items cost, and none could be shared out anew. Results return one rank at a time. */
static hs_status plan_at_once(hs_farm *farm, int64_t n)
{
    hs__farm_plan *plan = &farm->plan;
    size_t p = (size_t)farm->size;
    double sending, *scratch = hs__array_new(2 * p, sizeof *scratch);
    if (!scratch)
        return HS_ERR_NOMEM;
    double end = share_at_once(farm, n, scratch, scratch + p, &sending);
    if (farm->sampled || sending <= end) {
        double results =
            farm->facts.item_bytes > 0 ? (double)farm->facts.result_bytes / (double)farm->facts.item_bytes : 0.0;
        plan->makespan = end + sending * results;
        hs__remaining_round(farm->size, scratch + p, n, plan->count);
        memcpy(plan->chunk, plan->count, p * sizeof *plan->chunk);
        plan->rounds = plan->at_once = 1;
    }
    free(scratch);
    return HS_OK;
}

static hs_status plan_on_root(hs_farm *farm, int64_t n, hs__farm_kind kind, hs_error *error)
{
    problem x;
    hs_divisible_params p;
    hs_divisible *plan = NULL;
    fenv_t program; /* as in watch/library.h: the calls that come here may let the program compute */
    feholdexcept(&program);
    hs_status status = problem_new(farm, kind, &x);
    if (status == HS_OK) {
        set_params(farm, &x, n, &p);
        p.rounds = kind == HS__FARM_OVERLAPPED ? farm->facts.rounds : 1;
        status = kind == HS__FARM_OVERLAPPED ? hs_divisible_create(&p, &plan, error)
                                             : plan_blocking(farm, &x, &p, kind == HS__FARM_RANK_ORDER, &plan, error);
    }
    if (status == HS_OK)
        status = adopt(farm, &x, plan);
    if (status == HS_OK && kind == HS__FARM_OVERLAPPED)
        status = plan_at_once(farm, n);
    hs_divisible_free(plan);
    hs__pool_free(&x.pool);
    fesetenv(&program);
    return status;
}

/* No items: no messages. */
static void plan_nothing(hs_farm *farm)
{
    hs__farm_plan *plan = &farm->plan;
    plan->rounds = plan->at_once = 0;
    plan->makespan = 0.0;
    for (int r = 0; r < farm->size; r++) {
        plan->count[r] = 0;
        plan->send[r] = plan->collect[r] = r;
    }
}

/* Whether each rank is in it once. */
static int is_permutation(const int *order, int size)
{
    for (int k = 0; k < size; k++)
        for (int i = 0; i <= k; i++)
            if (order[k] < 0 || order[k] >= size || (i < k && order[i] == order[k]))
                return 0;
    return 1;
}

hs_status hs__farm_check(const hs_farm *farm, hs_error *error)
{
    const hs__farm_plan *plan = &farm->plan;
    int64_t sum = 0;
    if (plan->n < 0)
        return HS_OK;
    for (int r = 0; r < farm->size; r++) {
        int64_t sent = 0;
        for (int k = 0; k < plan->rounds && plan->chunk; k++)
            sent += plan->chunk[k * farm->size + r];
        if (plan->count[r] < 0 || (plan->chunk && plan->n > 0 && sent != plan->count[r]))
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "rank %d has %lld items, its installments %lld", r,
                                (long long)plan->count[r], (long long)sent);
        sum += plan->count[r];
    }
    if (sum != plan->n)
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the ranks have %lld items together, not %lld", (long long)sum,
                            (long long)plan->n);
    if (!is_permutation(plan->send, farm->size) || !is_permutation(plan->collect, farm->size))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "an order does not name each rank once");
    return HS_OK;
}

hs_status hs__farm_make_plan(hs_farm *farm, int64_t n, hs__farm_kind kind)
{
    struct {
        int64_t n;
        double makespan;
        int32_t status, rounds;
        hs_error error;
    } result = {.n = n};
    hs__farm_plan *plan = &farm->plan;
    plan->n = -1;
    if (farm->rank == farm->root) {
        if (n == 0)
            plan_nothing(farm);
        else
            result.status = plan_on_root(farm, n, kind, &result.error);
        result.makespan = plan->makespan;
        result.rounds = plan->rounds;
    }
    hs_status status = hs__farm_share(farm, &result, sizeof result);
    if (status == HS_OK && result.status != HS_OK)
        return hs__context_fail(farm->context, (hs_status)result.status, "%s",
                                result.error.text[0] ? result.error.text : hs_status_text((hs_status)result.status));
    size_t p = (size_t)farm->size;
    if (status == HS_OK)
        status = hs__farm_share(farm, plan->count, p * sizeof *plan->count);
    if (status == HS_OK)
        status = hs__farm_share(farm, plan->send, p * sizeof *plan->send);
    if (status == HS_OK)
        status = hs__farm_share(farm, plan->collect, p * sizeof *plan->collect);
    if (status != HS_OK)
        return status;
    plan->n = n;
    plan->rounds = result.rounds;
    plan->makespan = result.makespan;
    HS_ASSERT_SOUND(hs__farm_check, farm);
    return HS_OK;
}

hs_status hs_farm_plan(hs_farm *farm, int64_t n, int64_t *count)
{
    HS__RETURN_IF_NULL(farm);
    static const char *const names[HS__RECORD_VALUES] = {"n"};
    hs_status status = hs__context_begin(farm->context, __func__);
    if (status != HS_OK)
        return status;
    hs__record record = {HS__OP_FARM_PLAN, HS_OK, {n}, {0}};
    if (n < 0 || n >= HS__FARM_ITEMS_END)
        record.status = hs__context_fail(farm->context, HS_ERR_ARG, "hs_farm_plan: n is %lld, expected 0 to %lld",
                                         (long long)n, (long long)HS__FARM_ITEMS_END - 1);
    status = hs__agree(farm->context, &record, names);
    if (status == HS_OK)
        status = hs__farm_make_plan(farm, n, HS__FARM_BLOCKING);
    if (status == HS_OK && count)
        *count = farm->plan.count[farm->rank];
    return status;
}
