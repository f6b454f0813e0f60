/* SPDX-License-Identifier: BSD-3-Clause */
/* hs_balance() in a loop on hosts with the speeds of a table. Computing puts the clock forward, so any machine can emulate
 * any number of hosts. */
#include "runtime/balance/links.h"
#include "runtime/slices/move.h"
#include "runtime/watch/drifts.h"
#include "tests/clock.h"
#include "tests/mpi.h"
#include "tests/said.h"
#include <heteroslice/hs_blocks.h>
#include <heteroslice/hs_box_layout.h>
#include <pthread.h>

enum { UNITS = 210, STEP_S = 1000 };

static void compute(hs_layout *layout, double unit_s)
{
    hs_compute_begin(layout);
    clock_pass(unit_s * (double)hs_layout_slice(layout).count);
    hs_compute_end(layout);
}

/* Two layouts balanced in turn, one of them while the other's records travel: both are decided about, and each follows
 * its own drift, which is another rank's. */
static void two_in_turn(hs_context *context)
{
    hs_layout *layout[2];
    hs_layout_stats stats;
    int rank, size;
    MPI_Comm_rank(hs_comm(context), &rank);
    MPI_Comm_size(hs_comm(context), &size);
    for (int l = 0; l < 2; l++)
        REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout[l]) == HS_OK);
    const int slow[2] = {0, size - 1};
    double unit_s = (double)STEP_S * size / UNITS;
    for (int k = 0; k < 150; k++)
        for (int l = 0; l < 2; l++) {
            compute(layout[l], rank == slow[l] ? 4 * unit_s : unit_s);
            clock_meet();
            hs_status status = hs_balance(layout[l]);
            REQUIRE(status == HS_OK || status == HS_UNCHANGED);
            REQUIRE(rank == slow[l] || hs_layout_slice(layout[l]).count >= UNITS / size);
        }
    for (int l = 0; l < 2; l++) {
        hs_layout_get_stats(layout[l], &stats);
        REQUIRE(size == 1 || (stats.phases > 2 && stats.moves >= 1));
        REQUIRE(size == 1 || (rank == slow[l]) == (2 * size * hs_layout_slice(layout[l]).count < UNITS));
        hs_layout_free(layout[l]);
    }
}

/* The first step is nothing like those that follow: it does not tell how long phases are. */
static void first_step_misleads(hs_context *context)
{
    hs_layout *layout;
    hs_layout_stats stats;
    int size = world_size();
    double unit_s = (double)STEP_S * size / UNITS * (world_rank() == 0 ? 4 : 1);
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    for (int k = 0; k < 150; k++) {
        compute(layout, k == 0 ? 0 : unit_s);
        clock_meet();
        hs_status status = hs_balance(layout);
        REQUIRE(status == HS_OK || status == HS_UNCHANGED);
    }
    hs_layout_get_stats(layout, &stats);
    REQUIRE(size == 1 || stats.moves >= 1);
    hs_layout_free(layout);
}

static void *end_iteration(void *layout)
{
    clock_pass(STEP_S);
    REQUIRE(hs_balance(layout) == HS_UNCHANGED);
    return NULL;
}

/* What a thread seems to compute while another one waits is no speed of the rank. */
static void threads_in_turn(hs_context *context)
{
    char text[2048];
    hs_layout *layout;
    hs_layout_stats stats;
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    said s = said_begin();
    for (int k = 0; k < 20; k++) {
        pthread_t thread;
        REQUIRE(pthread_create(&thread, NULL, end_iteration, layout) == 0 && pthread_join(thread, NULL) == 0);
        clock_meet();
    }
    said_end(&s, text, sizeof text);
    const char *told = strstr(text, "threads take turns in ending iterations");
    hs_layout_get_stats(layout, &stats);
    REQUIRE(stats.compute_s == 0);
    REQUIRE(world_size() == 1 ? !told : told && !strstr(told + 1, "threads take turns"));
    hs_layout_free(layout);
}

/* Once the data has moved nothing may fail any more, so the ranks say nothing more to each other. */
static void *const *watched; /* an array of the layout */
static const void *old;
static int said_since;

int __real_PMPI_Iallgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm, MPI_Request *);
int __wrap_PMPI_Iallgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm, MPI_Request *);

int __wrap_PMPI_Iallgather(const void *send, int n, MPI_Datatype type, void *receive, int m, MPI_Datatype other,
                           MPI_Comm comm, MPI_Request *request)
{
    said_since += old && *watched != old;
    return __real_PMPI_Iallgather(send, n, type, receive, m, other, comm, request);
}

