/* SPDX-License-Identifier: BSD-3-Clause */
/* Units that change owner when speeds drift: ours against Zoltan's for the same part sizes, one host a rank. Speeds drift
 * in sequences: every host's is within 30 % of its own, or one host after the other is at a quarter. Each way begins with
 * a cut of its own, which is not counted. A way differs in `cut` alone: it says who owns each unit, and what moved is
 * counted from that. Prints CSV: means over all drifts, as parts of all units.
 *
 *   line   ours_exact  the exact cut
 *          ours        of the cuts within 2 % of the exact one's step the nearest, which a decision may take
 *          block, rcb  Zoltan's BLOCK, and RCB that keeps its cuts
 *   boxes  ours        columns of boxes by the rule of hs_box_balance(): borders slide, unless a new cut is 2 % better
 *          ours_anew   columns of boxes cut anew each time
 *          rcb         RCB with REMAP;  rcb_kept: which keeps its cuts and their directions, too
 *
 *   moved      units that change owner
 *   least      the units that had to, whoever owned which: what hosts gained, of those that have more than before
 *   busiest    units that the busiest host sends and receives
 *   imbalance  the step over that of parts in proportion to the speeds, less 1
 *   plan_ms    milliseconds for the cut; here as many ranks share a core as there are
 *
 * usage: mpirun -n HOSTS zoltan [SEQUENCES [DRIFTS]] */
#include "../columns/speeds.h"
#include "plan/decision/decide.h"
#include "plan/slices/weighted.h"
#include "zoltan_cut.h"
#include <heteroslice/hs_boxes.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_HOSTS = 64, LINE = 20000, SIDE = 300 };

static const double no_messages[MAX_HOSTS];

/* What is cut. */
typedef struct problem {
    int rank, hosts;
    int64_t extent[2], units; /* units = extent[0] x extent[1] */
    double speed[MAX_HOSTS], cycle[MAX_HOSTS];
} problem;

/* One way to cut, what it holds, and what its moves came to. */
typedef struct method {
    const char *name;
    hs_status (*cut)(struct method *way, const problem *job); /* set owner, which says who has the units */
    const char *setting[ZOLTAN_SETTINGS][2];
    zoltan_cut *zoltan;
    hs_boxes *plan;
    int64_t count[MAX_HOSTS];
    int cuts, *owner, *before; /* [units] */
    double moved, least, busiest, imbalance, seconds;
} method;

/* ---- A line ---- */

static void own_slices(method *way, const problem *job)
{
    int64_t next = 0;
    for (int i = 0; i < job->hosts; i++)
        for (int64_t k = 0; k < way->count[i]; k++)
            way->owner[next++] = i;
}

static hs_status cut_exact(method *way, const problem *job)
{
    hs_status status =
        hs_slices_compute(job->cycle, no_messages, job->hosts, job->units, 1, HS_STEP_SERIAL, way->count, NULL);
    own_slices(way, job);
    return status;
}

static hs_status cut_near(method *way, const problem *job)
{
    int64_t scratch[HS__SLICES_SCRATCH(MAX_HOSTS)], count[MAX_HOSTS];
    double step;
    hs_status status =
        hs_slices_compute(job->cycle, no_messages, job->hosts, job->units, 1, HS_STEP_SERIAL, count, &step);
    const hs__slices_task task = {NULL, job->cycle, no_messages, NULL, job->hosts, job->units, 1};
    if (status == HS_OK && way->cuts > 0)
        status = hs__slices_near(&task, 1, (1 + HS__DECIDE_LEAST_GAIN) * step, way->count, count, scratch);
    memcpy(way->count, count, sizeof count);
    own_slices(way, job);
    return status;
}

/* ---- Boxes ---- */

static void own_boxes(method *way, const problem *job)
{
    const hs_box *box = hs_boxes_all(way->plan);
    for (int i = 0; i < job->hosts; i++)
        for (int64_t row = 0; row < box[i].count[0]; row++)
            for (int64_t column = 0; column < box[i].count[1]; column++)
                way->owner[(box[i].first[0] + row) * job->extent[1] + box[i].first[1] + column] = i;
}

