/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts whose speed depends on the size of their slice, and which cannot hold more than their largest one: the first cut,
 * the cuts of hs_balance(), and what the log of decisions tells of them. */
#include "plan/decision/replay.h"
#include "tests/runtime/slices/slices.h"
#include "tests/said.h"
#include <sys/stat.h>

enum { UNITS = 1000, UNIT_BYTES = 1024, DATA = UNITS * UNIT_BYTES, POINTS = 2, STEP_S = 1000 };

/* Rank 6 shares host 0, which has two cores, with rank 0. */
static int host_of(int rank)
{
    return rank == 6 ? 0 : rank;
}

static int ranks_of(int host)
{
    return host == 0 && world_size() > 6 ? 2 : 1;
}

static double speed_of(int host)
{
    return 1e9 * (1 + 0.25 * (host % 3));
}

/* What a host of the platform has; its cache is smaller than an even share of the data, or a little larger. */
static hs_speed_function host_function(int host, int narrow, hs_speed_point *point)
{
    double even = (double)DATA / world_size() * ranks_of(host), cache = even * (0.6 + 0.3 * (host % 3));
    point[0] = (hs_speed_point){floor(cache), speed_of(host)};
    point[1] = (hs_speed_point){floor(2 * cache), speed_of(host) / 4};
    double most = narrow ? 0.9 * even : host == 0 && world_size() > 1 ? 0.8 * even : INFINITY;
    return (hs_speed_function){point, host % 2 ? 0 : POINTS, floor(most)};
}

static void write_host(FILE *file, int host, int narrow)
{
    hs_speed_point point[POINTS];
    hs_speed_function f = host_function(host, narrow, point);
    fprintf(file, "<host id='h%d' speed='%.17gf' core='%d'>\n", host, speed_of(host), ranks_of(host));
    if (f.points > 0)
        fprintf(file, "<prop id='speed_by_size' value='%.17gB:%.17gf, %.17gB:%.17gf'/>\n", point[0].size,
                point[0].speed, point[1].size, point[1].speed);
    if (isfinite(f.max_size))
        fprintf(file, "<prop id='max_slice' value='%.17gB'/>\n", f.max_size);
    fprintf(file, "</host>\n<link id='l%d' bandwidth='10GBps' latency='0s'/>\n", host);
}

/* narrow: the hosts' largest slices do not hold the data together. */
static void write_hosts(FILE *file, int narrow)
{
    int count = world_size() > 6 ? world_size() - 1 : world_size();
    fprintf(file, "<zone id='z' routing='Floyd'>\n");
    for (int h = 0; h < count; h++)
        write_host(file, h, narrow);
    fprintf(file, "<router id='s'/>\n");
    for (int h = 0; h < count; h++)
        fprintf(file, "<route src='h%d' dst='s'><link_ctn id='l%d'/></route>\n", h, h);
    fprintf(file, "</zone>\n");
}

static hs_params hosts(hs_balance_mode mode, double data, int narrow)
{
    hs_params params = params_on_host(mode, host_of(world_rank()), write_hosts, narrow);
    params.data = data;
    return params;
}

static hs_context *begin(hs_balance_mode mode, double data, int narrow)
{
    hs_context *context;
    hs_params params = hosts(mode, data, narrow);
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    forget_hosts(&params);
    return context;
}

/* The function of one rank of a host, whose size and speed its ranks share. A host without one has its speed. */
static hs_speed_function function_of(int host, int narrow, hs_speed_point *point)
{
    hs_speed_function f = host_function(host, narrow, point);
    for (int k = 0; k < POINTS; k++)
        point[k].size /= ranks_of(host);
    if (f.points == 0) {
        point[0].speed = speed_of(host);
        f.points = 1;
    }
    f.max_size /= ranks_of(host);
    return f;
}

/* Hosts, and their functions, in the order of the context's ranks. */
static void in_ring_order(hs_context *context, hs_speed_function *function, hs_speed_point (*point)[POINTS], int *host)
{
    int mine = host_of(world_rank());
    MPI_Allgather(&mine, 1, MPI_INT, host, 1, MPI_INT, hs_comm(context));
    for (int r = 0; r < context->size; r++)
        function[r] = function_of(host[r], 0, point[r]);
}

