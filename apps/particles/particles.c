/* SPDX-License-Identifier: BSD-3-Clause */
#include "particles.h"
#include "apps/common.h"
#include <stdlib.h>

/* Particles in cells, balanced: the program keeps its cells, the library moves them by callbacks. Work wanders with the
 * particles and is declared as it changes: a cell weighs what its particles do. Or the library learns that from brackets
 * around each cell, in domain.c. */

/* What a cell costs beside its particles, in particles. */
#define CELL_WEIGHT 0.1

static void declare(hs_layout *layout, double *particles)
{
    int64_t count = hs_layout_slice(layout).count;
    for (int64_t i = 0; i < count; i++)
        particles[i] += CELL_WEIGHT;
    app_require(hs_layout_weights(layout, particles));
}

/* The first cut has weights, too: they are declared before anything has to move. */
static domain start(const particles_options *o, hs_layout *layout)
{
    double *particles = app_allocate(o->cells, sizeof *particles);
    domain_count(o, hs_layout_slice(layout), particles);
    if (o->weights == WEIGHTS_DECLARED)
        declare(layout, particles);
    free(particles);
    return domain_start(o, hs_layout_slice(layout));
}

static void declare_again(hs_layout *layout, const domain *d)
{
    double *particles = app_allocate(d->slice.count, sizeof *particles);
    for (int64_t i = 0; i < d->slice.count; i++)
        particles[i] = (double)d->cell[d->slice.first + i].count;
    declare(layout, particles);
    free(particles);
}

/* Particles in the cells beside the slice. Ranks without cells have no neighbours. */
static void exchange_ends(MPI_Comm comm, const domain *d, int64_t *ends)
{
    hs_slice s = d->slice;
    int64_t first = s.count > 0 ? d->cell[s.first].count : 0,
            last = s.count > 0 ? d->cell[s.first + s.count - 1].count : 0;
    MPI_Sendrecv(&first, 1, MPI_INT64_T, s.prev, 0, &ends[1], 1, MPI_INT64_T, s.next, 0, comm, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&last, 1, MPI_INT64_T, s.next, 1, &ends[0], 1, MPI_INT64_T, s.prev, 1, comm, MPI_STATUS_IGNORE);
}

/* Sends the particles that have left on one side, and takes those that come from the other one. */
static void exchange_bag(MPI_Comm comm, domain *d, bag *left, int to, int from, int tag)
{
    int bytes = (int)(left->count * (int64_t)sizeof(particle)), coming = 0;
    MPI_Sendrecv(&bytes, 1, MPI_INT, to, tag, &coming, 1, MPI_INT, from, tag, comm, MPI_STATUS_IGNORE);
    particle *came = app_allocate(coming, 1);
    MPI_Sendrecv(left->particle, bytes, MPI_BYTE, to, tag, came, coming, MPI_BYTE, from, tag, comm, MPI_STATUS_IGNORE);
    domain_take(d, came, coming / (int64_t)sizeof *came);
    free(came);
    left->count = 0;
}

static void iterate(MPI_Comm comm, domain *d, int64_t k, particles_tally *tally)
{
    int64_t ends[2] = {0, 0};
    exchange_ends(comm, d, ends);
    double begun = MPI_Wtime();
    tally->pushed += domain_push(d, d->options->run.intensity, k, ends);
    tally->compute_s += MPI_Wtime() - begun;
    exchange_bag(comm, d, &d->before, d->slice.prev, d->slice.next, 2);
    exchange_bag(comm, d, &d->behind, d->slice.next, d->slice.prev, 3);
}

static int solve(const particles_options *o)
{
    particles_tally tally = {0};
    hs_context *context;
    hs_layout *layout;
    app_require(hs_init(MPI_COMM_WORLD, &o->run.params, &context, NULL));
    app_require(hs_layout_create(context, o->cells, 0, HS_PERIODIC, &layout));
    MPI_Comm comm = hs_comm(context);
    domain d = start(o, layout);
    d.layout = o->weights == WEIGHTS_LEARNED ? layout : NULL;
    hs_storage storage = domain_storage(&d);
    app_require(hs_layout_add_storage(layout, &storage));
    MPI_Barrier(comm);
    double begun = MPI_Wtime();
    for (int64_t k = 0; k < o->run.iterations; k++) {
        events_run(&o->run.commands, comm, k);
        iterate(comm, &d, k, &tally);
        if (o->weights == WEIGHTS_DECLARED && (k + 1) % o->declare == 0)
            declare_again(layout, &d);
        if (app_require(hs_balance(layout)) == HS_OK)
            d.slice = hs_layout_slice(layout);
    }
    hs_layout_get_stats(layout, &tally.stats);
    int code = particles_report(comm, layout, &d, begun, &tally);
    hs_layout_free(layout);
    domain_end(&d);
    app_require(hs_finalize(&context));
    return code;
}

int main(int argc, char **argv)
{
    particles_options options;
    MPI_Init(&argc, &argv);
    int code = particles_parse(argc, argv, &options);
    if (code < 0)
        code = solve(&options);
    return app_end(code);
}