static hs_status balance(hs_layout *layout, int64_t **data)
{
    watched = (void *const *)data;
    old = *data;
    hs_status status = hs_balance(layout);
    old = NULL;
    REQUIRE(said_since == 0);
    return status;
}

/* Runs iterations in step, as a halo exchange keeps them; returns the number of moves. */
static int64_t run(hs_layout *layout, int64_t **data, int iterations, double unit_s)
{
    hs_layout_stats before, after;
    hs_layout_get_stats(layout, &before);
    for (int k = 0; k < iterations; k++) {
        compute(layout, unit_s);
        clock_meet();
        hs_status status = balance(layout, data);
        REQUIRE(status == HS_OK || status == HS_UNCHANGED);
        hs_slice slice = hs_layout_slice(layout);
        for (int64_t i = 0; i < slice.count; i++)
            REQUIRE((*data)[i] == slice.first + i);
    }
    hs_layout_get_stats(layout, &after);
    return after.moves - before.moves;
}

static void write_slow_network(FILE *file, int hosts)
{
    fprintf(file, "<cluster id='c' prefix='h' suffix='' radical='0-%d' speed='1Gf' bw='2Bps' lat='0s'/>\n", hosts);
}

/* Ends a context, whose first rank says what its move, if there was one, has cost. */
static void finalize(hs_context **context, int moved)
{
    char text[1024];
    int rank;
    MPI_Comm_rank(hs_comm(*context), &rank);
    said s = said_begin();
    REQUIRE(hs_finalize(context) == HS_OK);
    said_end(&s, text, sizeof text);
    REQUIRE(!moved || rank != 0 || strstr(text, ": info: moved 1 time, cost "));
}

/* Rank 0 becomes slow. @param[in] steps, halo  as in hs_params @return the iteration that moved, 0: none of so many did */
static int64_t first_move(int64_t steps, double halo, int64_t most)
{
    enum { UNIT_BYTES = 400, STEADY = 20 };
    hs_context *context;
    hs_layout *layout;
    void *data;
    int64_t moved = 0;
    hs_params params = params_on_host(HS_BALANCE_ON, world_rank(), write_slow_network, world_size());
    params.steps = steps;
    params.halo = halo;
    REQUIRE(hs_init(MPI_COMM_WORLD, &params, &context, NULL) == HS_OK);
    forget_hosts(&params);
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    REQUIRE(hs_layout_add_array(layout, UNIT_BYTES, 0, &data) == HS_OK);
    for (int64_t k = 1; k <= most && moved == 0; k++) {
        compute(layout, (double)STEP_S * world_size() / UNITS * (world_rank() == 0 && k > STEADY ? 4 : 1));
        clock_meet();
        moved = hs_balance(layout) == HS_OK ? k : 0;
    }
    finalize(&context, moved > 0);
    return moved;
}

/* The same run again, of which the library is told that it ends one iteration after it would move. */
static void last_steps_move_nothing(void)
{
    int64_t moved = first_move(0, 0, 200);
    REQUIRE((moved > 0) == (world_size() > 1));
    if (moved > 0) {
        REQUIRE(first_move(moved + 1, 0, moved + 1) == 0);
        REQUIRE(first_move(2 * moved, 0, moved) == moved);
    }
}

/* Messages take far less than a file promises: a move is priced by that, and comes sooner than where they tell nothing. */
static void moves_are_as_fast_as_messages(void)
{
    REQUIRE(world_size() == 1 || first_move(0, 1e6, 200) < first_move(0, 0, 200));
}

/* What a rank without units measures its speed by. */
static double kernel_flop = 1e9;

double __wrap_hs__kernel_run(hs__kernel *kernel);

double __wrap_hs__kernel_run(hs__kernel *kernel)
{
    (void)kernel;
    clock_pass(STEP_S);
    return kernel_flop;
}

static hs_status keep(void *layout, const hs__decide_phase *phase, const double *cycle, double *now, double *best)
{
    (void)layout, (void)phase, (void)cycle;
    *now = *best = STEP_S;
    return HS_OK;
}

/* Only the first two ranks have units, of two ranks only the first. */
static void leave_last_out(hs_layout *layout, int64_t first)
{
    int64_t count[64] = {world_size() > 2 ? first : UNITS};
    count[1] = UNITS - count[0];
    REQUIRE(hs__gather_settle(layout->context, "hs_balance") == HS_OK && hs__move(layout, count) == HS_OK);
    hs__balancer_restart(&layout->balancer);
}

/* The host of a rank without units is twice as fast as it was when units were taken from it: all ranks learn it, also
 * when other ranks have exchanged units since. */