/* Exactly what the planner gives. @return seconds of a step of STEP_S work units, each a flop of the speed */
static double planned(hs_context *context, int64_t *count)
{
    hs_speed_function function[MOST_RANKS];
    hs_speed_point point[MOST_RANKS][POINTS];
    double nothing[MOST_RANKS] = {0}, step;
    int host[MOST_RANKS];
    in_ring_order(context, function, point, host);
    const hs_slices_params params = {.function = function,
                                     .comm_time = nothing,
                                     .hosts = context->size,
                                     .work = 1e9 * STEP_S,
                                     .data = DATA,
                                     .units = UNITS,
                                     .minimum = 1};
    REQUIRE(hs_slices_compute_by_size(&params, count, &step) == HS_OK);
    return step;
}

static void the_first_cut(hs_balance_mode mode)
{
    hs_layout *layout;
    hs_context *context = begin(mode, DATA, 0);
    int64_t count[MOST_RANKS];
    planned(context, count);
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    REQUIRE(memcmp(count, layout->count, (size_t)context->size * sizeof *count) == 0);
    REQUIRE(hs_finalize(&context) == HS_OK);
}

/* Nothing is known of bytes: by the ratios of speeds. */
static void the_first_cut_without_bytes(void)
{
    hs_layout *layout;
    hs_context *context = begin(HS_BALANCE_STATIC, 0, 0);
    double cycle[MOST_RANKS], nothing[MOST_RANKS] = {0};
    int64_t count[MOST_RANKS];
    for (int r = 0; r < context->size; r++)
        cycle[r] = 1 / context->order.speed[r];
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    REQUIRE(hs_slices_compute(cycle, nothing, context->size, UNITS, 1, HS_STEP_SERIAL, count, NULL) == HS_OK);
    REQUIRE(memcmp(count, layout->count, (size_t)context->size * sizeof *count) == 0);
    REQUIRE(hs_finalize(&context) == HS_OK);
}

/* Seconds of this rank's slice, `slow` times those of the platform. */
static double seconds_of(const hs_layout *layout, double slow)
{
    hs_speed_point point[POINTS];
    int64_t units = hs_layout_slice(layout).count;
    hs_speed_function f = function_of(host_of(world_rank()), 0, point);
    return slow * 1e9 * STEP_S * (double)units / UNITS / hs_speed_at(&f, (double)units * UNIT_BYTES);
}

static void within_limits(const hs_layout *layout)
{
    hs_speed_point point[POINTS];
    hs_speed_function f = function_of(host_of(world_rank()), 0, point);
    REQUIRE((double)hs_layout_slice(layout).count * UNIT_BYTES <= f.max_size);
}

/* @return the longest computation at the end */
static double run(hs_layout *layout, int iterations, double slow, int limited)
{
    int64_t moves = layout->balancer.counts.moves;
    for (int k = 0; k < iterations; k++) {
        step_in_time(layout, seconds_of(layout, slow));
        if (limited || layout->balancer.counts.moves > moves)
            within_limits(layout);
    }
    double longest = seconds_of(layout, slow);
    MPI_Allreduce(MPI_IN_PLACE, &longest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return longest;
}

/* Hosts are as the platform says: registered bytes alone bring slices to the plan's step. Then one host slows down. */
static void balanced(double data)
{
    hs_layout *layout;
    hs_layout_stats stats;
    char *bytes;
    int64_t count[MOST_RANKS];
    hs_context *context = begin(HS_BALANCE_ON, data, 0);
    double step = planned(context, count);
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    REQUIRE(hs_layout_add_array(layout, UNIT_BYTES, 0, (void **)&bytes) == HS_OK);
    REQUIRE(run(layout, 40, 1, data > 0) <= 1.03 * step);
    hs_layout_get_stats(layout, &stats);
    REQUIRE(data == 0 || stats.moves == 0);
    for (int k = 0; k < 3; k++) {
        double slow = context->rank == (context->size - 1) * (k % 2) ? 4 : 1;
        run(layout, 40, slow, stats.moves > 0 || data > 0);
        hs_layout_get_stats(layout, &stats);
    }
    REQUIRE(context->size == 1 || stats.moves > 0);
    REQUIRE(hs_finalize(&context) == HS_OK);
}

/* Weights that are declared before the first array cut within the limits, too. */
static void weights(void)
{
    hs_layout *layout;
    double weight[UNITS];
    hs_context *context = begin(HS_BALANCE_ON, DATA, 0);
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    hs_slice slice = hs_layout_slice(layout);
    for (int64_t u = 0; u < slice.count; u++)
        weight[u] = slice.first + u < UNITS / 2 ? 1 : 5;
    REQUIRE(hs_layout_weights(layout, weight) == HS_OK);
    within_limits(layout);
    REQUIRE(hs_finalize(&context) == HS_OK);
}

static void too_small_together(void)
{
    hs_layout *layout = NULL;
    char text[4000], *bytes;
    hs_context *context = begin(HS_BALANCE_ON, DATA, 1);
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_ERR_INFEASIBLE && layout == NULL);
    REQUIRE(text_has(context, "hs_layout_create: the hosts' largest slices (max_slice) do not hold 1000 units"));
    REQUIRE(hs_finalize(&context) == HS_OK);
    context = begin(HS_BALANCE_ON, 0, 1);
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    REQUIRE(hs_layout_add_array(layout, UNIT_BYTES, 0, (void **)&bytes) == HS_OK);
    int64_t held = hs_layout_slice(layout).count;
    said s = said_begin();
    for (int k = 0; k < 40; k++)
        step_in_time(layout, STEP_S);
    said_end(&s, text, sizeof text);
    REQUIRE(hs_layout_slice(layout).count == held);
    const char *first = strstr(text, "nothing moves: the hosts' largest slices");
    REQUIRE((first != NULL) == (context->rank == 0 && context->size > 1));
    REQUIRE(!first || !strstr(first + 1, "nothing moves"));
    REQUIRE(hs_finalize(&context) == HS_OK);
}

