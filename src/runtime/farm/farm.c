/* SPDX-License-Identifier: BSD-3-Clause */
/* Farms: made, freed, asked; and the one a communicator carries for hs_scatter_counts(). */
#include "runtime/farm/farm.h"
#include "runtime/base/environment.h"
#include "runtime/base/world_handle.h"
#include "runtime/session/open.h"
#include "runtime/watch/library.h"
#include "util/array.h"
#include "util/reserved.h"
#include "util/units.h"
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_ROUNDS = 8 };

/* As planners take them. unused: the rank whose time is not looked at; -1: none */
static hs_status check_times(const double *time, const char *name, int size, int unused, int zero_allowed,
                             hs_error *error)
{
    for (int r = 0; time && r < size; r++)
        if (r != unused && (time[r] == 0 ? !zero_allowed : !hs__quantity_in_range(time[r])))
            return hs_error_set(error, HS_ERR_ARG, 0, "%s of rank %d is %g, expected %s1e-100 to 1e100", name, r,
                                time[r], zero_allowed ? "0 or " : "");
    return HS_OK;
}

/* Parameters that only the root has. */
static hs_status check_params(const hs_farm_params *p, int size, hs_error *error)
{
    if (p->root_role != HS_FARM_ROOT_COMPUTES && p->root_role != HS_FARM_ROOT_IDLE)
        return hs_error_set(error, HS_ERR_ARG, 0, "root_role is %d, expected an hs_farm_root", (int)p->root_role);
    if (p->item_bytes < 0 || p->result_bytes < 0)
        return hs_error_set(error, HS_ERR_ARG, 0, "item_bytes is %lld and result_bytes %lld, expected 0 or more",
                            (long long)p->item_bytes, (long long)p->result_bytes);
    if (!(p->item_work >= 0) || !isfinite(p->item_work))
        return hs_error_set(error, HS_ERR_ARG, 0, "item_work is %g, expected 0 or more", p->item_work);
    if (p->rounds < 0 || p->rounds > HS_DIVISIBLE_ROUNDS_MAX)
        return hs_error_set(error, HS_ERR_ARG, 0, "rounds is %d, expected 1 to %d", p->rounds, HS_DIVISIBLE_ROUNDS_MAX);
    hs_status status = hs__reserved_check(p->reserved, HS__RESERVED, error);
    if (status == HS_OK)
        status = check_times(p->cycle_time, "cycle_time", size, -1, 0, error);
    return status == HS_OK ? check_times(p->comm_time, "comm_time", size, p->root, 1, error) : status;
}

void hs_farm_free(hs_farm *farm)
{
    if (!farm)
        return;
    if (farm->context)
        hs__context_free(farm->context);
    free(farm->plan.chunk);
    hs__pool_free(&farm->pool);
    free(farm);
}

static hs_status allocate(hs_farm *farm)
{
    size_t p = (size_t)farm->size;
    farm->cycle_time = hs__pool_new(&farm->pool, p, sizeof(double));
    farm->comm_time = hs__pool_new(&farm->pool, p, sizeof(double));
    farm->latency = hs__pool_new(&farm->pool, p, sizeof(double));
    farm->plan.count = hs__pool_new(&farm->pool, p, sizeof(int64_t));
    farm->plan.send = hs__pool_new(&farm->pool, p, sizeof(int));
    farm->plan.collect = hs__pool_new(&farm->pool, p, sizeof(int));
    farm->plan.n = -1;
    return hs__pool_status(&farm->pool);
}

static hs__farm_facts facts_of(const hs_farm_params *p, double timeout)
{
    return (hs__farm_facts){.item_bytes = p->item_bytes,
                            .result_bytes = p->result_bytes,
                            .item_work = p->item_work,
                            .timeout = timeout,
                            .root_role = (int32_t)p->root_role,
                            .rounds = p->rounds > 0 ? p->rounds : DEFAULT_ROUNDS,
                            .has_cycle_time = p->cycle_time != NULL,
                            .has_comm_time = p->comm_time != NULL};
}

