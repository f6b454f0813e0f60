/* SPDX-License-Identifier: BSD-3-Clause */
/* Bandwidths that minimise the step time of a ring with given paths, with a proof.
 *
 * Mehrotra's predictor-corrector method on the program of program.h gives rates and multipliers: mu for Eq. 4 and
 * the D_k, adding up to 1, and link prices lambda. Any mu and lambda >= 0 prove a bound: T is at least their mean,
 * mu_0 c0 + sum mu_k d_k + sum_f K_f / x_f with K_f = mu_0 k_f + mu_k(f) h, and by Cauchy-Schwarz
 * sum_f K_f / x_f >= (sum_f sqrt(K_f Lambda_f))^2 / (lambda . b), Lambda_f the price of path f. The method stops when
 * value and bound meet, so the result needs no trust in the iteration. */
#include "plan/ring/program.h"
#include "util/array.h"
#include "util/assert.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Relative: where to stop, what must be reached, and what doubles still resolve. */
static const double wanted_gap = 1e-10, certified_gap = 1e-9, least_gap = 1e-14;
enum { MAX_STEPS = 150, LONGEST_LOG_STEP = 2 };

typedef struct interior {
    hs__program program;
    int n, constraints;
    double centring;            /* the least part of the gap that a step aims to leave; more is slower and safer */
    double *v;                  /* [n + 1] the rates and T, scaled */
    double *move;               /* [n + 1] the direction by (log v, T) */
    double *rate, *diagonal;    /* [n + 1] scratch */
    double *slack, *slack_move; /* [constraints] */
    double *dual, *dual_move;
    double *miss;       /* slack + g: 0 where feasible */
    double *correction; /* Mehrotra's second-order term */
    double *matrix;     /* (n + 1) x (n + 1), upper triangle, row by row */
    double *memory;     /* of all the above */
} interior;

static double *cell(const interior *p, int a, int b)
{
    int row = a < b ? a : b, column = a < b ? b : a;
    return &p->matrix[(size_t)row * (size_t)(p->n + 1) + (size_t)column];
}

/* Adds weight * gradient gradient^T of Eq. 4, which every message is in. */
static void add_eq4(const interior *p, double weight)
{
    size_t size = (size_t)p->n + 1;
    double *gradient = p->rate;
    for (int f = 0; f < p->n; f++)
        gradient[f] = -p->program.eq4[f] / p->v[f];
    gradient[p->n] = -1.0;
    for (size_t i = 0; i < size; i++)
        for (size_t j = i; j < size; j++)
            p->matrix[i * size + j] += weight * gradient[j] * gradient[i];
}

static void add_pair(const interior *p, int k, double weight)
{
    const int *pair = p->program.task->pair;
    int index[3] = {pair[2 * k], pair[2 * k + 1], p->n};
    double gradient[3] = {0, 0, -1.0};
    for (int i = 0; i < 2; i++)
        gradient[i] = -p->program.pair[index[i]] / p->v[index[i]];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++)
            *cell(p, index[i], index[j]) += weight * gradient[i] * gradient[j];
}

static void add_link(const interior *p, int e, double weight)
{
    const hs__crossings *c = p->program.crossings;
    for (int i = c->first_on[e]; i < c->first_on[e + 1]; i++) {
        int f = c->on_link[i];
        double scaled = weight * hs__program_usage(&p->program, f, e) * p->v[f];
        for (int j = c->first_on[e]; j < c->first_on[e + 1]; j++) {
            int g = c->on_link[j];
            if (g <= f)
                *cell(p, f, g) += scaled * hs__program_usage(&p->program, g, e) * p->v[g];
        }
    }
}

/* The Newton matrix: curvature of the Lagrangian plus sum_c (dual / slack) gradient gradient^T. */
static void assemble(const interior *p)
{
    size_t size = (size_t)p->n + 1;
    memset(p->matrix, 0, size * size * sizeof *p->matrix);
    hs__program_curvature(&p->program, p->v, p->dual, p->diagonal);
    for (int f = 0; f < p->n; f++)
        *cell(p, f, f) = p->diagonal[f];
    add_eq4(p, p->dual[0] / p->slack[0]);
    for (int k = 0; k < p->program.task->pairs; k++)
        add_pair(p, k, p->dual[1 + k] / p->slack[1 + k]);
    for (int c = p->program.first_link; c < p->constraints; c++)
        add_link(p, c - p->program.first_link, p->dual[c] / p->slack[c]);
}

/* Cholesky in place: the matrix is the transposed factor times the factor. Rows that have been eliminated are subtracted
 * along those that remain, which leaves every sum to itself and skips what is 0. A pivot that rounding has eaten is
 * replaced by a huge one, which keeps that direction still. diagonal: scratch. */
