/* SPDX-License-Identifier: BSD-3-Clause */
/* Farms on real ranks: planned counts, items and results in their places, non-contiguous items, runs whose items cost
 * different times, and what goes wrong. */
#include "runtime/farm/pieces.h"
#include "tests/mpi.h"
#include <heteroslice/hs_scatter.h>
#include <time.h>

enum { MOST = 8 };

/* Rank r computes an item in 1 / (r + 1) ms; links get slower with the rank. */
static hs_farm_params weights(int root)
{
    static double cycle[MOST], comm[MOST];
    for (int r = 0; r < MOST; r++) {
        cycle[r] = 1e-3 / (r + 1);
        comm[r] = 1e-5 * (r + 1);
    }
    return (hs_farm_params){
        .root = root, .item_bytes = 16, .result_bytes = 8, .cycle_time = cycle, .comm_time = comm, .timeout = PATIENCE};
}

static hs_farm *farm_of(hs_farm_params params)
{
    hs_farm *farm = NULL;
    hs_error error = {0};
    hs_status status = hs_farm_create(MPI_COMM_WORLD, &params, &farm, &error);
    if (status != HS_OK)
        fprintf(stderr, "%s\n", error.text);
    REQUIRE(status == HS_OK && farm != NULL);
    return farm;
}

static void plans_add_up(void)
{
    static const int64_t loads[] = {0, 1, 2, 5, 100, 12345, (int64_t)5e9};
    hs_farm *farm = farm_of(weights(world_size() - 1));
    for (size_t k = 0; k < sizeof loads / sizeof *loads; k++) {
        int64_t mine = -1, sum = 0, most = 0;
        REQUIRE(hs_farm_plan(farm, loads[k], &mine) == HS_OK);
        REQUIRE(mine == hs_farm_counts(farm)[world_rank()]);
        MPI_Allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
        MPI_Allreduce(&mine, &most, 1, MPI_INT64_T, MPI_MAX, MPI_COMM_WORLD);
        REQUIRE(sum == loads[k] && mine >= 0);
        REQUIRE(loads[k] == 0 || hs_farm_makespan(farm) > 0);
        REQUIRE(world_size() < 4 || loads[k] < 12345 || most < sum / 2);
    }
    REQUIRE(hs_farm_plan(farm, 0, NULL) == HS_OK && hs_farm_makespan(farm) == 0);
    hs_farm_free(farm);
}

/* A pair of doubles with a gap: 24 bytes apart, 16 of them sent. */
static MPI_Datatype gapped(void)
{
    MPI_Datatype vector, type;
    MPI_Type_vector(2, 1, 2, MPI_DOUBLE, &vector);
    MPI_Type_create_resized(vector, 0, 4 * sizeof(double), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&vector);
    return type;
}

/* An order names every rank once, those without items last. */
static void check_order(const hs_farm *farm, const int *order)
{
    int size = world_size(), *times = calloc((size_t)size, sizeof *times), idle = 0;
    for (int k = 0; k < size; k++) {
        times[order[k]]++;
        idle |= hs_farm_counts(farm)[order[k]] == 0;
        REQUIRE(!idle || hs_farm_counts(farm)[order[k]] == 0);
    }
    for (int r = 0; r < size; r++)
        REQUIRE(times[r] == 1);
    free(times);
}

static void there_and_back(int root, int64_t n)
{
    hs_farm *farm = farm_of(weights(root));
    MPI_Datatype wide = gapped(), packed;
    int64_t count, first = 0;
    int is_root = world_rank() == root;
    MPI_Type_contiguous(2, MPI_DOUBLE, &packed);
    MPI_Type_commit(&packed);
    double *items = calloc((size_t)n * 4 + 1, sizeof *items), *results = calloc((size_t)n * 2 + 1, sizeof *results);
    for (int64_t i = 0; i < n && is_root; i++) {
        items[4 * i] = (double)i;
        items[4 * i + 2] = 0.5 * (double)i;
    }
    for (int turn = 0; turn < 2; turn++) { /* the second plan uses the times learned */
        REQUIRE(hs_farm_plan(farm, n, &count) == HS_OK);
        check_order(farm, hs_farm_send_order(farm));
        check_order(farm, hs_farm_collect_order(farm));
        double *mine = malloc((size_t)count * 2 * sizeof *mine + 1);
        REQUIRE(hs_scatter(farm, items, wide, mine, packed) == HS_OK);
        first = 0;
        for (int r = 0; r < world_rank(); r++)
            first += hs_farm_counts(farm)[r];
        for (int64_t i = 0; i < count; i++) {
            REQUIRE(mine[2 * i] == (double)(first + i) && mine[2 * i + 1] == 0.5 * (double)(first + i));
            mine[i] = mine[2 * i] + mine[2 * i + 1];
        }
        MPI_Datatype spaced; /* results stand in every other double */
        MPI_Type_create_resized(MPI_DOUBLE, 0, 2 * sizeof(double), &spaced);
        MPI_Type_commit(&spaced);
        REQUIRE(hs_gather(farm, mine, MPI_DOUBLE, results, spaced) == HS_OK);
        for (int64_t i = 0; i < n && is_root; i++)
            REQUIRE(results[2 * i] == 1.5 * (double)i && results[2 * i + 1] == 0);
        MPI_Type_free(&spaced);
        free(mine);
    }
    REQUIRE(hs_farm_cycle_times(farm)[world_rank()] > 0);
    free(items);
    free(results);
    MPI_Type_free(&wide);
    MPI_Type_free(&packed);
    hs_farm_free(farm);
}

typedef struct tally {
    int64_t computed, last_told;
    int uneven;
} tally;