/* Check and allocate before the ranks communicate. */
static hs_status prepare(MPI_Comm comm, const hs_farm_params *params, hs_farm **out, hs_error *error)
{
    hs_farm *farm = *out = hs__array_new(1, sizeof *farm);
    if (!farm)
        return HS_ERR_NOMEM;
    if (hs__peers_check(comm, "", NULL) != HS_OK)
        return HS_OK; /* hs__session_open() returns the error */
    PMPI_Comm_rank(comm, &farm->rank);
    PMPI_Comm_size(comm, &farm->size);
    farm->root = params->root;
    if (allocate(farm) != HS_OK)
        return HS_ERR_NOMEM;
    if (params->root < 0 || params->root >= farm->size)
        return hs_error_set(error, HS_ERR_ARG, 0, "root is %d, expected 0 to %d", params->root, farm->size - 1);
    return farm->rank == params->root ? check_params(params, farm->size, error) : HS_OK;
}

static hs_status start(hs_farm *farm, const hs_farm_params *params, hs_error *error)
{
    farm->facts = facts_of(params, farm->context->params.timeout);
    hs_status status = hs__farm_share(farm, &farm->facts, sizeof farm->facts);
    if (status != HS_OK)
        return hs_error_set(error, status, 0, "%s", hs_error_text(farm->context));
    status = hs__farm_estimate(farm, params, error);
    return status == HS_OK ? status : hs__report_failure(farm->context, farm->made_by, status, error);
}

/* As hs_farm_create(), with the name of the call. */
static hs_status create(MPI_Comm comm, hs__operation operation, const hs_farm_params *given, hs_farm **out,
                        hs_error *error)
{
    fenv_t program;
    hs_farm_params params = given ? *given : (hs_farm_params){0};
    hs_params own = {.mode = HS_BALANCE_OFF,
                     .timeout = params.timeout,
                     .host = params.host,
                     .probe_budget = params.probe_budget,
                     .platform = params.platform};
    static const char *const names[HS__RECORD_VALUES] = {"root"};
    hs__record mine = {operation, HS_OK, {params.root}, {0}};
    hs_farm *farm = NULL;
    hs_context *context = NULL;
    hs_error own_problem = {0}, problem = {0};
    comm = hs__world_of(comm);
    hs__monitor_start();
    hs__library_enter(&program);
    mine.status = prepare(comm, &params, &farm, &own_problem);
    if (!out)
        mine.status = hs_error_set(&own_problem, HS_ERR_ARG, 0, "farm is NULL, expected a place for it");
    hs_status status = hs__session_open(comm, &own, &mine, names, &own_problem, &context, &problem);
    if (status == HS_OK) {
        farm->context = context;
        farm->made_by = operation;
        status = start(farm, &params, &problem);
    }
    hs__library_leave(&program);
    if (status == HS_OK) {
        *out = farm;
        return HS_OK;
    }
    hs_farm_free(farm);
    return hs_error_set(error, status, 0, "%s", problem.text);
}

hs_status hs_farm_create(MPI_Comm comm, const hs_farm_params *params, hs_farm **farm, hs_error *error)
{
    return create(comm, HS__OP_FARM_CREATE, params, farm, error);
}

const char *hs_farm_error_text(const hs_farm *farm)
{
    return farm ? farm->context->error : "farm is NULL, expected one that exists";
}

const int64_t *hs_farm_counts(const hs_farm *farm)
{
    return farm->plan.count;
}

const int *hs_farm_send_order(const hs_farm *farm)
{
    return farm->plan.send;
}

const int *hs_farm_collect_order(const hs_farm *farm)
{
    return farm->plan.collect;
}

double hs_farm_makespan(const hs_farm *farm)
{
    return farm->plan.n >= 0 && farm->timed ? farm->plan.makespan : 0;
}

const double *hs_farm_cycle_times(const hs_farm *farm)
{
    return farm->cycle_time;
}

