/* SPDX-License-Identifier: BSD-3-Clause */
/* Does it matter that a platform file's speeds are wrong? Runs on paper: the first plan from the file, then decisions from
 * what phases show, on hosts and links as they really are.
 *
 * Usage: wrong_files FILE...: for each file, step model and ratio of computing to messages (of a step on all hosts) one
 * line of CSV, the worst of speeds 0.02, 0.2, 5 and 50 times the truth; with skew each host is besides up to that factor
 * off. Columns: step at the end over that of a run with the right file, over that of the best slices of any membership;
 * seconds of the run, moves included, over equal slices of all hosts; hosts that take part at the end; moves. */
#include "plan/decision/slices.h"
#include "plan/ring/subrings.h"
#include "util/random.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { UNITS = 3600, PHASES = 40, ITERATIONS = 2000, MOST_HOSTS = 64 };

/* Seconds of the shortest step, were there no messages; and what a move costs at least. */
static const double STEP_S = 0.05, MOVE_S = 0.02;
static const double ratios[] = {0.1, 0.3, 1, 3, 10, 30, 100}, factors[] = {0.02, 0.2, 5, 50}, skews[] = {1, 2};

/* The program on its hosts. */
typedef struct program {
    const hs_platform *platform;
    hs_step_model model;
    double ratio, skew;
} program;

typedef struct outcome {
    double end, best, total, equal; /* seconds: of a step, of a step, of the run, of the run with equal slices */
    int members, moves;
} outcome;

/* Hosts in the ring's order. */
typedef struct hosts {
    int size;
    double cycle[MOST_HOSTS], guess[MOST_HOSTS], comm[HS__MAX_MEMBERSHIPS * MOST_HOSTS];
    hs__slices slices;
    int64_t count[MOST_HOSTS];
    double unit_s; /* a unit's message, on the slowest way */
} hosts;

static void fail(const char *what)
{
    fprintf(stderr, "wrong_files: %s\n", what);
    exit(1);
}

/* The file's speeds, as the library plans from them. */
static hs__subrings *plan_ring(const program *p, double factor, uint64_t seed, double *speed)
{
    hs__random random = {seed};
    hs__subrings *rings;
    hs_error error;
    for (int h = 0; h < hs_platform_hosts(p->platform); h++)
        speed[h] = hs_platform_host_speed(p->platform, h) * factor * pow(p->skew, 2 * hs__random_unit(&random) - 1);
    if (hs__subrings_create(p->platform, speed, HS__MAX_MEMBERSHIPS, &rings, &error) != HS_OK)
        fail(error.text);
    return rings;
}

/* Seconds of a step of these slices. */
static double true_step(const hosts *h, const program *p, int membership, const int64_t *count)
{
    const hs__step_fit fit = {p->model == HS_STEP_SERIAL, 1, 0};
    return hs__slices_step(&h->slices, h->comm + membership * h->size, &fit, count, h->cycle);
}

static void equal_slices(const hosts *h, int64_t *count)
{
    for (int i = 0; i < h->size; i++)
        count[i] = UNITS / h->size + (i < UNITS % h->size);
}

static void first_slices(hosts *h)
{
    static const double nothing[MOST_HOSTS];
    if (hs_slices_compute(h->guess, nothing, h->size, UNITS, 1, HS_STEP_SERIAL, h->count, NULL) != HS_OK)
        fail("no slices");
}

static void set_up(hosts *h, const program *p, double factor, uint64_t seed)
{
    double speed[MOST_HOSTS], sum = 0, slowest = 0;
    hs__subrings *rings = plan_ring(p, factor, seed, speed);
    *h = (hosts){.size = rings->size};
    for (int i = 0; i < h->size; i++)
        sum += hs_platform_host_speed(p->platform, rings->host[i]);
    for (int i = 0; i < h->size; i++) {
        h->cycle[i] = STEP_S * sum / UNITS / hs_platform_host_speed(p->platform, rings->host[i]);
        h->guess[i] = STEP_S * sum / UNITS / speed[rings->host[i]];
    }
    for (int m = 0; m < rings->count; m++)
        for (int i = 0; i < h->size; i++) {
            hs__byte_time t = hs__subrings_at(rings, HS__RING_OPEN, m)[i];
            double both = fmax(t.prev, t.next);
            h->comm[m * h->size + i] = isfinite(t.prev) ? both : INFINITY;
            slowest = m == 0 ? fmax(slowest, both) : slowest;
        }
    h->unit_s = STEP_S / p->ratio;
    for (int k = 0; k < rings->count * h->size; k++)
        h->comm[k] *= h->unit_s / slowest;
    h->slices = (hs__slices){.ranks = h->size, .units = UNITS, .minimum = 1, .model = p->model, .count = h->count};
    if (hs__slices_start(&h->slices, rings->count, h->comm, rings->traffic) != HS_OK)
        fail("out of memory");
    first_slices(h);
    hs__subrings_free(rings);
}

