/* SPDX-License-Identifier: BSD-3-Clause */
/* hs-scatter: a master holds a catalogue of seismic records, and the ranks trace a ray for each. The library's farm does
 * it in four calls: hs_farm_create(), hs_farm_sample(), hs_farm_run(), hs_farm_free(). */
#include "scatter.h"
#include "apps/common.h"
#include "util/file.h"
#include "util/plural.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 16, VERIFY_SAMPLES = 2000 };
static const double SAMPLE_SECONDS = 0.2;

static int rank_of_world(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static void compute(void *context, int64_t first, int64_t count, const void *records, void *results)
{
    const scatter_work *w = context;
    (void)first;
    catalogue_trace(&w->model, w->options->intervals, records, w->record_bytes, results, w->result_bytes, count);
}

static void show_progress(void *context, int64_t done, int64_t n)
{
    static const char full[] = "########################################";
    const scatter_work *w = context;
    int length = (int)(40 * done / n);
    if (w->show_progress)
        fprintf(stderr, "\r[%-40.*s] %3d %%%s", length, full, (int)(100 * done / n), done == n ? "\n" : "");
}

MPI_Datatype scatter_bytes_type(int64_t bytes)
{
    MPI_Datatype type;
    MPI_Type_contiguous((int)bytes, MPI_BYTE, &type);
    MPI_Type_commit(&type);
    return type;
}

/* List the workers that got nothing; "..." replaces those for which the text has no room. */
static void note_left_out(scatter_work *w, const int64_t *count, int size)
{
    size_t used = 0;
    for (int r = w->options->master == HS_FARM_ROOT_IDLE; r < size; r++) {
        if (count[r] > 0)
            continue;
        int fits = used + 20 < sizeof w->left_out;
        used += (size_t)snprintf(w->left_out + used, sizeof w->left_out - used, fits ? "%s%d" : "%s...",
                                 used ? "," : "", r);
        if (!fits)
            return;
    }
}

/* Of the schedules of which the library knows only what a sample of the records took. */
static double sampled_efficiency(const scatter_work *w, const hs_farm *farm, int size, double seconds)
{
    double speed = 0;
    for (int r = w->options->master == HS_FARM_ROOT_IDLE && size > 1; r < size; r++)
        speed += 1 / hs_farm_cycle_times(farm)[r];
    return (double)w->n / speed / seconds;
}

/* Run the requested schedule. @return its seconds; *report is filled in for every schedule */
static void run(scatter_work *w, hs_farm_report *report)
{
    const scatter_options *o = w->options;
    hs_farm_params params = {
        .root_role = o->master, .item_bytes = w->record_bytes, .result_bytes = w->result_bytes, .rounds = o->rounds};
    hs_farm_job job = {w->n,
                       w->record,
                       scatter_bytes_type(w->record_bytes),
                       w->result,
                       scatter_bytes_type(w->result_bytes),
                       compute,
                       rank_of_world() == 0 ? show_progress : NULL,
                       w};
    hs_farm *farm = NULL;
    double one[] = {1};
    int size;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (size == 1)
        params.cycle_time = params.comm_time = one; /* nothing to measure */
    app_require(hs_farm_create(MPI_COMM_WORLD, &params, &farm, NULL));
    app_require(hs_farm_sample(farm, &job, SAMPLES, SAMPLE_SECONDS));
    MPI_Barrier(MPI_COMM_WORLD);
    double begun = MPI_Wtime();
    if (o->schedule == SCATTER_PLANNED) {
        app_require(hs_farm_run(farm, &job, report));
        note_left_out(w, hs_farm_counts(farm), size);
    } else if (o->schedule == SCATTER_DYNAMIC)
        scatter_dynamic(w);
    else
        scatter_by_counts(w, o->schedule == SCATTER_PROPORTIONAL ? hs_farm_cycle_times(farm) : NULL);
    report->seconds = MPI_Wtime() - begun;
    if (o->schedule != SCATTER_PLANNED)
        report->efficiency = sampled_efficiency(w, farm, size, report->seconds);
    hs_farm_free(farm);
    MPI_Type_free(&job.item_type);
    MPI_Type_free(&job.result_type);
}

/* Trace every record, or some evenly spaced ones, again and compare. */
static int verify(const scatter_work *w)
{
    int64_t step = w->options->verify_sample ? (w->n + VERIFY_SAMPLES - 1) / VERIFY_SAMPLES : 1;
    double *again = malloc((size_t)w->result_bytes);
    int good = again != NULL;
    for (int64_t i = 0; i < w->n && good; i += step) {
        const double *result = w->result + i * (w->result_bytes / 8);
        catalogue_trace(&w->model, w->options->intervals, w->record + i * (w->record_bytes / 8), w->record_bytes, again,
                        w->result_bytes, 1);
        good = memcmp(again, result, (size_t)w->result_bytes) == 0 && result[0] > 0;
    }
    free(again);
    return good;
}

static int report_result(const scatter_work *w, const hs_farm_report *r)
{
    int is_right = verify(w);
    const char *verified = is_right ? "true" : "false";
    uint64_t checksum = catalogue_checksum(w->result, w->result_bytes, 0, w->n);
    if (w->options->json)
        printf("{\"time\":%.6f,\"iterations\":1,\"verified\":%s,\"checksum\":\"%016" PRIx64 "\",\"rebalances\":%" PRId64
               ",\"moved_bytes\":%" PRId64 ",\"efficiency\":%.4f,\"planned_time\":%.6f,\"items\":%" PRId64
               ",\"rounds\":%d}\n",
               r->seconds, verified, checksum, r->corrections, r->moved_bytes, r->efficiency, r->planned, w->n,
               r->rounds);
    else
        printf("time %.3f s, 1 iteration, verified %s, checksum %016" PRIx64 ", %" PRId64 " rebalance%s, %" PRId64
               " bytes moved, efficiency %.3f, planned time %.3f s, %" PRId64 " item%s, %d installment%s\n",
               r->seconds, verified, checksum, r->corrections, hs__plural(r->corrections), r->moved_bytes,
               r->efficiency, r->planned, w->n, hs__plural(w->n), r->rounds, hs__plural(r->rounds));
    if (w->left_out[0])
        fprintf(stderr, "hs-scatter: unused ranks (they would delay the end, or no item was left for them): %s\n",
                w->left_out);
    return is_right ? 0 : 1;
}

static hs_status size_results(const scatter_options *o, int64_t record_bytes, scatter_work *w, hs_error *error)
{
    double asked = 8 * floor(o->results * (double)record_bytes / 8 + 0.5);
    if (asked > RECORD_MAX_BYTES)
        return hs_error_set(error, HS_ERR_ARG, 0, "results of %g bytes a record are too large: at most %d", asked,
                            RECORD_MAX_BYTES);
    w->result_bytes = asked > RECORD_MIN_BYTES ? (int64_t)asked : RECORD_MIN_BYTES;
    return HS_OK;
}

/* The facts that all ranks need before the run; only the master has the catalogue. */
static hs_status prepare(const scatter_options *o, catalogue *c, scatter_work *w, hs_error *error)
{
    hs_status status = o->output ? hs__file_try(o->output, error) : HS_OK; /* before the rays are traced */
    if (status == HS_OK && o->input)
        status = catalogue_read(o->input, c, error);
    if (status == HS_OK)
        status = size_results(o, o->input ? c->record_bytes : o->record_bytes, w, error);
    if (status == HS_OK && !o->input)
        status = catalogue_make(o->items, o->record_bytes, c);
    if (status == HS_ERR_NOMEM)
        return hs_error_set(error, status, 0, "out of memory");
    if (status != HS_OK)
        return status;
    if (o->items > c->n)
        return hs_error_set(error, HS_ERR_ARG, 0, "%s: holds %" PRId64 " records, not %" PRId64, o->input, c->n,
                            o->items);
    if (c->n == 0)
        return hs_error_set(error, HS_ERR_ARG, 0, "%s: holds no records", o->input);
    w->n = c->n = o->items > 0 ? o->items : c->n;
    w->record_bytes = c->record_bytes;
    w->record = c->record;
    w->result = calloc((size_t)w->n, (size_t)w->result_bytes);
    w->show_progress = scatter_seen_on_terminal();
    return w->result ? HS_OK : hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory");
}

static int generate(const scatter_options *o, hs_error *error)
{
    catalogue c = {0};
    hs_status status = catalogue_make(o->items, o->record_bytes, &c);
    if (status == HS_OK)
        status = catalogue_write(o->generate, &c, error);
    else
        hs_error_set(error, status, 0, "out of memory");
    catalogue_free(&c);
    return status == HS_OK ? 0 : 1;
}

static int solve(const scatter_options *o)
{
    catalogue c = {0};
    scatter_work w = {.options = o};
    hs_farm_report report = {0};
    hs_error error = {0};
    int64_t sizes[4] = {1};
    int code = 0, rank = rank_of_world();
    if (rank == 0 && o->generate)
        code = generate(o, &error);
    else if (rank == 0)
        sizes[0] = prepare(o, &c, &w, &error) == HS_OK;
    sizes[1] = w.n;
    sizes[2] = w.record_bytes;
    sizes[3] = w.result_bytes;
    MPI_Bcast(sizes, 4, MPI_INT64_T, 0, MPI_COMM_WORLD);
    w.n = sizes[1];
    w.record_bytes = sizes[2];
    w.result_bytes = sizes[3];
    rays_model_earth(&w.model);
    if (sizes[0] && !o->generate)
        run(&w, &report);
    if (sizes[0] && !o->generate && rank == 0) {
        code = report_result(&w, &report);
        if (code == 0 && o->output && catalogue_write_results(o->output, &c, w.result, w.result_bytes, &error) != HS_OK)
            code = 1;
    }
    if (error.text[0] && rank == 0)
        fprintf(stderr, "hs-scatter: %s\n", error.text);
    catalogue_free(&c);
    free(w.result);
    MPI_Bcast(&code, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return sizes[0] ? code : 1;
}

int main(int argc, char **argv)
{
    scatter_options options;
    MPI_Init(&argc, &argv);
    int code = scatter_parse(argc, argv, &options);
    if (code < 0)
        code = solve(&options);
    return app_end(code);
}