static void factor(double *matrix, size_t size, double *diagonal)
{
    for (size_t i = 0; i < size; i++)
        diagonal[i] = matrix[i * size + i];
    for (size_t k = 0; k < size; k++) {
        double *row = matrix + k * size;
        row[k] = row[k] > 1e-15 * diagonal[k] ? sqrt(row[k]) : 1e150;
        for (size_t j = k + 1; j < size; j++)
            row[j] /= row[k];
        for (size_t i = k + 1; i < size; i++) {
            double *other = matrix + i * size;
            const double multiple = row[i];
            if (multiple == 0.0)
                continue;
            for (size_t j = i; j < size; j++)
                other[j] -= multiple * row[j];
        }
    }
}

/* Solves with the factor, in place. */
static void substitute(const double *factor, size_t size, double *b)
{
    for (size_t i = 0; i < size; i++) {
        b[i] /= factor[i * size + i];
        for (size_t k = i + 1; k < size; k++)
            b[k] -= factor[i * size + k] * b[i];
    }
    for (size_t i = size; i-- > 0;) {
        b[i] /= factor[i * size + i];
        for (size_t k = 0; k < i; k++)
            b[k] -= factor[k * size + i] * b[i];
    }
}

/* The Newton direction for dual_c * slack_c = goal - correction_c. The matrix is factored. */
static void direction(interior *p, double goal)
{
    double *coefficient = p->dual_move;
    memset(p->move, 0, ((size_t)p->n + 1) * sizeof *p->move);
    p->move[p->n] = -1.0;
    for (int c = 0; c < p->constraints; c++)
        coefficient[c] = -(goal - p->correction[c] + p->dual[c] * p->miss[c]) / p->slack[c];
    hs__program_add_gradients(&p->program, p->v, coefficient, p->move);
    substitute(p->matrix, (size_t)p->n + 1, p->move);
    hs__program_slopes(&p->program, p->v, p->move, p->slack_move);
    for (int c = 0; c < p->constraints; c++) {
        p->slack_move[c] = -p->miss[c] - p->slack_move[c];
        p->dual_move[c] = (goal - p->correction[c] - p->dual[c] * p->slack_move[c]) / p->slack[c] - p->dual[c];
    }
}

/* How far along the direction slacks and multipliers stay positive, at most 1. */
static double longest_step(const interior *p)
{
    double step = 1.0;
    for (int c = 0; c < p->constraints; c++) {
        if (p->slack_move[c] < 0)
            step = fmin(step, -p->slack[c] / p->slack_move[c]);
        if (p->dual_move[c] < 0)
            step = fmin(step, -p->dual[c] / p->dual_move[c]);
    }
    return step;
}

/* The mean of dual * slack after a step. */
static double mean_gap(const interior *p, double step)
{
    double sum = 0.0;
    for (int c = 0; c < p->constraints; c++)
        sum += (p->dual[c] + step * p->dual_move[c]) * (p->slack[c] + step * p->slack_move[c]);
    return sum / p->constraints;
}

static void walk(interior *p)
{
    double step = 0.99 * longest_step(p);
    for (int f = 0; f < p->n; f++)
        step = fmin(step, LONGEST_LOG_STEP / fabs(p->move[f]));
    for (int f = 0; f < p->n; f++)
        p->v[f] *= exp(step * p->move[f]);
    p->v[p->n] += step * p->move[p->n];
    for (int c = 0; c < p->constraints; c++) {
        p->slack[c] += step * p->slack_move[c];
        p->dual[c] += step * p->dual_move[c];
    }
}

/* Predictor and corrector on one factorisation. */
static void newton_step(interior *p)
{
    hs__program_slacks(&p->program, p->v, p->miss);
    for (int c = 0; c < p->constraints; c++) {
        p->miss[c] = p->slack[c] - p->miss[c];
        p->correction[c] = 0.0;
    }
    assemble(p);
    factor(p->matrix, (size_t)p->n + 1, p->diagonal);
    direction(p, 0.0);
    double gap = mean_gap(p, 0.0), left = mean_gap(p, longest_step(p)) / gap;
    for (int c = 0; c < p->constraints; c++)
        p->correction[c] = p->slack_move[c] * p->dual_move[c];
    direction(p, fmax(fmax(left * left * left, p->centring) * gap, least_gap / p->constraints));
    walk(p);
}

/* The bound that the multipliers prove, seconds. */
static double certified(const interior *p)
{
    const hs__share_task *t = p->program.task;
    const hs__crossings *c = p->program.crossings;
    double total = 0.0, prices = 0.0, roots = 0.0, *weight = p->move;
    for (int k = 0; k <= t->pairs; k++)
        total += p->dual[k];
    double bound = p->dual[0] / total * (t->fixed / p->program.unit);
    for (int f = 0; f < p->n; f++)
        weight[f] = p->dual[0] / total * p->program.eq4[f];
    for (int k = 0; k < t->pairs; k++)
        bound += p->dual[1 + k] / total * hs__program_pair_fixed(&p->program, k);
    for (int i = 0; i < 2 * t->pairs; i++)
        weight[t->pair[i]] += p->dual[1 + i / 2] / total * p->program.pair[t->pair[i]];
    for (int e = p->program.first_link; e < p->constraints; e++)
        prices += p->dual[e];
    for (int f = 0; f < p->n; f++) {
        double price = 0.0;
        for (int m = c->first_of[f]; m < c->first_of[f + 1]; m++)
            price +=
                p->dual[p->program.first_link + c->of_message[m]] * hs__program_usage(&p->program, f, c->of_message[m]);
        roots += sqrt(weight[f] * price);
    }
    return p->program.unit * (prices > 0 ? bound + roots * roots / prices : bound);
}