static hs_status make_boxes(const problem *job, const hs_boxes *held, hs_boxes **plan)
{
    hs_boxes_domain domain = {.dims = 2, .extent = {job->extent[0], job->extent[1]}, .halo = 1};
    hs_boxes_params params = {.method = HS_BOXES_COLUMNS, .held = held};
    return hs_boxes_create(&domain, job->cycle, NULL, job->hosts, &params, plan, NULL);
}

static hs_status hold(method *way, const problem *job, hs_boxes *plan)
{
    hs_boxes_free(way->plan);
    way->plan = plan;
    own_boxes(way, job);
    return HS_OK;
}

static hs_status cut_anew(method *way, const problem *job)
{
    hs_boxes *plan;
    hs_status status = make_boxes(job, NULL, &plan);
    return status == HS_OK ? hold(way, job, plan) : status;
}

static hs_status cut_sliding(method *way, const problem *job)
{
    hs_boxes *slid;
    if (!way->plan)
        return cut_anew(way, job);
    hs_status status = make_boxes(job, way->plan, &slid);
    if (status != HS_OK)
        return status;
    double step = hs_boxes_step_time(slid);
    hs_boxes *anew;
    status = make_boxes(job, NULL, &anew);
    int slides = status != HS_OK || step <= (1 + HS__DECIDE_LEAST_GAIN) * hs_boxes_step_time(anew);
    if (status == HS_OK)
        hs_boxes_free(slides ? anew : slid);
    return hold(way, job, slides ? slid : anew);
}

/* ---- Zoltan ---- */

static hs_status cut_by_zoltan(method *way, const problem *job)
{
    if (!way->zoltan) {
        way->zoltan = zoltan_cut_new(way->setting, job->extent);
        for (int64_t k = 0; k < job->units; k++) /* as its programs begin */
            way->owner[k] = (int)(k * job->hosts / job->units);
    }
    return zoltan_cut_make(way->zoltan, job->speed, way->owner) == 0 ? HS_OK : HS_ERR_INTERNAL;
}

/* ---- What moved ---- */

static void count_moved(method *way, const problem *job)
{
    double held[MAX_HOSTS] = {0}, gained[MAX_HOSTS] = {0}, traffic[MAX_HOSTS] = {0};
    double speed = 0, step = 0, busiest = 0;
    for (int64_t k = 0; k < job->units; k++) {
        held[way->owner[k]]++;
        gained[way->owner[k]]++;
        gained[way->before[k]]--;
        int moves = way->owner[k] != way->before[k];
        way->moved += moves;
        traffic[way->owner[k]] += moves;
        traffic[way->before[k]] += moves;
    }
    for (int i = 0; i < job->hosts; i++) {
        speed += job->speed[i];
        step = fmax(step, held[i] * job->cycle[i]);
        busiest = fmax(busiest, traffic[i]);
        way->least += fmax(gained[i], 0);
    }
    way->imbalance += step * speed / (double)job->units - 1;
    way->busiest += busiest;
}

