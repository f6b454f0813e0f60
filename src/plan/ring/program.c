/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/ring/program.h"
#include <math.h>
#include <string.h>

hs_status hs__program_init(hs__program *program, const hs__crossings *crossings, const hs__share_task *task,
                           const double *rate)
{
    size_t n = (size_t)task->messages;
    hs__program p = {.task = task,
                     .crossings = crossings,
                     .n = task->messages,
                     .constraints = 1 + task->pairs + crossings->links,
                     .first_link = 1 + task->pairs,
                     .unit = hs__share_value(task, rate)};
    p.start_rate = hs__pool_new(&p.pool, n, sizeof *p.start_rate);
    p.eq4 = hs__pool_new(&p.pool, n, sizeof *p.eq4);
    p.pair = hs__pool_new(&p.pool, n, sizeof *p.pair);
    if (hs__pool_complete(&p.pool) != HS_OK)
        return HS_ERR_NOMEM;
    memcpy(p.start_rate, rate, n * sizeof *rate);
    for (size_t f = 0; f < n; f++)
        p.eq4[f] = task->weight[f] / (rate[f] * p.unit);
    for (int i = 0; i < 2 * task->pairs; i++)
        p.pair[task->pair[i]] = task->pair_weight / (rate[task->pair[i]] * p.unit);
    *program = p;
    return HS_OK;
}

void hs__program_free(hs__program *program)
{
    hs__pool_free(&program->pool);
}

void hs__program_slacks(const hs__program *p, const double *v, double *slack)
{
    const hs__share_task *t = p->task;
    const hs__crossings *c = p->crossings;
    double time = v[p->n];
    slack[0] = time - t->fixed / p->unit;
    for (int f = 0; f < p->n; f++)
        slack[0] -= p->eq4[f] / v[f];
    for (int k = 0; k < t->pairs; k++) {
        int a = t->pair[2 * k], b = t->pair[2 * k + 1];
        slack[1 + k] = time - hs__program_pair_fixed(p, k) - p->pair[a] / v[a] - p->pair[b] / v[b];
    }
    for (int e = 0; e < c->links; e++) {
        double left = 1.0;
        for (int i = c->first_on[e]; i < c->first_on[e + 1]; i++)
            left -= hs__program_usage(p, c->on_link[i], e) * v[c->on_link[i]];
        slack[p->first_link + e] = left;
    }
}

void hs__program_add_gradients(const hs__program *p, const double *v, const double *coefficient, double *out)
{
    const hs__share_task *t = p->task;
    const hs__crossings *c = p->crossings;
    for (int f = 0; f < p->n; f++)
        out[f] -= coefficient[0] * p->eq4[f] / v[f];
    out[p->n] -= coefficient[0];
    for (int k = 0; k < t->pairs; k++) {
        for (int i = 0; i < 2; i++) {
            int f = t->pair[2 * k + i];
            out[f] -= coefficient[1 + k] * p->pair[f] / v[f];
        }
        out[p->n] -= coefficient[1 + k];
    }
    for (int e = 0; e < c->links; e++)
        for (int i = c->first_on[e]; i < c->first_on[e + 1]; i++) {
            int f = c->on_link[i];
            out[f] += coefficient[p->first_link + e] * hs__program_usage(p, f, e) * v[f];
        }
}

void hs__program_slopes(const hs__program *p, const double *v, const double *direction, double *out)
{
    const hs__share_task *t = p->task;
    const hs__crossings *c = p->crossings;
    out[0] = -direction[p->n];
    for (int f = 0; f < p->n; f++)
        out[0] -= p->eq4[f] / v[f] * direction[f];
    for (int k = 0; k < t->pairs; k++) {
        int a = t->pair[2 * k], b = t->pair[2 * k + 1];
        out[1 + k] = -direction[p->n] - p->pair[a] / v[a] * direction[a] - p->pair[b] / v[b] * direction[b];
    }
    for (int e = 0; e < c->links; e++) {
        double sum = 0.0;
        for (int i = c->first_on[e]; i < c->first_on[e + 1]; i++) {
            int f = c->on_link[i];
            sum += hs__program_usage(p, f, e) * v[f] * direction[f];
        }
        out[p->first_link + e] = sum;
    }
}

void hs__program_curvature(const hs__program *p, const double *v, const double *dual, double *out)
{
    const hs__share_task *t = p->task;
    const hs__crossings *c = p->crossings;
    for (int f = 0; f < p->n; f++)
        out[f] = p->eq4[f] == 0.0 && p->pair[f] == 0.0 ? 1.0 : dual[0] * p->eq4[f] / v[f];
    for (int i = 0; i < 2 * t->pairs; i++)
        out[t->pair[i]] += dual[1 + i / 2] * p->pair[t->pair[i]] / v[t->pair[i]];
    for (int e = 0; e < c->links; e++)
        for (int i = c->first_on[e]; i < c->first_on[e + 1]; i++) {
            int f = c->on_link[i];
            out[f] += dual[p->first_link + e] * hs__program_usage(p, f, e) * v[f];
        }
}

double hs__program_rates(const hs__program *p, const double *v, double *slack, double *rate)
{
    const hs__crossings *c = p->crossings;
    hs__program_slacks(p, v, slack);
    for (int f = 0; f < p->n; f++) {
        double fullest = 1.0;
        for (int m = c->first_of[f]; m < c->first_of[f + 1]; m++)
            fullest = fmax(fullest, 1.0 - slack[p->first_link + c->of_message[m]]);
        rate[f] = p->start_rate[f] * (v[f] / fullest);
    }
    return hs__share_value(p->task, rate);
}