/* The cost of an item depends on its number when told so. */
static void halve(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    tally *t = context;
    for (int64_t i = 0; i < count; i++) {
        const double *item = (const double *)items + 4 * i;
        volatile double waste = 1;
        for (int k = 0; t->uneven && k < 40 * (int)((first + i) % 50); k++)
            waste = waste * 1.0000001;
        ((double *)results)[i] = 0.5 * (item[0] + item[2]) * (waste > 0);
        t->computed++;
    }
}

static void told(void *context, int64_t done, int64_t n)
{
    tally *t = context;
    REQUIRE(done >= t->last_told && done <= n);
    t->last_told = done;
}

static void run_once(hs_farm_params params, int64_t n, int uneven)
{
    hs_farm *farm = farm_of(params);
    tally t = {.uneven = uneven};
    MPI_Datatype wide = gapped();
    double *items = calloc((size_t)n * 4 + 1, sizeof *items), *results = calloc((size_t)n + 1, sizeof *results);
    for (int64_t i = 0; i < n; i++) {
        items[4 * i] = (double)i;
        items[4 * i + 2] = 3.0 * (double)i;
    }
    hs_farm_job job = {n, items, wide, results, MPI_DOUBLE, halve, told, &t};
    int is_root = world_rank() == params.root;
    hs_farm_report report = {0};
    if (!is_root)
        job.items = job.results = NULL;
    if (params.item_work > 0 && n > 0)
        REQUIRE(hs_farm_sample(farm, &job, 16, 0.01) == HS_OK);
    t.computed = 0;
    REQUIRE(hs_farm_run(farm, &job, &report) == HS_OK);
    for (int64_t i = 0; i < n && is_root; i++)
        REQUIRE(results[i] == 2.0 * (double)i);
    REQUIRE(!is_root || t.last_told == n || n == 0);
    REQUIRE(n == 0 || (report.planned > 0 && report.seconds > 0 && report.efficiency > 0));
    REQUIRE(world_size() > 1 || report.efficiency <= 1 + 1e-9); /* by its own clock */
    int64_t all = 0;
    MPI_Allreduce(&t.computed, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    REQUIRE(all >= n);
    if (params.root_role == HS_FARM_ROOT_IDLE && world_size() > 1 && is_root && params.cycle_time)
        REQUIRE(t.computed == 0);
    free(items);
    free(results);
    MPI_Type_free(&wide);
    hs_farm_free(farm);
}

static void runs(void)
{
    hs_farm_params params = weights(0);
    run_once(params, 0, 0);
    run_once(params, 3, 0);
    run_once(params, 20000, 1);
    params.root = world_size() / 2;
    params.rounds = 1;
    run_once(params, 5000, 0);
    params.root_role = HS_FARM_ROOT_IDLE;
    params.rounds = 30;
    run_once(params, 5000, 1);
}

static void from_a_platform(void)
{
    hs_params hosts = fake_hosts(HS_BALANCE_OFF);
    hs_farm_params params = {.item_bytes = 16,
                             .result_bytes = 8,
                             .item_work = 1e5,
                             .platform = hosts.platform,
                             .host = hosts.host,
                             .timeout = PATIENCE};
    run_once(params, 5000, 0);
    hs_farm *farm = farm_of(params);
    REQUIRE(fabs(hs_farm_cycle_times(farm)[0] - 1e-4) < 1e-9);
    REQUIRE(world_size() < 2 || fabs(hs_farm_comm_times(farm)[1] - 16e-9) < 1e-12);
    REQUIRE(hs_farm_comm_times(farm)[0] == 0);
    hs_farm_free(farm);
    params.item_work = 0; /* unknown costs: by speed alone, then learned */
    farm = farm_of(params);
    int64_t mine;
    REQUIRE(hs_farm_plan(farm, 7000, &mine) == HS_OK);
    REQUIRE(llabs(mine - 7000 / world_size()) <= 1 && hs_farm_makespan(farm) == 0);
    char *all = calloc(7000, 1), *here = calloc(7000, 1);
    REQUIRE(hs_scatter(farm, all, MPI_BYTE, here, MPI_BYTE) == HS_OK);
    REQUIRE(hs_gather(farm, here, MPI_BYTE, all, MPI_BYTE) == HS_OK);
    REQUIRE(hs_farm_plan(farm, 7000, &mine) == HS_OK && hs_farm_makespan(farm) > 0);
    free(all);
    free(here);
    hs_farm_free(farm);
    run_once(params, 2000, 1);
    forget_hosts(&hosts);
}

/* What is wrong is told as the call's that the program has made. */
static void attaching_has_its_name(void)
{
    hs_farm_params params = weights(world_size());
    hs_error error = {0};
    REQUIRE(hs_farm_attach(MPI_COMM_WORLD, &params, &error) == HS_ERR_ARG);
    REQUIRE(strstr(error.text, "hs_farm_attach: rank 0: root is") == error.text);
    REQUIRE(hs_farm_attach(MPI_COMM_NULL, &params, &error) == HS_ERR_ARG);
    REQUIRE(strcmp(error.text, "hs_farm_attach: comm is MPI_COMM_NULL") == 0);
}

static void counts_for_scatterv(void)
{
    int counts[MOST], displs[MOST], order[MOST], sum = 0, seen = 0;
    hs_farm_params params = weights(0);
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    REQUIRE(hs_farm_attach(comm, &params, NULL) == HS_OK);
    REQUIRE(hs_scatter_counts(comm, 1000, counts, displs, NULL) == HS_OK);
    double *items = calloc(1000, sizeof *items), *mine = calloc(1000, sizeof *mine);
    for (int r = 0; r < world_size(); r++) {
        REQUIRE(displs[r] == sum);
        sum += counts[r];
    }
    REQUIRE(sum == 1000);
    MPI_Scatterv(items, counts, displs, MPI_DOUBLE, mine, counts[world_rank()], MPI_DOUBLE, 0, comm);
    REQUIRE(hs_scatter_counts(comm, 1000, counts, displs, order) == HS_OK);
    for (int k = 0; k < world_size(); k++)
        seen |= 1 << order[k];
    REQUIRE(seen == (1 << world_size()) - 1);
    REQUIRE(hs_scatter_counts(comm, -1, counts, displs, order) == HS_ERR_ARG);
    REQUIRE(hs_scatter_counts(comm, (int64_t)1 << 31, counts, displs, order) == HS_ERR_ARG);
    REQUIRE(hs_scatter_counts(comm, 5, counts, NULL, order) == HS_ERR_ARG);
    REQUIRE(hs_scatter_counts(comm, 5, world_rank() == 0 ? NULL : counts, displs, order) == HS_ERR_ARG);
    REQUIRE(hs_scatter_counts(comm, world_rank() == world_size() - 1 ? -1 : 5, counts, displs, order) == HS_ERR_ARG);
    free(items);
    free(mine);
    MPI_Comm_free(&comm);
}

/* Column i of a matrix of doubles, from the row before on: items that lie in between each other. */
static MPI_Datatype column(int rows, int columns)
{
    MPI_Datatype vector, shifted, type;
    MPI_Type_vector(rows, 1, columns, MPI_DOUBLE, &vector);
    MPI_Type_create_hindexed(1, (int[]){1}, (MPI_Aint[]){-columns * (MPI_Aint)sizeof(double)}, vector, &shifted);
    MPI_Type_create_resized(shifted, 0, sizeof(double), &type);
    MPI_Type_commit(&type);
    MPI_Type_free(&shifted);
    MPI_Type_free(&vector);
    return type;
}

enum { ROWS = 64, COLUMNS = 500 };

/* The sum of a column, and its last element. */
static void sum_columns(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    const double *row = (const double *)items - COLUMNS;
    double *sum = (double *)results - COLUMNS, *last = results;
    for (int64_t i = 0; i < count; i++) {
        sum[i] = 0;
        for (int k = 0; k < ROWS; k++)
            sum[i] += row[k * COLUMNS + i];
        last[i] = row[(ROWS - 1) * COLUMNS + i];
    }
}

static void columns_of_a_matrix(int sampled)
{
    static double matrix[ROWS][COLUMNS], results[2][COLUMNS];
    hs_farm *farm = farm_of(weights(0));
    hs_farm_job job = {COLUMNS, matrix[1], column(ROWS, COLUMNS), results[1], column(2, COLUMNS), sum_columns,
                       NULL,    NULL};
    for (int k = 0; k < ROWS; k++)
        for (int i = 0; i < COLUMNS; i++)
            matrix[k][i] = world_rank() == 0 ? 1000 * k + i : -1;
    if (sampled)
        REQUIRE(hs_farm_sample(farm, &job, 16, 0.01) == HS_OK);
    REQUIRE(hs_farm_run(farm, &job, NULL) == HS_OK);
    for (int i = 0; i < COLUMNS && world_rank() == 0; i++)
        REQUIRE(results[0][i] == 1000 * (ROWS - 1) * ROWS / 2 + ROWS * i && results[1][i] == 1000 * (ROWS - 1) + i);
    MPI_Type_free(&job.item_type);
    MPI_Type_free(&job.result_type);
    hs_farm_free(farm);
}

/* Of which one number is sent. */
typedef struct large {
    double number;
    char unused[16384];
} large;

static void fill_whole_structs(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    const double *item = items;
    memset(results, 0x7f, (size_t)count * sizeof(large));
    for (int64_t i = 0; i < count; i++)
        ((large *)results)[i].number = 2 * item[i];
}

static void whole_structs_are_written(void)
{
    enum { STRUCTS = 50 };
    static double items[STRUCTS];
    static large results[STRUCTS];
    hs_farm *farm = farm_of(weights(0));
    hs_farm_job job = {STRUCTS, items, MPI_DOUBLE, results, MPI_DATATYPE_NULL, fill_whole_structs, NULL, NULL};
    MPI_Type_create_resized(MPI_DOUBLE, 0, sizeof(large), &job.result_type);
    MPI_Type_commit(&job.result_type);
    for (int i = 0; i < STRUCTS; i++)
        items[i] = i;
    REQUIRE(hs_farm_sample(farm, &job, 4, 0.01) == HS_OK);
    REQUIRE(hs_farm_run(farm, &job, NULL) == HS_OK);
    for (int i = 0; i < STRUCTS && world_rank() == 0; i++)
        REQUIRE(results[i].number == 2 * i);
    MPI_Type_free(&job.result_type);
    hs_farm_free(farm);
}

static void sleep_and_count(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    (void)first, (void)items, (void)results;
    nanosleep(&(struct timespec){0, 10000000}, NULL);
    *(int64_t *)context += count;
}

/* Of items that take longer than the time for samples, one is timed, and not sixteen. */
static void long_items_are_sampled_once(void)
{
    enum { N = 100 };
    double items[N] = {0}, results[N];
    int64_t computed = 0;
    hs_farm *farm = farm_of(weights(0));
    hs_farm_job job = {N, items, MPI_DOUBLE, results, MPI_DOUBLE, sleep_and_count, NULL, &computed};
    REQUIRE(hs_farm_sample(farm, &job, 16, 1e-3) == HS_OK);
    REQUIRE(computed == 1);
    hs_farm_free(farm);
}

static void compute_nothing(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    (void)context, (void)first, (void)items;
    memset(results, 0, (size_t)count * sizeof(double));
}

/* Where sending is said to take longer than computing, items that were sampled go to all ranks at the same time, and
 * others one message after the other. */
static void sampled_items_go_out_at_once(void)
{
    enum { N = 60 };
    static double items[N], results[N];
    double cycle[64], comm[64];
    hs_farm_params params = {
        .root_role = HS_FARM_ROOT_IDLE, .cycle_time = cycle, .comm_time = comm, .timeout = PATIENCE};
    equal_costs(cycle, 1e-9, comm, 1);
    hs_farm_job job = {N, items, MPI_DOUBLE, results, MPI_DOUBLE, compute_nothing, NULL, NULL};
    for (int sampled = 0; sampled < 2 && world_size() > 2; sampled++) {
        hs_farm_report report;
        hs_farm *farm = farm_of(params);
        if (sampled)
            REQUIRE(hs_farm_sample(farm, &job, 4, 0.01) == HS_OK);
        REQUIRE(hs_farm_run(farm, &job, &report) == HS_OK);
        REQUIRE(fabs(report.planned - (sampled ? (double)N / (world_size() - 1) : N)) <= 1e-3 * N);
        hs_farm_free(farm);
    }
}

/* A message of two pieces and a bit, to oneself, behind items that stay. */
static void messages_come_in_pieces(void)
{
    enum { FIRST = 3 };
    hs__items from, to;
    hs__pieces sent = {0}, received = {0};
    int64_t piece = hs__piece_items(sizeof(double), HS__FINE), count = 2 * piece + 5, all = FIRST + count + 1;
    double *out = calloc((size_t)all, sizeof *out), *in = calloc((size_t)all, sizeof *in);
    REQUIRE(out && in);
    for (int64_t i = 0; i < all; i++)
        out[i] = (double)i + 1;
    REQUIRE(hs__items_of(out, MPI_DOUBLE, &from) == HS_OK && hs__items_of(in, MPI_DOUBLE, &to) == HS_OK);
    REQUIRE(hs__pieces_post(&received, HS__RECEIVE, HS__FINE, &to, FIRST, count, 0, 5, MPI_COMM_SELF) == HS_OK);
    REQUIRE(hs__pieces_post(&sent, HS__SEND, HS__FINE, &from, FIRST, count, 0, 5, MPI_COMM_SELF) == HS_OK);
    REQUIRE(received.count == 3 && sent.count == 3);
    for (int done[2] = {0, 0}; !done[0] || !done[1];) {
        REQUIRE(done[0] || hs__pieces_test(&received, &done[0]) == HS_OK);
        REQUIRE(done[1] || hs__pieces_test(&sent, &done[1]) == HS_OK);
    }
    for (int64_t i = 0; i < all; i++)
        REQUIRE(in[i] == (i < FIRST || i == all - 1 ? 0 : out[i]));
    hs__pieces_free(&received);
    hs__pieces_free(&sent);
    free(out);
    free(in);
}

/* Without a sample hs_farm_run() takes one: what is wrong there is told as its own. */
static void a_run_that_samples_has_its_name(void)
{
    double item = 0;
    hs_farm_params params = {.timeout = PATIENCE, .probe_budget = 0.01};
    hs_farm *farm = farm_of(params);
    hs_farm_job job = {1, &item, MPI_DOUBLE, &item, MPI_DATATYPE_NULL, sleep_and_count, NULL, &item};
    MPI_Type_create_resized(MPI_DOUBLE, 0, (MPI_Aint)1 << 60, &job.result_type);
    MPI_Type_commit(&job.result_type);
    REQUIRE(hs_farm_run(farm, &job, NULL) == HS_ERR_NOMEM);
    REQUIRE(strstr(hs_farm_error_text(farm), "hs_farm_run: rank ") != NULL);
    MPI_Type_free(&job.result_type);
    hs_farm_free(farm);
}

/* More than 2^31 items and bytes to one rank and back, where there is memory for it and HS_TEST_BIG asks for it. */
static void beyond_int(void)
{
    if (world_size() != 2 || !getenv("HS_TEST_BIG") ||
        (double)sysconf(_SC_AVPHYS_PAGES) * (double)sysconf(_SC_PAGESIZE) < 8e9)
        return;
    hs_farm_params params = weights(0);
    params.root_role = HS_FARM_ROOT_IDLE;
    params.item_bytes = params.result_bytes = 1;
    hs_farm *farm = farm_of(params);
    int64_t n = ((int64_t)1 << 31) + 1000, mine = 0;
    REQUIRE(hs_farm_plan(farm, n, &mine) == HS_OK);
    REQUIRE(mine == (world_rank() == 0 ? 0 : n));
    unsigned char *byte = malloc((size_t)n);
    REQUIRE(byte != NULL);
    for (int64_t i = 0; i < n && world_rank() == 0; i++)
        byte[i] = (unsigned char)(i % 251);
    REQUIRE(hs_scatter(farm, byte, MPI_BYTE, byte, MPI_BYTE) == HS_OK);
    for (int64_t i = 0; i < mine; i++) {
        if (byte[i] != i % 251)
            REQUIRE(!"an item has another value");
        byte[i] = (unsigned char)(250 - byte[i]);
    }
    REQUIRE(hs_gather(farm, byte, MPI_BYTE, byte, MPI_BYTE) == HS_OK);
    for (int64_t i = 0; i < n && world_rank() == 0; i++)
        if (byte[i] != 250 - i % 251)
            REQUIRE(!"a result has another value");
    if (world_rank() == 0)
        fprintf(stderr, "%lld items of a byte went to rank 1 and back\n", (long long)n);
    free(byte);
    hs_farm_free(farm);
}

static void write_distant_hosts(FILE *file, int hosts)
{
    fprintf(file, "<cluster id='c' prefix='h' suffix='' radical='0-%d' speed='1Gf' bw='1GBps' lat='1s'/>\n", hosts);
}

static void do_nothing(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    (void)context, (void)first, (void)count, (void)items, (void)results;
}

/* A message is under way for longer than all items take: the root computes them alone. */
static void far_workers_get_nothing(void)
{
    enum { N = 1000 };
    static double items[4 * N], results[N];
    MPI_Datatype pair = gapped();
    hs_farm_job job = {N, items, pair, results, MPI_DOUBLE, do_nothing, NULL, NULL};
    hs_params hosts = params_on_host(HS_BALANCE_OFF, world_rank(), write_distant_hosts, world_size());
    hs_farm *farm = farm_of((hs_farm_params){
        .item_bytes = 16, .item_work = 1e5, .platform = hosts.platform, .host = hosts.host, .timeout = PATIENCE});
    REQUIRE(hs_farm_plan(farm, N, NULL) == HS_OK);
    REQUIRE(hs_farm_counts(farm)[0] == N && fabs(hs_farm_makespan(farm) - 0.1) < 1e-6);
    REQUIRE(hs_farm_run(farm, &job, NULL) == HS_OK && hs_farm_counts(farm)[0] == N);
    MPI_Type_free(&pair);
    hs_farm_free(farm);
    forget_hosts(&hosts);
}

static void sleep_but_on_the_root(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    (void)context, (void)first, (void)items, (void)results;
    if (world_rank() > 0)
        nanosleep(&(struct timespec){0, count * 1000000}, NULL);
}

static void sleep_longer_on_the_root(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    (void)context, (void)first, (void)items, (void)results;
    int64_t ns = world_rank() > 0 ? 50000000 : 150000000;
    nanosleep(&(struct timespec){0, count * ns}, NULL);
}

/* The root looks after the others only between its own items, of which each takes as long as three of theirs. */
static void long_items_of_the_root_keep_nobody_waiting(void)
{
    enum { EACH = 10 };
    double cycle[MOST], items[EACH * MOST] = {0}, results[EACH * MOST];
    int n = EACH * world_size();
    for (int r = 0; r < MOST; r++)
        cycle[r] = r > 0 ? 0.05 : 0.15;
    hs_farm *farm = farm_of((hs_farm_params){.cycle_time = cycle, .timeout = PATIENCE, .probe_budget = 0.01});
    hs_farm_job job = {n, items, MPI_DOUBLE, results, MPI_DOUBLE, sleep_longer_on_the_root, NULL, NULL};
    REQUIRE(hs_farm_run(farm, &job, NULL) == HS_OK);
    REQUIRE(4 * hs_farm_counts(farm)[0] < 3 * EACH);
    hs_farm_free(farm);
}

/* Times given are wrong, and messages take next to no time: items are not all under way before this is known. */
static void wrong_times_are_corrected(int64_t item_bytes)
{
    enum { EACH = 400 };
    double cycle[MOST];
    int64_t n = (int64_t)EACH * world_size();
    double *items = calloc((size_t)n, sizeof *items), *results = calloc((size_t)n, sizeof *results);
    for (int r = 0; r < MOST; r++)
        cycle[r] = 1e-3;
    hs_farm *farm = farm_of(
        (hs_farm_params){.item_bytes = item_bytes, .cycle_time = cycle, .timeout = PATIENCE, .probe_budget = 0.01});
    hs_farm_job job = {n, items, MPI_DOUBLE, results, MPI_DOUBLE, sleep_but_on_the_root, NULL, NULL};
    REQUIRE(hs_farm_run(farm, &job, NULL) == HS_OK);
    REQUIRE(world_size() == 1 || hs_farm_counts(farm)[0] > EACH);
    hs_farm_free(farm);
    free(items);
    free(results);
}

/* No communicator: refused by all calls, not by MPI, which would end the program. */
static void no_ranks(MPI_Comm comm, hs_status expected)
{
    int counts[MOST], displs[MOST];
    hs_farm *farm = NULL;
    if (hs_farm_create(comm, NULL, &farm, NULL) == expected && hs_farm_attach(comm, NULL, NULL) == expected &&
        hs_scatter_counts(comm, 5, counts, displs, NULL) == expected)
        return;
    fprintf(stderr, "expected %s of a communicator without ranks\n", hs_status_text(expected));
    exit(1);
}

static void refused(hs_farm_params params, hs_status expected, const char *said)
{
    hs_farm *farm = NULL;
    hs_error error = {0};
    hs_status status = hs_farm_create(MPI_COMM_WORLD, &params, &farm, &error);
    if (status != expected || farm || (world_rank() == params.root && !strstr(error.text, said)))
        fprintf(stderr, "status %d, '%s', expected %d, '%s'\n", status, error.text, expected, said);
    REQUIRE(status == expected && farm == NULL);
    REQUIRE(world_rank() != params.root || strstr(error.text, said) != NULL);
}

static void types_are_named(hs_farm *farm)
{
    double place = 0;
    const MPI_Datatype none = MPI_DATATYPE_NULL;
    hs_farm_job job = {.n = 1, .items = &place, .item_type = MPI_DOUBLE, .result_type = none, .compute = halve};
    REQUIRE(hs_farm_run(farm, &job, NULL) == HS_ERR_ARG);
    REQUIRE(strstr(hs_farm_error_text(farm), "hs_farm_run: job->result_type is no MPI datatype") != NULL);
    REQUIRE(hs_farm_plan(farm, 1, NULL) == HS_OK);
    REQUIRE(hs_scatter(farm, &place, MPI_DOUBLE, &place, none) == HS_ERR_ARG);
    REQUIRE(strstr(hs_farm_error_text(farm), "hs_scatter: mine_type is no MPI datatype") != NULL);
}

/* A type that some rank has not committed: all get the same status, and nobody waits. */
static void types_are_committed(void)
{
    enum { N = 20 };
    double items[N] = {0}, results[N], here[N];
    const char *not_committed = " is no MPI datatype that is committed";
    MPI_Datatype raw;
    hs_farm *farm = farm_of(weights(0));
    MPI_Type_contiguous(1, MPI_DOUBLE, &raw);
    hs_farm_job job = {
        .n = N, .item_type = MPI_DOUBLE, .result_type = raw, .items = items, .results = results, .compute = halve};
    REQUIRE(hs_farm_run(farm, &job, NULL) == HS_ERR_ARG);
    for (int odd = 0; odd < world_size(); odd++) {
        MPI_Datatype mine = world_rank() == odd ? raw : MPI_DOUBLE;
        REQUIRE(hs_farm_plan(farm, N, NULL) == HS_OK);
        REQUIRE(hs_scatter(farm, items, raw, here, MPI_DOUBLE) == HS_ERR_ARG);
        REQUIRE(world_rank() > 0 || strstr(hs_farm_error_text(farm), not_committed));
        REQUIRE(hs_scatter(farm, items, MPI_DOUBLE, here, mine) == HS_ERR_ARG);
        REQUIRE(hs_scatter(farm, items, MPI_DOUBLE, here, MPI_DOUBLE) == HS_OK);
        REQUIRE(hs_gather(farm, here, MPI_DOUBLE, results, raw) == HS_ERR_ARG);
        REQUIRE(world_rank() > 0 || strstr(hs_farm_error_text(farm), not_committed));
        REQUIRE(hs_gather(farm, here, mine, results, MPI_DOUBLE) == HS_ERR_ARG);
        REQUIRE(world_rank() != odd || strstr(hs_farm_error_text(farm), not_committed));
        REQUIRE(hs_gather(farm, here, MPI_DOUBLE, results, MPI_DOUBLE) == HS_OK);
    }
    MPI_Type_free(&raw);
    hs_farm_free(farm);
}

/* Likewise where some rank has forgotten to say where its items are. */
static void items_have_addresses(void)
{
    enum { N = 20 };
    double items[N] = {0}, results[N], here[N];
    hs_farm *farm = farm_of(weights(0));
    int root = world_rank() == 0, odd = world_rank() == world_size() - 1;
    hs_farm_job job = {.n = N, .item_type = MPI_DOUBLE, .result_type = MPI_DOUBLE, .items = items, .compute = halve};
    REQUIRE(hs_farm_plan(farm, N, NULL) == HS_OK && hs_farm_counts(farm)[world_size() - 1] > 0);
    REQUIRE(hs_scatter(farm, NULL, MPI_DOUBLE, here, MPI_DOUBLE) == HS_ERR_ARG);
    REQUIRE(!root || strstr(hs_farm_error_text(farm), "hs_scatter: items is NULL, expected 20 items"));
    REQUIRE(hs_scatter(farm, items, MPI_DOUBLE, odd ? NULL : here, MPI_DOUBLE) == HS_ERR_ARG);
    REQUIRE(!odd || strstr(hs_farm_error_text(farm), "hs_scatter: mine is NULL, expected"));
    REQUIRE(hs_scatter(farm, items, MPI_DOUBLE, here, MPI_DOUBLE) == HS_OK);
    REQUIRE(hs_gather(farm, odd ? NULL : here, MPI_DOUBLE, results, MPI_DOUBLE) == HS_ERR_ARG);
    REQUIRE(!odd || strstr(hs_farm_error_text(farm), "hs_gather: mine is NULL, expected"));
    REQUIRE(hs_gather(farm, here, MPI_DOUBLE, NULL, MPI_DOUBLE) == HS_ERR_ARG);
    REQUIRE(!root || strstr(hs_farm_error_text(farm), "hs_gather: results is NULL, expected 20 items"));
    REQUIRE(hs_gather(farm, here, MPI_DOUBLE, root ? results : NULL, MPI_DOUBLE) == HS_OK);
    REQUIRE(hs_farm_run(farm, &job, NULL) == HS_ERR_ARG);
    REQUIRE(!root || strstr(hs_farm_error_text(farm), "hs_farm_run: job->results is NULL, expected 20 items"));
    job.items = NULL;
    REQUIRE(hs_farm_sample(farm, &job, 3, 0.01) == HS_ERR_ARG);
    REQUIRE(!root || strstr(hs_farm_error_text(farm), "hs_farm_sample: job->items is NULL, expected 20 items"));
    hs_farm_free(farm);
}

static void bad_input(void)
{
    double zero[MOST] = {0}, nan_time[MOST], negative[MOST], good[MOST], huge[MOST];
    for (int r = 0; r < MOST; r++) {
        nan_time[r] = r == 0 ? NAN : 1;
        negative[r] = r == 0 ? 1 : -1;
        good[r] = 1;
        huge[r] = 1e300;
    }
    hs_farm_params p = weights(0);
    p.cycle_time = zero;
    refused(p, HS_ERR_ARG, "cycle_time of rank 0 is 0");
    p.cycle_time = nan_time;
    refused(p, HS_ERR_ARG, "cycle_time of rank 0 is nan");
    p.cycle_time = huge;
    refused(p, HS_ERR_ARG, "cycle_time of rank 0 is 1e+300, expected 1e-100 to 1e100");
    p.cycle_time = good;
    p.comm_time = negative;
    if (world_size() > 1)
        refused(p, HS_ERR_ARG, "comm_time of rank 1 is -1");
    p.comm_time = nan_time; /* the root's is not used */
    hs_farm_free(farm_of(p));
    p.item_bytes = -1;
    refused(p, HS_ERR_ARG, "item_bytes is -1");
    p.item_bytes = 8;
    p.item_work = NAN;
    refused(p, HS_ERR_ARG, "item_work is nan");
    p.item_work = 0;
    p.rounds = 1001;
    refused(p, HS_ERR_ARG, "rounds is 1001");
    p.rounds = 0;
    p.root = world_size();
    refused(p, HS_ERR_ARG, "root is");
    hs_farm *farm = farm_of(weights(0));
    double place = 0;
    REQUIRE(hs_farm_plan(farm, -1, NULL) == HS_ERR_ARG);
    REQUIRE(hs_scatter(farm, &place, MPI_DOUBLE, &place, MPI_DOUBLE) == HS_ERR_STATE);
    REQUIRE(hs_gather(farm, &place, MPI_DOUBLE, &place, MPI_DOUBLE) == HS_ERR_STATE);
    REQUIRE(hs_farm_plan(farm, 0, NULL) == HS_OK);
    REQUIRE(hs_scatter(farm, &place, MPI_INT, &place, MPI_DOUBLE) == HS_ERR_MISMATCH);
    REQUIRE(world_rank() != 0 || strstr(hs_farm_error_text(farm), "item_type has 4 bytes, mine_type 8"));
    if (world_size() == 1) { /* all results are the root's own */
        REQUIRE(hs_farm_plan(farm, 1, NULL) == HS_OK);
        REQUIRE(hs_gather(farm, &place, MPI_DOUBLE, &place, MPI_INT) == HS_ERR_MISMATCH);
        REQUIRE(strstr(hs_farm_error_text(farm), "hs_gather: mine_type has 8 bytes, result_type 4") != NULL);
    }
    REQUIRE(hs_farm_run(farm, &(hs_farm_job){.n = -1}, NULL) == HS_ERR_ARG);
    REQUIRE(strstr(hs_farm_error_text(farm), "hs_farm_run: job->n is -1") != NULL);
    REQUIRE(hs_farm_sample(farm, &(hs_farm_job){.n = 1}, 1, 1) == HS_ERR_ARG);
    REQUIRE(strstr(hs_farm_error_text(farm), "hs_farm_sample: job->compute is NULL") != NULL);
    REQUIRE(hs_farm_sample(farm, &(hs_farm_job){.n = 1}, 4097, 1) == HS_ERR_ARG);
    REQUIRE(strstr(hs_farm_error_text(farm), "hs_farm_sample: items is 4097, expected 1 to 4096") != NULL);
    REQUIRE(hs_farm_sample(farm, &(hs_farm_job){.n = 1}, 1, 0) == HS_ERR_ARG);
    REQUIRE(strstr(hs_farm_error_text(farm), "hs_farm_sample: seconds is 0, expected above 0") != NULL);
    types_are_named(farm);
    if (world_size() > 1) {
        REQUIRE(hs_farm_plan(farm, world_rank() == 1 ? 9 : 8, NULL) == HS_ERR_MISMATCH);
        REQUIRE(strstr(hs_farm_error_text(farm), "passed n ") != NULL);
    }
    hs_farm_free(farm);
    hs_farm_free(NULL);
    p = weights(0);
    p.cycle_time = NULL;
    p.platform = "no-such-platform.xml";
    refused(p, HS_ERR_IO, "no-such-platform.xml");
}

/* A host of the file that no route leads to. */
static void worker_without_a_link(void)
{
    const char *path = "farm-islands.xml";
    if (world_size() < 2)
        return;
    if (world_rank() == 0) {
        FILE *file = fopen(path, "w");
        REQUIRE(file != NULL);
        fputs("<?xml version='1.0'?>\n<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">\n"
              "<host id=\"h0\" speed=\"1Gf\"/><host id=\"h1\" speed=\"1Gf\"/></zone></platform>\n",
              file);
        fclose(file);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    hs_farm_params p = {.item_bytes = 8,
                        .item_work = 1,
                        .platform = path,
                        .host = world_rank() == 1 ? "h1" : "h0",
                        .timeout = PATIENCE};
    refused(p, HS_ERR_UNREACHABLE, "rank 1 has no link");
    if (world_rank() == 0)
        unlink(path);
}

/* A worker that stops in the middle of a run, until the root has said which it is. Nobody hangs. Comes last. */
static int silent_rank = -1;
static char unsaid[32]; /* a file that is there until then */

static void hang(void *context, int64_t first, int64_t count, const void *items, void *results)
{
    if (world_rank() == silent_rank) {
        silent_rank = -1;
        for (int k = 0; k < 100 * PATIENCE && access(unsaid, F_OK) == 0; k++)
            usleep(10000);
    }
    halve(context, first, count, items, results);
}

/* @return whether the root names the worker that hangs */
static int names_silent_worker(hs_farm_params params)
{
    static double items[4 * 1000], results[1000]; /* MPI may use them until the end */
    hs_farm *farm = farm_of(params);
    tally t = {0};
    MPI_Datatype wide = gapped();
    hs_farm_job job = {1000, items, wide, results, MPI_DOUBLE, hang, NULL, &t};
    silent_rank = world_size() - 1;
    if (world_rank() == 0)
        close(mkstemp(strcpy(unsaid, "/tmp/hs-farm-XXXXXX")));
    MPI_Bcast(unsaid, sizeof unsaid, MPI_CHAR, 0, MPI_COMM_WORLD);
    hs_status status = hs_farm_run(farm, &job, NULL);
    if (world_rank() == 0)
        unlink(unsaid);
    REQUIRE(status == HS_ERR_TIMEOUT);
    char name[32];
    snprintf(name, sizeof name, "rank %d was silent", world_size() - 1);
    int named = strstr(hs_farm_error_text(farm), name) != NULL;
    MPI_Bcast(&named, 1, MPI_INT, 0, MPI_COMM_WORLD);
    hs_farm_free(farm);
    MPI_Type_free(&wide);
    return named;
}

/* On a busy machine another worker may have been without a core for as long: then the time-out is too short. */
static void silent_worker(void)
{
    hs_farm_params params = weights(0);
    if (world_size() < 3)
        return;
    double cycle[MOST], comm[MOST];
    equal_costs(cycle, 1e-6, comm, 1e-9);
    params.cycle_time = cycle;
    params.comm_time = comm;
    int named = 0;
    for (params.timeout = 4; !named && params.timeout < PATIENCE; params.timeout *= 4)
        named = names_silent_worker(params);
    REQUIRE(named);
}

/* A rank returns floats where the root takes doubles: all learn of it, and the farm goes on. */
static void results_of_another_size(void)
{
    enum { N = 100 };
    hs_farm *farm = farm_of(weights(0));
    int64_t mine;
    double items[N] = {0}, results[N] = {0}, here[N];
    float small[N] = {0};
    int odd = world_size() - 1, is_odd = world_rank() == odd;
    REQUIRE(hs_farm_plan(farm, N, &mine) == HS_OK);
    REQUIRE(hs_scatter(farm, items, MPI_DOUBLE, here, MPI_DOUBLE) == HS_OK);
    hs_status status = is_odd ? hs_gather(farm, small, MPI_FLOAT, results, MPI_DOUBLE)
                              : hs_gather(farm, here, MPI_DOUBLE, results, MPI_DOUBLE);
    REQUIRE(status == (hs_farm_counts(farm)[odd] > 0 ? HS_ERR_MISMATCH : HS_OK));
    REQUIRE(status == HS_OK || hs_farm_error_text(farm)[0]);
    REQUIRE(status == HS_OK || world_rank() != 0 || odd == 0 ||
            strstr(hs_farm_error_text(farm), "returns 4 bytes a result, result_type has 8"));
    char named[64];
    snprintf(named, sizeof named, "rank %d: an argument", odd);
    REQUIRE(hs_farm_plan(farm, N, &mine) == HS_OK);
    REQUIRE(hs_scatter(farm, items, MPI_DOUBLE, here, MPI_DOUBLE) == HS_OK);
    status = hs_gather(farm, here, is_odd ? MPI_DATATYPE_NULL : MPI_DOUBLE, results, MPI_DOUBLE);
    REQUIRE(status == HS_ERR_ARG && (is_odd || strstr(hs_farm_error_text(farm), named)));
    REQUIRE(hs_farm_plan(farm, N, &mine) == HS_OK);
    REQUIRE(hs_scatter(farm, items, MPI_DOUBLE, here, MPI_DOUBLE) == HS_OK);
    REQUIRE(hs_gather(farm, here, MPI_DOUBLE, results, MPI_DOUBLE) == HS_OK);
    hs_farm_free(farm);
}

/* The program's own receive from itself stays as it was. */
static void own_messages_are_left_alone(void)
{
    hs_farm *farm = farm_of(weights(0));
    double item[64] = {0}, result[64], here[64], own = -1;
    int done = 1;
    MPI_Request receive;
    MPI_Irecv(&own, 1, MPI_DOUBLE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_SELF, &receive);
    REQUIRE(hs_farm_plan(farm, 64, NULL) == HS_OK);
    REQUIRE(hs_scatter(farm, item, MPI_DOUBLE, here, MPI_DOUBLE) == HS_OK);
    REQUIRE(hs_gather(farm, here, MPI_DOUBLE, result, MPI_DOUBLE) == HS_OK);
    MPI_Test(&receive, &done, MPI_STATUS_IGNORE);
    REQUIRE(!done && own == -1);
    MPI_Cancel(&receive);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    hs_farm_free(farm);
}

int main(int argc, char **argv)
{
    no_ranks(MPI_COMM_WORLD, HS_ERR_STATE);
    MPI_Init(&argc, &argv);
    plans_add_up();
    there_and_back(0, 1000);
    there_and_back(world_size() - 1, 3);
    there_and_back(0, 0);
    runs();
    from_a_platform();
    far_workers_get_nothing();
    columns_of_a_matrix(0);
    columns_of_a_matrix(1);
    whole_structs_are_written();
    long_items_are_sampled_once();
    sampled_items_go_out_at_once();
    messages_come_in_pieces();
    if (world_size() > 1)
        long_items_of_the_root_keep_nobody_waiting();
    wrong_times_are_corrected(0);
    wrong_times_are_corrected(8);
    a_run_that_samples_has_its_name();
    no_ranks(MPI_COMM_NULL, HS_ERR_ARG);
    attaching_has_its_name();
    types_are_committed();
    items_have_addresses();
    counts_for_scatterv();
    no_ranks(MPI_COMM_NULL, HS_ERR_ARG);
    beyond_int();
    bad_input();
    results_of_another_size();
    own_messages_are_left_alone();
    worker_without_a_link();
    silent_worker();
    MPI_Finalize();
    no_ranks(MPI_COMM_WORLD, HS_ERR_STATE);
    return 0;
}