static void left_out_host_recovers(hs_context *context)
{
    hs_layout *layout;
    hs__balance_kind kind = hs__layout_kind;
    int last = world_size() - 1;
    if (last == 0)
        return;
    kind.decide.plan = keep;
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    layout->balancer.kind = &kind;
    for (int k = 0; k < 2; k++) {
        leave_last_out(layout, UNITS / 2 - 50 * k);
        for (int i = 0; i < 40; i++) {
            compute(layout, STEP_S);
            clock_meet();
            REQUIRE(hs_balance(layout) == HS_UNCHANGED);
        }
        REQUIRE(fabs(layout->balancer.cycle[last] - (k == 0 ? 1 : 0.5)) < 0.1);
        kernel_flop = 2e9;
    }
    hs_layout_free(layout);
}

/* Messages take a little longer, or less: links are measured once that has cost as much as measuring does, and will
 * cost it again in the steps that are left. */
static void small_losses_add_up(void)
{
    const hs__drift none = {0}, drifts[] = {{HS__DRIFT_MESSAGES, 0, 1, 1.125, 4}, {HS__DRIFT_MESSAGES, 0, 1.125, 1, 4}};
    for (int k = 0; k < 2; k++) {
        hs__balancer b = {.kind = &hs__layout_kind, .counts.iterations = 1};
        hs__links_suspect(&b, &drifts[k], 4, 10);
        REQUIRE(!hs__links_due(&b));
        hs__links_suspect(&b, &none, 3, 13);
        REQUIRE(!hs__links_due(&b));
        hs__links_suspect(&b, &none, 1, 14);
        REQUIRE(hs__links_due(&b) && b.suspicion.since == 6);
        b.horizon = b.counts.iterations + 7;
        REQUIRE(!hs__links_due(&b));
        b.horizon++;
        REQUIRE(hs__links_due(&b));
        hs__links_suspect(&b, &drifts[!k], 4, 30);
        REQUIRE(!hs__links_due(&b));
    }
}

/* Neither what was computed before the first bracket counts, nor an end without a begin. */
static void only_brackets_count(hs_context *context)
{
    hs_layout *layout;
    hs_layout_stats stats;
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    hs_compute_end(layout);
    hs_compute_begin(layout);
    clock_pass(STEP_S);
    hs_compute_end(layout);
    clock_pass(STEP_S);
    hs_compute_end(layout);
    REQUIRE(hs_balance(layout) == HS_UNCHANGED);
    hs_layout_get_stats(layout, &stats);
    REQUIRE(world_size() == 1 || (stats.compute_s >= STEP_S && stats.compute_s < 2 * STEP_S));
    hs_layout_free(layout);
}

/* Where nothing drifts, no phase but the first ones is shorter than a steady reading takes, since each costs an exchange, whose
 * records have time to arrive. */
static void phases_last(hs_context *context)
{
    enum { STEPS = 1000 };
    const double step_s = HS__DECIDE_SHORTEST_PHASE_S / 20;
    hs_layout *layout;
    hs_layout_stats stats;
    int travelling = 0;
    clock_stop();
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    for (int k = 0; k < STEPS; k++) {
        compute(layout, step_s / (double)hs_layout_slice(layout).count);
        clock_meet();
        REQUIRE(hs_balance(layout) == HS_UNCHANGED);
        if (travelling > 0 && !layout->balancer.phase.collecting && k > STEPS / 2)
            REQUIRE(travelling == hs__layout_kind.lag);
        travelling = layout->balancer.phase.collecting ? travelling + 1 : 0;
    }
    hs_layout_get_stats(layout, &stats);
    REQUIRE(world_size() == 1 || (stats.phases > 5 && stats.phases <= STEPS / 20 + 5));
    hs_layout_free(layout);
}

/* Planning takes so long; nothing else in the library takes time. */
static double planning_s;
static int plans;
static hs_status plan_for_long(void *layout, const hs__decide_phase *phase, const double *cycle, double *now,
                               double *best)
{
    clock_pass(planning_s);
    plans++;
    return hs__layout_kind.decide.plan(layout, phase, cycle, now, best);
}