static hs_status create_and_free(void *context)
{
    hs_layout *layout;
    hs_status status = hs_layout_create(context, UNITS, 0, HS_FIXED, &layout);
    if (status == HS_OK)
        hs_layout_free(layout);
    return status;
}

static hs_status start_and_finish(void *params)
{
    hs_context *context;
    hs_status status = hs_init(MPI_COMM_WORLD, params, &context, NULL);
    return status == HS_OK ? hs_finalize(&context) : status;
}

static void memory_is_out_on_one_rank(void)
{
    hs_context *context = begin(HS_BALANCE_ON, DATA, 0);
    REQUIRE(fail_in_turn("hs_layout_create", create_and_free, context) > 0);
    REQUIRE(hs_finalize(&context) == HS_OK);
    hs_params params = hosts(HS_BALANCE_STATIC, DATA, 0);
    REQUIRE(fail_in_turn("hs_init", start_and_finish, &params) > 0);
    forget_hosts(&params);
}

/* Every decision above is the same when it is decided again. */
static void decided_again(const char *folder)
{
    char path[300];
    hs__traces traces;
    size_t paced = 0;
    snprintf(path, sizeof path, world_rank() == 0 ? "%s/log" : "%s/log.%d", folder, world_rank());
    FILE *file = fopen(path, "r");
    if (!file)
        return;
    REQUIRE(hs__traces_read(file, &traces, NULL) == HS_OK);
    for (size_t k = 0; k < traces.count; k++) {
        int line = -1;
        REQUIRE(hs__replay_verify(&traces.trace[k], &line) == HS_OK);
        REQUIRE(line == 0);
        paced += traces.trace[k].pace != NULL;
    }
    REQUIRE(paced == traces.count);
    hs__traces_free(&traces);
    fclose(file);
    unlink(path);
}

int main(int argc, char **argv)
{
    char folder[256], path[sizeof folder + 8]; /* a rank has its own */
    snprintf(folder, sizeof folder, "%s/hs-log-XXXXXX", temporary_folder());
    REQUIRE(mkdtemp(folder) != NULL);
    snprintf(path, sizeof path, "%s/log", folder);
    REQUIRE(setenv("HS_LOG_DECISIONS", path, 1) == 0);
    MPI_Init(&argc, &argv);
    the_first_cut(HS_BALANCE_STATIC);
    the_first_cut(HS_BALANCE_ON);
    the_first_cut_without_bytes();
    balanced(0);
    balanced(DATA);
    weights();
    too_small_together();
    decided_again(folder);
    memory_is_out_on_one_rank();
    MPI_Finalize();
    unlink(path);
    return rmdir(folder) != 0;
}
