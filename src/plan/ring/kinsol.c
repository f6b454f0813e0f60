/* SPDX-License-Identifier: BSD-3-Clause */
/* Bandwidths by KINSOL on the optimality system (shared-ring-2003, 4.3, Method 2).
 *
 * Unknowns: log v, T and the multipliers of the program of program.h. Equations: stationarity of the Lagrangian,
 * and complementarity of every multiplier m and slack s as m + s - sqrt(m^2 + s^2 + 2 tau) = 0 (Fischer-Burmeister,
 * smoothed), whose solutions have m s = tau. Newton's method with line search follows tau downwards. Differs from the
 * paper, which gives KINSOL the quadratic system of Eq. 2: the optimality conditions are what makes its solution an
 * optimum. */
#include "config.h"
#include "plan/ring/program.h"

#if HAVE_KINSOL
#include "util/assert.h"
#include "util/pool.h"
#include <kinsol/kinsol.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <string.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

static const double first_tau = 1.0, last_tau = 1e-13, tau_factor = 0.1;

typedef struct newton {
    hs__program program;
    int n, constraints, size;
    double tau;
    double *v, *slack, *unit, *column; /* scratch, of the pool */
    hs__pool pool;
    SUNContext context;
    N_Vector unknown, scale;
    SUNMatrix matrix;
    SUNLinearSolver solver;
    void *kinsol;
} newton;

/* v and T from the unknowns, and the slacks there. */
static void unpack(newton *p, const double *u)
{
    for (int f = 0; f < p->n; f++)
        p->v[f] = exp(fmax(-200.0, fmin(200.0, u[f])));
    p->v[p->n] = u[p->n];
    hs__program_slacks(&p->program, p->v, p->slack);
}

static int optimality(N_Vector unknown, N_Vector result, void *data)
{
    newton *p = data;
    const double *u = N_VGetArrayPointer(unknown), *dual = u + p->n + 1;
    double *out = N_VGetArrayPointer(result);
    unpack(p, u);
    memset(out, 0, (size_t)(p->n + 1) * sizeof *out);
    out[p->n] = 1.0;
    hs__program_add_gradients(&p->program, p->v, dual, out);
    for (int c = 0; c < p->constraints; c++)
        out[p->n + 1 + c] = dual[c] + p->slack[c] - sqrt(dual[c] * dual[c] + p->slack[c] * p->slack[c] + 2 * p->tau);
    for (int i = 0; i < p->size; i++)
        if (!isfinite(out[i]))
            return 1;
    return 0;
}

static int jacobian(N_Vector unknown, N_Vector result, SUNMatrix matrix, void *data, N_Vector scratch, N_Vector other)
{
    newton *p = data;
    const double *u = N_VGetArrayPointer(unknown), *dual = u + p->n + 1;
    (void)result;
    (void)scratch;
    (void)other;
    unpack(p, u);
    SUNMatZero(matrix);
    hs__program_curvature(&p->program, p->v, dual, p->column);
    for (int f = 0; f < p->n; f++)
        SM_ELEMENT_D(matrix, f, f) = p->column[f];
    for (int c = 0; c < p->constraints; c++) {
        int row = p->n + 1 + c;
        double root = sqrt(dual[c] * dual[c] + p->slack[c] * p->slack[c] + 2 * p->tau);
        memset(p->column, 0, (size_t)(p->n + 1) * sizeof *p->column);
        p->unit[c] = 1.0;
        hs__program_add_gradients(&p->program, p->v, p->unit, p->column);
        p->unit[c] = 0.0;
        for (int i = 0; i <= p->n; i++) {
            SM_ELEMENT_D(matrix, i, row) = p->column[i];
            SM_ELEMENT_D(matrix, row, i) = -(1.0 - p->slack[c] / root) * p->column[i];
        }
        SM_ELEMENT_D(matrix, row, row) = 1.0 - dual[c] / root;
    }
    return 0;
}

static void keep_quiet(int code, const char *module, const char *function, char *message, void *data)
{
    (void)code;
    (void)module;
    (void)function;
    (void)message;
    (void)data;
}

/* Multipliers on the central path of the starting point. */
static void start(newton *p)
{
    double *u = N_VGetArrayPointer(p->unknown);
    N_VConst(1.0, p->scale);
    for (int f = 0; f < p->n; f++)
        u[f] = log(0.9);
    u[p->n] = 1.5;
    unpack(p, u);
    for (int c = 0; c < p->constraints; c++)
        u[p->n + 1 + c] = first_tau / (p->constraints * p->slack[c]);
}