/* What the library takes for itself between two iterations is no part of a step, and is told. */
static void steps_are_the_program_s(hs_context *context)
{
    const double step_s = 4 * HS__DECIDE_SHORTEST_PHASE_S;
    char text[8192], expected[32];
    hs_layout *layout;
    hs_layout_stats stats;
    hs__balance_kind kind = hs__layout_kind;
    int log = context->log, told = 0, right = 0;
    clock_stop();
    kind.decide.plan = plan_for_long;
    planning_s = 2 * step_s;
    plans = 0;
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    layout->balancer.kind = &kind;
    context->log = HS__LOG_DEBUG;
    said s = said_begin();
    for (int k = 0; k < 40; k++) {
        compute(layout, step_s / (double)hs_layout_slice(layout).count);
        clock_meet();
        hs_balance(layout);
    }
    said_end(&s, text, sizeof text);
    context->log = log;
    snprintf(expected, sizeof expected, ": step %.3g s, ", step_s);
    for (const char *line = text; (line = strstr(line, "debug: iteration ")) != NULL; line++, told++)
        right += strncmp(line + strcspn(line + 7, ":") + 7, expected, strlen(expected)) == 0;
    REQUIRE(told == right && (told > 2) == (context->rank == 0 && world_size() > 1));
    hs_layout_get_stats(layout, &stats);
    REQUIRE(fabs(stats.decide_s - plans * planning_s) < 1e-6);
    hs_layout_free(layout);
}

/* Phases are as long as makes what they cost a small part; two that cost more are chance, and many are not. */
static void dear_phases_are_long(hs_context *context)
{
    enum { A_PHASE = 20, CHANCE = 10, LASTING = 20, PHASES = 60 };
    const double step_s = HS__DECIDE_SHORTEST_PHASE_S / A_PHASE, usual_s = 0.0025 * HS__DECIDE_SHORTEST_PHASE_S;
    hs_layout *layout;
    hs_layout_stats stats = {0};
    hs__balance_kind kind = hs__layout_kind;
    clock_stop();
    kind.decide.plan = plan_for_long;
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    layout->balancer.kind = &kind;
    while (world_size() > 1 && stats.phases < PHASES) {
        int64_t length = layout->balancer.phase.length;
        int is_chance = stats.phases == CHANCE || stats.phases == CHANCE + 1;
        planning_s = is_chance ? 16 * usual_s : stats.phases >= LASTING ? 8 * usual_s : usual_s;
        compute(layout, step_s / (double)hs_layout_slice(layout).count);
        clock_meet();
        REQUIRE(hs_balance(layout) == HS_UNCHANGED);
        hs_layout_get_stats(layout, &stats);
        REQUIRE(stats.phases < 5 || stats.phases >= LASTING || (length >= A_PHASE && length < 2 * A_PHASE));
    }
    int64_t length = layout->balancer.phase.length;
    REQUIRE(world_size() == 1 || (length > 7 * A_PHASE && length < 9 * A_PHASE));
    hs_layout_free(layout);
}

/* Every fifth phase promises to halve the step by other slices: those for equal ranks, or for a first rank of half the speed. */
static hs_status promise(void *layout, const hs__decide_phase *phase, const double *cycle, double *now, double *best)
{
    static int phases;
    double other[64];
    int turn = ++phases / 5;
    for (int r = 0; r < world_size(); r++)
        other[r] = r == 0 && turn % 2 ? 2 : 1;
    hs_status status = hs__layout_kind.decide.plan(layout, phase, other, now, best);
    (void)cycle;
    *now = STEP_S;
    *best = phases % 5 == 0 ? STEP_S / 2 : STEP_S;
    return status;
}

/* Each rank takes as long as before, whatever it holds, and moves are dear: balancing goes off, and on again for a trial. */
static void moves_in_vain(hs_context *context)
{
    char text[4096];
    hs_layout *layout;
    hs__balance_kind kind = hs__layout_kind;
    int rank;
    MPI_Comm_rank(hs_comm(context), &rank);
    clock_stop(); /* whole numbers of seconds are said */
    kind.decide.plan = promise;
    REQUIRE(hs_layout_create(context, UNITS, 1, HS_FIXED, &layout) == HS_OK);
    layout->balancer.kind = &kind;
    said s = said_begin();
    for (int k = 0; k < 40; k++) {
        compute(layout, STEP_S / (double)hs_layout_slice(layout).count);
        clock_meet();
        if (hs_balance(layout) == HS_OK)
            hs__decider_moved(layout->balancer.decider, STEP_S / 100);
    }
    said_end(&s, text, sizeof text);
    const char *off =
                   strstr(text, ": warn: balancing is off until it would have saved 240 s: moved 6 times, cost 30 s, "),
               *on = off ? strstr(off, ": warn: balancing is on again, as it would have saved 500 s") : NULL;
    REQUIRE((on != NULL) == (rank == 0 && world_size() > 1));
    REQUIRE(!on || strstr(on, ": warn: balancing is off until it would have saved 640 s: moved 8 times, cost 40 s, "));
    hs_layout_free(layout);
}

