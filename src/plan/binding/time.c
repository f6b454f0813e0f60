/* SPDX-License-Identifier: BSD-3-Clause */
/* What a step takes under a binding. The unfinished ranks go on at constant rates until one of them finishes: an event
 * a rank. */
#include "plan/binding/binding.h"
#include "util/pool.h"
#include <math.h>

int hs__binding_has(const hs__binding_node *node, const char *set, int rank, int n)
{
    for (int c = 0; c < node->cores; c++)
        n -= set[(size_t)rank * (size_t)node->cores + (size_t)c] != 0;
    return n == 0;
}

/* The threads a rank has for each of its cores. */
static double threads_a_core(const hs__binding_node *node, const char *mine, int rank, int *cores)
{
    *cores = 0;
    for (int c = 0; c < node->cores; c++)
        *cores += mine[c] != 0;
    return (node->width ? node->width[rank] : 1) / (double)*cores;
}

/* Threads of unfinished ranks on every core. */
static void count_threads(const hs__binding_node *node, const char *set, const double *left, double *threads)
{
    int cores;
    for (int c = 0; c < node->cores; c++)
        threads[c] = 0;
    for (int r = 0; r < node->ranks; r++) {
        const char *mine = set + (size_t)r * (size_t)node->cores;
        double part = left[r] > 0 ? threads_a_core(node, mine, r, &cores) : 0;
        for (int c = 0; c < node->cores && part > 0; c++)
            threads[c] += mine[c] ? part : 0;
    }
}

/* Work a second. */
static double rate(const hs__binding_node *node, const char *mine, int rank, const double *threads)
{
    int cores;
    double part = threads_a_core(node, mine, rank, &cores), sum = 0, least = INFINITY;
    for (int c = 0; c < node->cores; c++)
        if (mine[c]) {
            double here = part * node->speed[c] * fmin(1, 1 / threads[c]);
            sum += here;
            least = fmin(least, here);
        }
    return part < 1 ? sum : least * cores;
}

hs_status hs__binding_time(const hs__binding_node *node, const char *set, double *time)
{
    hs__pool pool = {0};
    size_t n = (size_t)node->ranks;
    double *left = hs__pool_new(&pool, 2 * n, sizeof *left), *speed = left + n, now = 0;
    double *threads = hs__pool_new(&pool, (size_t)node->cores, sizeof *threads);
    hs_status status = hs__pool_status(&pool);
    for (int r = 0; status == HS_OK && r < node->ranks; r++) {
        left[r] = node->work[r];
        if (hs__binding_has(node, set, r, 0))
            status = HS_ERR_ARG;
    }
    while (status == HS_OK) {
        double step = INFINITY;
        count_threads(node, set, left, threads);
        for (int r = 0; r < node->ranks; r++)
            if (left[r] > 0) {
                speed[r] = rate(node, set + (size_t)r * (size_t)node->cores, r, threads);
                step = fmin(step, left[r] / speed[r]);
            }
        if (!isfinite(step))
            break;
        now += step;
        for (int r = 0; r < node->ranks; r++)
            if (left[r] > 0)
                left[r] = left[r] / speed[r] > step ? left[r] - step * speed[r] : 0;
    }
    if (status == HS_OK)
        *time = now;
    hs__pool_free(&pool);
    return status;
}