static hs_status iterate(interior *p, double *best, double *value, double *bound)
{
    memcpy(best, p->program.start_rate, (size_t)p->n * sizeof *best);
    *value = p->program.unit;
    *bound = 0.0;
    for (int step = 0; step<MAX_STEPS && * value - *bound> wanted_gap * *value; step++) {
        newton_step(p);
        *bound = fmax(*bound, certified(p));
        double met = hs__program_rates(&p->program, p->v, p->miss, p->rate);
        if (met < *value) {
            *value = met;
            memcpy(best, p->rate, (size_t)p->n * sizeof *best);
        }
    }
    return *value - *bound <= certified_gap * *value ? HS_OK : HS_ERR_CONVERGENCE;
}

/* Leaves the multipliers behind: those of Eq. 4 and the pairs add up to 1, prices are in seconds per (byte/s). */
static int keep_multipliers(const interior *p, hs__sharing *sharing)
{
    double total = 0.0;
    if (hs__array_reserve(&sharing->multiplier, &sharing->multiplier_room, (size_t)p->constraints,
                          sizeof *sharing->multiplier) != 0)
        return -1;
    for (int c = 0; c < p->program.first_link; c++)
        total += p->dual[c];
    for (int c = 0; c < p->program.first_link; c++)
        sharing->multiplier[c] = p->dual[c] / total;
    for (int c = p->program.first_link; c < p->constraints; c++)
        sharing->multiplier[c] =
            p->dual[c] / total * p->program.unit / p->program.crossings->capacity[c - p->program.first_link];
    return 0;
}

static int allocate(interior *p)
{
    size_t n = (size_t)p->n + 1, m = (size_t)p->constraints;
    double **by_variable[] = {&p->v, &p->move, &p->rate, &p->diagonal};
    double **by_constraint[] = {&p->slack, &p->slack_move, &p->dual, &p->dual_move, &p->miss, &p->correction};
    size_t variables = sizeof by_variable / sizeof *by_variable, slots = sizeof by_constraint / sizeof *by_constraint;
    double *next = p->memory = hs__array_new(n * n + variables * n + slots * m, sizeof *p->memory);
    if (!next)
        return -1;
    p->matrix = next;
    next += n * n;
    for (size_t i = 0; i < variables; i++, next += n)
        *by_variable[i] = next;
    for (size_t i = 0; i < slots; i++, next += m)
        *by_constraint[i] = next;
    return 0;
}

static void start(interior *p)
{
    for (int f = 0; f < p->n; f++)
        p->v[f] = 0.9;
    p->v[p->n] = 1.5;
    hs__program_slacks(&p->program, p->v, p->slack);
    for (int c = 0; c < p->constraints; c++) {
        HS_ASSERT(p->slack[c] > 0); /* the start lies inside */
        p->dual[c] = 1.0 / (p->constraints * p->slack[c]);
    }
}

hs_status hs__share_optimal(hs__sharing *sharing, const hs__share_task *task, double *rate, double *value,
                            double *bound)
{
    hs_status status = hs__crossings_build(&sharing->crossings, task->path, task->messages);
    if (status != HS_OK)
        return status;
    interior p = {0};
    double *best = hs__array_new((size_t)task->messages, sizeof *best), met, proved;
    if (!best)
        return HS_ERR_NOMEM;
    status = hs__program_init(&p.program, &sharing->crossings, task, rate);
    if (status != HS_OK)
        goto out;
    p.n = p.program.n;
    p.constraints = p.program.constraints;
    status = HS_ERR_NOMEM;
    if (allocate(&p) != 0)
        goto out;
    status = HS_ERR_CONVERGENCE;
    for (p.centring = 0.1; p.centring < 1.0 && status == HS_ERR_CONVERGENCE; p.centring += 0.4) {
        start(&p);
        status = iterate(&p, best, &met, &proved);
    }
    if (status == HS_OK && keep_multipliers(&p, sharing) != 0)
        status = HS_ERR_NOMEM;
    if (status == HS_OK) {
        HS_ASSERT(proved <= met * (1 + certified_gap));
        const hs__sharing_graph graph = hs__crossings_graph(&sharing->crossings);
        HS_ASSERT(hs__rates_fit(&graph, best));
        HS_ASSERT(fabs(hs__share_value(task, best) - met) <= 1e-9 * met);
        memcpy(rate, best, (size_t)task->messages * sizeof *rate);
        *value = met;
        *bound = proved;
    }
out:
    free(p.memory);
    hs__program_free(&p.program);
    free(best);
    return status;
}