/* Once, on the ring's first rank, which is the one that drifted: from when on, and how far. */
static void the_drift_is_noted(hs_context *context, int64_t since, double factor)
{
    hs__drift_note note[HS__MAX_DRIFTS];
    int rank, count = hs__drifts_noted(note);
    MPI_Comm_rank(hs_comm(context), &rank);
    REQUIRE(count == (rank == 0));
    if (count == 0)
        return;
    REQUIRE(note->what == HS__DRIFTED_HOST && note->world == world_rank() && !note->link[0]);
    REQUIRE(note->iteration > since - 5 && note->iteration < since + 40);
    REQUIRE(fabs(note->after / note->before - factor) < 1);
}

/* Layouts of any kind know the hosts by what those before have shown. */
static void others_begin_where_it_ended(hs_context *context, int64_t units)
{
    enum { TIMES = 10, BLOCKS = 60 };
    const hs_boxes_domain domain = {1, {TIMES * UNITS}, {0}, 1, HS_BOXES_FACES};
    hs_layout *slices;
    hs_box_layout *boxes;
    hs_blocks *blocks;
    REQUIRE(hs_layout_create(context, TIMES * UNITS, 0, HS_PERIODIC, &slices) == HS_OK);
    REQUIRE(hs_box_create(context, &domain, NULL, &boxes) == HS_OK);
    REQUIRE(hs_blocks_create(context, BLOCKS, NULL, &blocks) == HS_OK);
    hs_blocks_rectangle mine = hs_blocks_mine(blocks);
    double share = (double)units / UNITS;
    REQUIRE(fabs((double)hs_layout_slice(slices).count / (TIMES * UNITS) - share) < 0.1 * share);
    REQUIRE(fabs((double)hs_box_mine(boxes).count[0] / (TIMES * UNITS) - share) < 0.1 * share);
    REQUIRE(fabs((double)(mine.rows * mine.columns) / (BLOCKS * BLOCKS) - share) < 0.2 * share);
    hs_blocks_free(blocks);
    hs_box_free(boxes);
    hs_layout_free(slices);
}

int main(int argc, char **argv)
{
    hs_layout *layout;
    hs_layout_stats stats;
    int64_t *data;
    setenv("HS_LOG", "info", 1);
    int provided;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    hs_context *context = start_balanced();
    REQUIRE(hs_layout_create(context, UNITS, 1, HS_FIXED, &layout) == HS_OK);
    REQUIRE(hs_layout_add_array(layout, sizeof *data, 1, (void **)&data) == HS_OK);
    int rank, size;
    MPI_Comm_rank(hs_comm(context), &rank);
    MPI_Comm_size(hs_comm(context), &size);
    hs_slice first = hs_layout_slice(layout);
    for (int64_t i = 0; i < first.count; i++)
        data[i] = first.first + i;
    REQUIRE(first.count == UNITS / size + (rank < UNITS % size));

    double unit_s = (double)STEP_S * size / UNITS;
    run(layout, &data, 40, unit_s);
    int64_t moves = run(layout, &data, 150, rank == 0 ? 4 * unit_s : unit_s);
    hs_slice drifted = hs_layout_slice(layout);
    if (size > 1) {
        the_drift_is_noted(context, 40, 4);
        REQUIRE(moves >= 1);
        if (rank == 0) /* a quarter of the speed: a share of 1 in 1 + 4 (size - 1) */
            REQUIRE(3 * drifted.count < 2 * first.count);
        else
            REQUIRE(drifted.count > 0);
    }
    hs_layout_get_stats(layout, &stats);
    REQUIRE(stats.iterations == 190);
    REQUIRE(stats.moved_bytes == stats.moved_units * (int64_t)sizeof *data);
    REQUIRE(size == 1 ? stats.phases == 0 : stats.phases > 0);
    hs_layout_free(layout);
    others_begin_where_it_ended(context, drifted.count);
    start_again(&context);
    two_in_turn(context);
    start_again(&context);
    first_step_misleads(context);
    threads_in_turn(context);
    last_steps_move_nothing();
    moves_are_as_fast_as_messages();
    left_out_host_recovers(context);
    start_again(&context);
    moves_in_vain(context);
    only_brackets_count(context);
    phases_last(context);
    dear_phases_are_long(context);
    steps_are_the_program_s(context);
    small_losses_add_up();
    REQUIRE(hs_finalize(&context) == HS_OK);
    MPI_Finalize();
    return 0;
}