/* Follows tau down; the last tau reached before KINSOL fails counts, if it is small enough for 1e-6. */
static hs_status follow(newton *p, double *rate, double *value)
{
    double reached = INFINITY, last = last_tau / p->constraints;
    for (p->tau = first_tau / p->constraints; p->tau > last * 0.5; p->tau *= tau_factor) {
        int code = KINSol(p->kinsol, p->unknown, KIN_LINESEARCH, p->scale, p->scale);
        if (code < 0)
            break;
        reached = p->tau;
    }
    unpack(p, N_VGetArrayPointer(p->unknown));
    *value = hs__program_rates(&p->program, p->v, p->slack, rate);
    return reached * p->constraints < 1e-7 && *value <= p->program.unit * (1 + 1e-9) ? HS_OK : HS_ERR_CONVERGENCE;
}

static int create_solver(newton *p)
{
    if (SUNContext_Create(NULL, &p->context) != 0)
        return -1;
    p->unknown = N_VNew_Serial(p->size, p->context);
    p->scale = N_VNew_Serial(p->size, p->context);
    p->matrix = SUNDenseMatrix(p->size, p->size, p->context);
    p->kinsol = KINCreate(p->context);
    if (!p->unknown || !p->scale || !p->matrix || !p->kinsol)
        return -1;
    p->solver = SUNLinSol_Dense(p->unknown, p->matrix, p->context);
    if (!p->solver || KINSetErrHandlerFn(p->kinsol, keep_quiet, NULL) != KIN_SUCCESS ||
        KINInit(p->kinsol, optimality, p->unknown) != KIN_SUCCESS || KINSetUserData(p->kinsol, p) != KIN_SUCCESS ||
        KINSetLinearSolver(p->kinsol, p->solver, p->matrix) != KIN_SUCCESS ||
        KINSetJacFn(p->kinsol, jacobian) != KIN_SUCCESS || KINSetMaxSetupCalls(p->kinsol, 1) != KIN_SUCCESS ||
        KINSetFuncNormTol(p->kinsol, 1e-13) != KIN_SUCCESS || KINSetScaledStepTol(p->kinsol, 1e-15) != KIN_SUCCESS)
        return -1;
    return 0;
}

static void free_solver(newton *p)
{
    if (p->kinsol)
        KINFree(&p->kinsol);
    if (p->solver)
        SUNLinSolFree(p->solver);
    if (p->matrix)
        SUNMatDestroy(p->matrix);
    if (p->scale)
        N_VDestroy(p->scale);
    if (p->unknown)
        N_VDestroy(p->unknown);
    if (p->context)
        SUNContext_Free(&p->context);
    hs__pool_free(&p->pool);
}

hs_status hs__share_kinsol(hs__sharing *sharing, const hs__share_task *task, double *rate)
{
    newton p = {.n = task->messages};
    double value, *met = hs__pool_new(&p.pool, (size_t)task->messages, sizeof *met);
    hs_status status = hs__crossings_build(&sharing->crossings, task->path, task->messages);
    if (status == HS_OK)
        status = hs__program_init(&p.program, &sharing->crossings, task, rate);
    if (status != HS_OK)
        goto out;
    p.constraints = p.program.constraints;
    p.size = p.n + 1 + p.constraints;
    p.v = hs__pool_new(&p.pool, (size_t)p.n + 1, sizeof *p.v);
    p.column = hs__pool_new(&p.pool, (size_t)p.n + 1, sizeof *p.column);
    p.slack = hs__pool_new(&p.pool, (size_t)p.constraints, sizeof *p.slack);
    p.unit = hs__pool_new(&p.pool, (size_t)p.constraints, sizeof *p.unit);
    status = HS_ERR_NOMEM;
    if (hs__pool_status(&p.pool) != HS_OK || create_solver(&p) != 0)
        goto out;
    start(&p);
    status = follow(&p, met, &value);
    if (status == HS_OK) {
        const hs__sharing_graph graph = hs__crossings_graph(&sharing->crossings);
        HS_ASSERT(hs__rates_fit(&graph, met));
        HS_ASSERT(fabs(hs__share_value(task, met) - value) <= 1e-9 * value);
        memcpy(rate, met, (size_t)task->messages * sizeof *rate);
    }
out:
    free_solver(&p);
    hs__program_free(&p.program);
    return status;
}

#else

hs_status hs__share_kinsol(hs__sharing *sharing, const hs__share_task *task, double *rate)
{
    (void)sharing;
    (void)task;
    (void)rate;
    return HS_ERR_UNSUPPORTED;
}

#endif