static void cut(method *way, const problem *job)
{
    memcpy(way->before, way->owner, (size_t)job->units * sizeof *way->owner);
    double begun = seconds_now();
    if (way->cut(way, job) != HS_OK) {
        fprintf(stderr, "%s: no cut\n", way->name);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    if (way->cuts++ == 0)
        return;
    way->seconds += seconds_now() - begun;
    count_moved(way, job);
}

static void forget(method *way)
{
    hs_boxes_free(way->plan);
    zoltan_cut_free(way->zoltan);
    way->plan = NULL;
    way->zoltan = NULL;
    way->cuts = 0;
}

static void drift(hs__random *random, int one, const double *base, problem *job)
{
    int slow = (int)hs__random_below(random, job->hosts);
    for (int i = 0; i < job->hosts; i++) {
        job->speed[i] = base[i] * (one ? (i == slow ? 0.25 : 1) : 0.7 + 0.6 * hs__random_unit(random));
        job->cycle[i] = 1 / job->speed[i];
    }
}

static void print(const method *way, const problem *job, int one, int drifts)
{
    double all = (double)drifts * (double)job->units, seconds = way->seconds;
    MPI_Reduce(job->rank == 0 ? MPI_IN_PLACE : &seconds, &seconds, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (job->rank == 0)
        printf("%s,%s,%d,%s,%.4f,%.4f,%.4f,%.4f,%.3f\n", job->extent[1] > 1 ? "boxes" : "line", one ? "one" : "all",
               job->hosts, way->name, way->moved / all, way->least / all, way->busiest / all, way->imbalance / drifts,
               1e3 * seconds / drifts);
    fflush(stdout);
}

static void measure(method *way, problem *job, int one, int sequences, int drifts)
{
    double base[MAX_HOSTS];
    way->moved = way->least = way->busiest = way->imbalance = way->seconds = 0;
    for (int s = 0; s < sequences; s++) {
        hs__random random = {(uint64_t)(1000 * s + 2 * job->hosts + one)};
        draw_speeds(&random, UNIFORM, base, job->hosts);
        for (int k = 0; k <= drifts; k++) {
            drift(&random, one, base, job);
            cut(way, job);
        }
        forget(way);
    }
    print(way, job, one, sequences * drifts);
}

static void measure_all(method *ways, size_t count, int64_t rows, int64_t columns, int sequences, int drifts)
{
    problem job = {.extent = {rows, columns}, .units = rows * columns};
    int *owner = calloc(2 * (size_t)job.units, sizeof *owner);
    MPI_Comm_rank(MPI_COMM_WORLD, &job.rank);
    MPI_Comm_size(MPI_COMM_WORLD, &job.hosts);
    if (!owner || job.hosts > MAX_HOSTS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    for (int one = 0; one < 2; one++)
        for (size_t k = 0; k < count; k++) {
            ways[k].owner = owner;
            ways[k].before = owner + job.units;
            measure(&ways[k], &job, one, sequences, drifts);
        }
    free(owner);
}

#define RCB                               \
    {"LB_METHOD", "RCB"}, {"REMAP", "1"}, \
    {                                     \
        "IMBALANCE_TOL", "1.001"          \
    }
#define KEPT                                          \
    {"KEEP_CUTS", "1"}, {"RCB_LOCK_DIRECTIONS", "1"}, \
    {                                                 \
        "RCB_REUSE", "1"                              \
    }
#define COUNT(array) (sizeof(array) / sizeof *(array))

int main(int argc, char **argv)
{
    method line[] = {{.name = "ours_exact", .cut = cut_exact},
                     {.name = "ours", .cut = cut_near},
                     {.name = "block", .cut = cut_by_zoltan, .setting = {{"LB_METHOD", "BLOCK"}}},
                     {.name = "rcb", .cut = cut_by_zoltan, .setting = {RCB, KEPT}}};
    method boxes[] = {{.name = "ours", .cut = cut_sliding},
                      {.name = "ours_anew", .cut = cut_anew},
                      {.name = "rcb", .cut = cut_by_zoltan, .setting = {RCB}},
                      {.name = "rcb_kept", .cut = cut_by_zoltan, .setting = {RCB, KEPT}}};
    int sequences = argc > 1 ? atoi(argv[1]) : 5, drifts = argc > 2 ? atoi(argv[2]) : 8, rank;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (sequences < 1 || drifts < 1)
        MPI_Abort(MPI_COMM_WORLD, 2);
    if (rank == 0)
        puts("domain,drift,hosts,way,moved,least,busiest,imbalance,plan_ms");
    measure_all(line, COUNT(line), LINE, 1, sequences, drifts);
    measure_all(boxes, COUNT(boxes), SIDE, SIDE, sequences, drifts);
    MPI_Finalize();
    return 0;
}
