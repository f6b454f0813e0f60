/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/blocks/blocks.h"
#include "runtime/base/parked_buffer.h"
#include "runtime/session/link_rate.h"
#include "runtime/watch/library.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/double_bits.h"
#include "util/hash.h"
#include "util/reserved.h"
#include <heteroslice/hs_version.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rectangles begin on a cache line. */
#define ALIGNMENT 64

/* ---- Creating ---- */

static hs_status check_create(hs_context *context, int64_t blocks, const hs_blocks_params *params)
{
    if (blocks < 1 || blocks > HS_BLOCKS_MAX)
        return hs__context_fail(context, HS_ERR_ARG, "hs_blocks_create: blocks is %lld, expected 1 to %d",
                                (long long)blocks, (int)HS_BLOCKS_MAX);
    if (params->objective != HS_COLUMNS_SUM && params->objective != HS_COLUMNS_MAX)
        return hs__context_fail(context, HS_ERR_ARG,
                                "hs_blocks_create: objective is %d, expected an hs_columns_objective",
                                (int)params->objective);
    if (!(params->tolerance >= 0) || !isfinite(params->tolerance))
        return hs__context_fail(context, HS_ERR_ARG, "hs_blocks_create: tolerance is %g, expected 0 or more",
                                params->tolerance);
    if (params->steps < 0)
        return hs__context_fail(context, HS_ERR_ARG, "hs_blocks_create: steps is %lld, expected 0 or more",
                                (long long)params->steps);
    if (hs__reserved_check(params->reserved, HS__RESERVED, NULL) != HS_OK)
        return hs__context_fail(context, HS_ERR_ARG, "hs_blocks_create: reserved[] is not all 0, as version %s expects",
                                hs_library_version());
    return HS_OK;
}

/* What is known at first: speeds given, or measured, or equal. */
static void first_speeds(hs_blocks *layout, const hs_blocks_params *params)
{
    const hs_context *context = layout->context;
    const double *speed = params->speed ? params->speed : context->speed;
    memcpy(layout->speed, speed, (size_t)context->size * sizeof *speed);
}

static hs_status first_cut(hs_blocks *layout, int64_t blocks, const hs_blocks_params *params)
{
    hs_context *context = layout->context;
    hs_columns_params with;
    hs_error error = {0, ""};
    hs_status status;
    hs_columns_params_init(&with);
    with.objective = params->objective;
    with.tolerance = params->tolerance;
    if (params->layout)
        status = hs__block_partition_create(context->size, blocks, params->layout, &layout->cut, &error);
    else
        status = hs__block_partition_for_speeds(context->size, blocks, layout->speed, &with, &layout->cut, &error);
    return status == HS_OK ? status : hs__context_fail(context, status, "hs_blocks_create: %s", error.text);
}

/* Cycle times from what is known of the speeds, seconds a block; only relative when W is not known. */
static hs_status start_balancer(hs_blocks *layout, int64_t steps)
{
    hs_context *context = layout->context;
    double *cycle = hs__array_new((size_t)context->size, sizeof *cycle);
    double blocks = (double)layout->cut->blocks, work = context->params.work;
    if (!cycle)
        return HS_ERR_NOMEM;
    for (int r = 0; r < context->size; r++)
        cycle[r] = layout->speed[r] > 0 ? (work > 0 ? work / (blocks * blocks) : 1) / layout->speed[r] : INFINITY;
    layout->balancer = (hs__balancer){
        .context = context, .kind = &hs__blocks_kind, .layout = layout, .units = layout->area, .horizon = steps};
    hs_status status = hs__balancer_start(&layout->balancer, cycle);
    free(cycle);
    return status;
}

void hs__blocks_measure(hs_blocks *layout)
{
    for (int r = 0; r < layout->context->size; r++)
        layout->area[r] = layout->cut->rectangle[r].rows * layout->cut->rectangle[r].columns;
}

hs_status hs__blocks_check(const hs_blocks *layout, hs_error *error)
{
    const hs__block_partition *cut = layout->cut;
    int64_t sum = 0, mine = layout->area[layout->context->rank];
    if (!hs__block_partition_check(cut))
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the rectangles do not tile %lld x %lld blocks",
                            (long long)cut->blocks, (long long)cut->blocks);
    for (int r = 0; r < cut->ranks; sum += layout->area[r++])
        if (layout->area[r] != cut->rectangle[r].rows * cut->rectangle[r].columns)
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "rank %d has %lld blocks, its rectangle another number", r,
                                (long long)layout->area[r]);
    if (sum != cut->blocks * cut->blocks)
        return hs_error_set(error, HS_ERR_INTERNAL, 0, "the ranks have %lld blocks together, not %lld", (long long)sum,
                            (long long)(cut->blocks * cut->blocks));
    for (size_t m = 0; m < layout->matrix_count; m++)
        if (!layout->matrices[m].given != (mine == 0))
            return hs_error_set(error, HS_ERR_INTERNAL, 0, "matrix %zu has no memory, or has some without blocks", m);
    return HS_OK;
}