/* The best step that any membership has, known everything. */
static double best_step(const hosts *h, const program *p)
{
    int64_t count[MOST_HOSTS];
    double best = INFINITY;
    for (int m = 0; m < h->slices.memberships; m++)
        if (hs_slices_compute(h->cycle, h->comm + m * h->size, h->size, UNITS, 1, p->model, count, NULL) == HS_OK)
            best = fmin(best, true_step(h, p, m, count));
    return best;
}

static double move(hosts *h, hs__decider *decider)
{
    int64_t busiest = hs__moved_units_busiest(h->size, h->count, h->slices.candidate);
    double cost = MOVE_S + h->unit_s * (double)busiest;
    memcpy(h->count, h->slices.candidate, (size_t)h->size * sizeof *h->count);
    hs__slices_moved(&h->slices);
    hs__decider_moved(decider, cost);
    return cost;
}

/* The run itself. A rank without units compares itself with its first guess, which is its speed now as then. */
static outcome run(const program *p, double factor, uint64_t seed)
{
    hosts h;
    hs__decider *decider;
    outcome o = {0};
    int64_t equal[MOST_HOSTS];
    set_up(&h, p, factor, seed);
    if (hs__decider_create(h.size, h.guess, &decider) != HS_OK)
        fail("out of memory");
    for (int k = 0; k < PHASES; k++) {
        double seen[MOST_HOSTS];
        for (int i = 0; i < h.size; i++)
            seen[i] = h.count[i] > 0 ? h.cycle[i] : 1;
        hs__decide_phase phase = {ITERATIONS, seen,   h.count,  true_step(&h, p, h.slices.present, h.count),
                                  -1,         MOVE_S, h.unit_s, NULL,
                                  0,          NULL};
        o.total += phase.step * ITERATIONS;
        if (hs__decider_phase(decider, &phase, &hs__slices_kind, &h.slices) == HS_OK) {
            o.total += move(&h, decider);
            o.moves++;
        }
    }
    equal_slices(&h, equal);
    o.end = true_step(&h, p, h.slices.present, h.count);
    o.best = best_step(&h, p);
    o.equal = true_step(&h, p, 0, equal) * ITERATIONS * PHASES;
    for (int i = 0; i < h.size; i++)
        o.members += h.count[i] > 0;
    hs__decider_free(decider);
    hs__slices_end(&h.slices);
    return o;
}

static void one_line(const char *name, const program *p)
{
    const program right = {p->platform, p->model, p->ratio, 1};
    double to_right = 0, to_best = 0, to_equal = 0;
    outcome o = run(&right, 1, 1), r = o;
    for (size_t f = 0; f < sizeof factors / sizeof *factors; f++) {
        o = run(p, factors[f], f + 1);
        to_right = fmax(to_right, o.end / r.end);
        to_best = fmax(to_best, o.end / o.best);
        to_equal = fmax(to_equal, o.total / o.equal);
    }
    printf("%s,%s,%g,%g,%.3f,%.3f,%.3f,%d,%d\n", name, p->model == HS_STEP_SERIAL ? "serial" : "overlap", p->ratio,
           p->skew, to_right, to_best, to_equal, o.members, o.moves);
}

static void one_file(const char *path)
{
    hs_platform *platform;
    hs_error error;
    const char *name = strrchr(path, '/') ? strrchr(path, '/') + 1 : path;
    if (hs_platform_read(path, &platform, &error) != HS_OK || hs_platform_hosts(platform) > MOST_HOSTS)
        fail(path);
    for (size_t s = 0; s < sizeof skews / sizeof *skews; s++)
        for (hs_step_model model = HS_STEP_SERIAL; model <= HS_STEP_OVERLAP; model++)
            for (size_t r = 0; r < sizeof ratios / sizeof *ratios; r++)
                one_line(name, &(program){platform, model, ratios[r], skews[s]});
    hs_platform_free(platform);
}

int main(int argc, char **argv)
{
    puts("file,model,computing_to_messages,skew,end_to_right,end_to_best,run_to_equal,members,moves");
    for (int k = 1; k < argc; k++)
        one_file(argv[k]);
    return argc > 1 ? 0 : 2;
}
