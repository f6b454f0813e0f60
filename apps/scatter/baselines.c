/* SPDX-License-Identifier: BSD-3-Clause */
/* Distributions of items without the library. */
#include "apps/common.h"
#include "scatter.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

static void trace(const scatter_work *w, const double *record, double *result, int64_t count)
{
    catalogue_trace(&w->model, w->options->intervals, record, w->record_bytes, result, w->result_bytes, count);
}

/* Counts are differences of rounded cumulative sums, so they add up to n. */
static void share_out(const scatter_work *w, const double *cycle_time, int size, int *counts, int *displs)
{
    double all = 0, sum = 0;
    int first = w->options->master == HS_FARM_ROOT_IDLE && size > 1;
    for (int r = first; r < size; r++)
        all += cycle_time ? 1 / cycle_time[r] : 1;
    for (int r = 0, given = 0; r < size; r++) {
        sum += r < first ? 0 : cycle_time ? 1 / cycle_time[r] : 1;
        displs[r] = given;
        given = (int)((double)w->n * (sum / all) + 0.5);
        counts[r] = given - displs[r];
    }
}

void scatter_by_counts(const scatter_work *w, const double *cycle_time)
{
    int rank, size;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (w->n > INT_MAX) {
        fputs("hs-scatter: MPI_Scatterv cannot count that many items\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    int *counts = app_allocate(size, sizeof *counts), *displs = app_allocate(size, sizeof *displs);
    share_out(w, cycle_time, size, counts, displs);
    MPI_Datatype record_type = scatter_bytes_type(w->record_bytes), result_type = scatter_bytes_type(w->result_bytes);
    double *record = app_allocate(counts[rank], (size_t)w->record_bytes);
    double *result = app_allocate(counts[rank], (size_t)w->result_bytes);
    MPI_Scatterv(w->record, counts, displs, record_type, record, counts[rank], record_type, 0, MPI_COMM_WORLD);
    trace(w, record, result, counts[rank]);
    MPI_Gatherv(result, counts[rank], result_type, w->result, counts, displs, result_type, 0, MPI_COMM_WORLD);
    MPI_Type_free(&record_type);
    MPI_Type_free(&result_type);
    free(record);
    free(result);
    free(counts);
    free(displs);
}

/* ---- A hundredth of the items to each rank that asks ---- */

enum { ASK = 1, ANSWER, RECORDS, RESULTS };

static void serve(const scatter_work *w, int workers, int64_t chunk, MPI_Datatype record_type, MPI_Datatype result_type)
{
    int64_t next = 0, back[2];
    for (int working = workers; working > 0;) {
        MPI_Status status;
        MPI_Recv(back, 2, MPI_INT64_T, MPI_ANY_SOURCE, ASK, MPI_COMM_WORLD, &status);
        int r = status.MPI_SOURCE;
        MPI_Recv((char *)w->result + back[0] * w->result_bytes, (int)back[1], result_type, r, RESULTS, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
        int64_t out[2] = {next, w->n - next < chunk ? w->n - next : chunk};
        MPI_Send(out, 2, MPI_INT64_T, r, ANSWER, MPI_COMM_WORLD);
        if (out[1] == 0) {
            working--;
            continue;
        }
        MPI_Send((const char *)w->record + next * w->record_bytes, (int)out[1], record_type, r, RECORDS,
                 MPI_COMM_WORLD);
        next += out[1];
    }
}

static void ask(const scatter_work *w, int64_t chunk, MPI_Datatype record_type, MPI_Datatype result_type)
{
    double *record = app_allocate(chunk, (size_t)w->record_bytes);
    double *result = app_allocate(chunk, (size_t)w->result_bytes);
    int64_t part[2] = {0, 0};
    do {
        MPI_Send(part, 2, MPI_INT64_T, 0, ASK, MPI_COMM_WORLD);
        MPI_Send(result, (int)part[1], result_type, 0, RESULTS, MPI_COMM_WORLD);
        MPI_Recv(part, 2, MPI_INT64_T, 0, ANSWER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (part[1] == 0)
            break;
        MPI_Recv(record, (int)part[1], record_type, 0, RECORDS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        trace(w, record, result, part[1]);
    } while (1);
    free(record);
    free(result);
}

void scatter_dynamic(const scatter_work *w)
{
    int rank, size;
    int64_t chunk = (w->n + 99) / 100;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Datatype record_type = scatter_bytes_type(w->record_bytes), result_type = scatter_bytes_type(w->result_bytes);
    if (size == 1)
        trace(w, w->record, w->result, w->n);
    else if (rank == 0)
        serve(w, size - 1, chunk, record_type, result_type);
    else
        ask(w, chunk, record_type, result_type);
    MPI_Type_free(&record_type);
    MPI_Type_free(&result_type);
}