static hs_status build(hs_context *context, int64_t blocks, const hs_blocks_params *params, hs_blocks **out)
{
    hs_blocks *layout = hs__array_new(1, sizeof *layout);
    if (!layout)
        return HS_ERR_NOMEM;
    layout->context = context;
    layout->tolerance = params->tolerance;
    layout->speed = hs__array_new((size_t)context->size, sizeof *layout->speed);
    layout->area = hs__array_new((size_t)context->size, sizeof *layout->area);
    layout->balancer.context = context;
    hs_status status = layout->speed && layout->area ? HS_OK : HS_ERR_NOMEM;
    if (status == HS_OK) {
        first_speeds(layout, params);
        status = first_cut(layout, blocks, params);
    }
    if (status == HS_OK) {
        hs__blocks_measure(layout);
        status = start_balancer(layout, params->steps);
    }
    if (status == HS_OK)
        *out = layout;
    else
        hs_blocks_free(layout);
    return status;
}

static void free_owned(hs__owned *layout)
{
    hs_blocks_free((hs_blocks *)layout);
}

static const char *find_kept(const hs__owned *owned, const void *place, size_t *number)
{
    const hs_blocks *layout = (const hs_blocks *)owned;
    for (*number = 0; *number < layout->matrix_count; ++*number)
        if (layout->matrices[*number].data == place)
            return "matrix";
    return NULL;
}

/* A number that differs when ranks were told something else: not all of it shows in the first cut. */
static int64_t hash_of(const hs_blocks *layout)
{
    uint64_t hash = hs__hash_add((uint64_t)hs__block_partition_hash(layout->cut), hs__bits_of(layout->tolerance));
    return (int64_t)hs__hash_bytes(hash, layout->speed, (size_t)layout->context->size * sizeof *layout->speed);
}

static hs_status create(hs_context *context, int64_t blocks, const hs_blocks_params *params, hs_blocks **out)
{
    static const char *const names[HS__RECORD_VALUES] = {"blocks", "~set of params", "steps"};
    hs_blocks_params with = params ? *params : (hs_blocks_params){0};
    hs_blocks *layout = NULL;
    hs_status status = hs__context_begin(context, "hs_blocks_create");
    if (status != HS_OK)
        return status;
    hs_status mine = hs__context_check_given(context, "hs_blocks_create: layout", out);
    if (mine == HS_OK)
        mine = check_create(context, blocks, &with);
    if (mine == HS_OK)
        mine = build(context, blocks, &with, &layout);
    hs__record record = {HS__OP_BLOCKS_CREATE, mine, {blocks, layout ? hash_of(layout) : 0, with.steps}, {0}};
    status = hs__agree(context, &record, names);
    if (status == HS_OK && layout->balancer.decider)
        status = hs__link_rate_measure(context, &layout->balancer.byte_s);
    if (status != HS_OK) {
        hs_blocks_free(layout);
        return status;
    }
    hs__balancer_restart(&layout->balancer);
    HS_ASSERT_SOUND(hs__blocks_check, layout);
    hs__context_own(context, &layout->owned, (hs__owned){.free = free_owned, .find = find_kept});
    *out = layout;
    return HS_OK;
}

hs_status hs_blocks_create(hs_context *context, int64_t blocks, const hs_blocks_params *params, hs_blocks **layout)
{
    fenv_t program;
    HS__RETURN_IF_NULL(context);
    hs__library_enter(&program);
    hs_status status = create(context, blocks, params, layout);
    hs__library_leave(&program);
    return status;
}

void hs_blocks_free(hs_blocks *layout)
{
    if (!layout)
        return;
    hs__context_disown(layout->context, &layout->owned);
    for (size_t m = 0; m < layout->matrix_count; m++)
        if (hs__pointers_hold(hs__matrix_pointer, layout, layout->matrix_count, m))
            hs__park_buffer(layout->matrices[m].given, layout->left_to_mpi);
    for (size_t m = 0; m < layout->matrix_count; m++)
        *layout->matrices[m].data = NULL;
    hs__balancer_end(&layout->balancer);
    hs__block_partition_free(layout->candidate.cut);
    free(layout->matrices);
    free(layout->area);
    free(layout->speed);
    hs__block_partition_free(layout->cut);
    free(layout);
}

/* ---- Matrices ---- */

/* Bytes of a rectangle of a matrix, -1 when no size_t can hold them. */
static int64_t matrix_bytes(const hs__matrix *m, const hs_blocks_rectangle *r)
{
    int64_t rows, columns, bytes;
    if (__builtin_mul_overflow(r->rows, m->block_rows, &rows) ||
        __builtin_mul_overflow(r->columns, m->block_columns, &columns) ||
        __builtin_mul_overflow(rows, columns, &bytes) || __builtin_mul_overflow(bytes, m->element_bytes, &bytes) ||
        (uint64_t)bytes > SIZE_MAX / 2)
        return -1;
    return bytes;
}