const double *hs_farm_comm_times(const hs_farm *farm)
{
    return farm->comm_time;
}

/* ---- The farm on a communicator ---- */

/* The attribute under which communicators keep their farms; made once, since MPI frees no attribute that is in use. */
static struct {
    int key;
    pthread_mutex_t lock;
} attribute = {MPI_KEYVAL_INVALID, PTHREAD_MUTEX_INITIALIZER};

static int forget(MPI_Comm comm, int key, void *value, void *extra)
{
    (void)comm, (void)key, (void)extra;
    hs_farm_free(value);
    return MPI_SUCCESS;
}

/* @return the key of the attribute; MPI_KEYVAL_INVALID: there is none, nor can one be made */
static int key_of_farms(void)
{
    pthread_mutex_lock(&attribute.lock);
    if (attribute.key == MPI_KEYVAL_INVALID)
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &attribute.key, NULL);
    int key = attribute.key;
    pthread_mutex_unlock(&attribute.lock);
    return key;
}

static hs_status attach(MPI_Comm comm, hs__operation operation, const hs_farm_params *params, hs_farm **out,
                        hs_error *error)
{
    hs_farm *farm = NULL;
    hs_status status = create(comm, operation, params, &farm, error);
    if (status != HS_OK)
        return status;
    int key = key_of_farms();
    if (key == MPI_KEYVAL_INVALID || PMPI_Comm_set_attr(comm, key, farm) != MPI_SUCCESS) {
        hs_farm_free(farm);
        return hs_error_set(error, HS_ERR_MPI, 0, "%s: MPI keeps no attribute of comm", hs__operation_name(operation));
    }
    *out = farm;
    return HS_OK;
}

hs_status hs_farm_attach(MPI_Comm comm, const hs_farm_params *params, hs_error *error)
{
    hs_farm *farm;
    return attach(hs__world_of(comm), HS__OP_FARM_ATTACH, params, &farm, error);
}

/* The farm that a communicator keeps; NULL: none, as where hs_farm_create() would refuse it. */
static hs_farm *attached(MPI_Comm comm)
{
    hs_farm *farm = NULL;
    int found = 0, key = MPI_KEYVAL_INVALID;
    if (hs__peers_check(comm, "", NULL) == HS_OK)
        key = key_of_farms();
    if (key != MPI_KEYVAL_INVALID)
        PMPI_Comm_get_attr(comm, key, &farm, &found);
    return found ? farm : NULL;
}

hs_status hs_scatter_counts(MPI_Comm comm, int64_t n, int *counts, int *displs, int *order)
{
    comm = hs__world_of(comm);
    hs_farm *farm = attached(comm);
    hs_status status = farm ? HS_OK : attach(comm, HS__OP_SCATTER_COUNTS, NULL, &farm, NULL);
    if (status != HS_OK)
        return status;
    static const char *const names[HS__RECORD_VALUES] = {"n", "order"};
    hs__record record = {HS__OP_SCATTER_COUNTS, HS_OK, {n, order != NULL}, {0}};
    hs__context_clear(farm->context);
    if (n < 0 || n > INT_MAX)
        record.status = hs__context_fail(farm->context, HS_ERR_ARG, "hs_scatter_counts: n is %lld, expected 0 to %d",
                                         (long long)n, INT_MAX);
    else if (!counts || !displs)
        record.status =
            hs__context_fail(farm->context, HS_ERR_ARG, "hs_scatter_counts: %s is NULL, expected one number a rank",
                             counts ? "displs" : "counts");
    status = hs__agree(farm->context, &record, names);
    if (status == HS_OK)
        status = hs__farm_make_plan(farm, n, order ? HS__FARM_BLOCKING : HS__FARM_RANK_ORDER);
    for (int r = 0, sum = 0; status == HS_OK && r < farm->size; r++) {
        counts[r] = (int)farm->plan.count[r];
        displs[r] = sum;
        sum += counts[r];
        if (order)
            order[r] = farm->plan.send[r];
    }
    return status;
}