hs_status hs__matrix_allocate(const hs__matrix *matrix, const hs_blocks_rectangle *rectangle, void **data)
{
    int64_t bytes = matrix_bytes(matrix, rectangle);
    void *buffer = bytes > 0 ? hs__array_aligned((size_t)bytes, ALIGNMENT) : NULL;
    if (bytes < 0 || (bytes > 0 && !buffer))
        return HS_ERR_NOMEM;
    *data = buffer;
    return HS_OK;
}

hs__pointer hs__matrix_pointer(const void *layout, size_t m)
{
    const hs__matrix *matrix = &((const hs_blocks *)layout)->matrices[m];
    return (hs__pointer){
        *matrix->data, matrix->given, {matrix->block_rows, matrix->block_columns, matrix->element_bytes}};
}

static hs_status check_matrix(const hs_blocks *layout, const hs__matrix *matrix)
{
    const struct {
        const char *name;
        int64_t value;
    } sizes[] = {{"block_rows", matrix->block_rows},
                 {"block_columns", matrix->block_columns},
                 {"element_bytes", matrix->element_bytes}};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].value < 1 || sizes[i].value > INT_MAX)
            return hs__context_fail(layout->context, HS_ERR_ARG, "hs_blocks_add_matrix: %s is %lld, expected 1 to %d",
                                    sizes[i].name, (long long)sizes[i].value, INT_MAX);
    return hs__context_check_place(layout->context, &layout->owned, "hs_blocks_add_matrix: data", matrix->data);
}

/* Makes room for one more and fills *data with zeros. */
static hs_status add(hs_blocks *layout, const hs__matrix *matrix, void **data)
{
    hs_blocks_rectangle mine = hs_blocks_mine(layout);
    hs_status status = check_matrix(layout, matrix);
    if (status != HS_OK)
        return status;
    if (hs__array_reserve(&layout->matrices, &layout->matrix_capacity, layout->matrix_count + 1, sizeof *matrix) != 0 ||
        hs__matrix_allocate(matrix, &mine, data) != HS_OK)
        return hs__context_fail(layout->context, HS_ERR_NOMEM,
                                "hs_blocks_add_matrix: no memory for %lld x %lld blocks of %lld x %lld x %lld bytes",
                                (long long)mine.rows, (long long)mine.columns, (long long)matrix->block_rows,
                                (long long)matrix->block_columns, (long long)matrix->element_bytes);
    HS_ASSERT(layout->matrix_count < layout->matrix_capacity);
    if (*data)
        memset(*data, 0, (size_t)matrix_bytes(matrix, &mine));
    return HS_OK;
}

hs_status hs_blocks_add_matrix(hs_blocks *layout, int64_t block_rows, int64_t block_columns, int64_t element_bytes,
                               void **data)
{
    HS__RETURN_IF_NULL(layout);
    static const char *const names[HS__RECORD_VALUES] = {"block_rows", "block_columns", "element_bytes",
                                                         "matrix number"};
    hs_context *context = layout->context;
    hs__matrix matrix = {block_rows, block_columns, element_bytes, data, NULL};
    void *first = NULL;
    hs_status status = hs__context_begin(context, __func__);
    if (status != HS_OK)
        return status;
    hs_status mine = add(layout, &matrix, &first);
    hs__record record = {
        HS__OP_ADD_MATRIX, mine, {block_rows, block_columns, element_bytes, (int64_t)layout->matrix_count}, {0}};
    status = hs__agree(context, &record, names);
    if (status != HS_OK) {
        free(first);
        return status;
    }
    *data = matrix.given = first;
    layout->matrices[layout->matrix_count++] = matrix;
    HS_ASSERT_SOUND(hs__blocks_check, layout);
    return HS_OK;
}

/* ---- Asking ---- */

hs_blocks_rectangle hs_blocks_mine(const hs_blocks *layout)
{
    return layout->cut->rectangle[layout->context->rank];
}

const hs_blocks_rectangle *hs_blocks_rectangles(const hs_blocks *layout)
{
    return layout->cut->rectangle;
}

const int64_t *hs_blocks_index(const hs_blocks *layout, hs_blocks_axis axis)
{
    return layout->cut->index[axis];
}

const int64_t *hs_blocks_place(const hs_blocks *layout, hs_blocks_axis axis)
{
    return layout->cut->place[axis];
}

void hs_blocks_layout(const hs_blocks *layout, hs_column_layout *columns)
{
    *columns = hs__block_partition_layout(layout->cut);
}

const double *hs_blocks_speeds(const hs_blocks *layout)
{
    return layout->speed;
}

void hs_blocks_get_stats(const hs_blocks *layout, hs_blocks_stats *stats)
{
    const hs__balance_counts *counts = &layout->balancer.counts;
    *stats = layout->stats;
    stats->steps = counts->iterations;
    stats->phases = counts->phases;
    stats->decide_s = counts->decide_s;
    stats->compute_s = counts->compute_s;
}
