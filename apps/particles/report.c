/* SPDX-License-Identifier: BSD-3-Clause */
#include "apps/common.h"
#include "particles.h"
#include <stdlib.h>
#include <string.h>

/* Seconds and particles by which a rank that never had a particle measures its speed at the end. */
#define TRIAL_S 0.02
enum { TRIAL = 1000 };

/* Particles a second of this rank alone. */
static double own_speed(const particles_options *o, const particles_tally *tally)
{
    const int64_t ends[2] = {0, 0};
    double seconds = tally->compute_s;
    int64_t pushed = tally->pushed;
    particles_options few = *o;
    few.particles = TRIAL;
    domain d = domain_start(&few, (hs_slice){.count = tally->pushed > 0 ? 0 : o->cells});
    while (tally->pushed == 0 && seconds < TRIAL_S) {
        double begun = MPI_Wtime();
        pushed += domain_push(&d, o->run.intensity, 0, ends);
        seconds += MPI_Wtime() - begun;
        domain_take(&d, d.before.particle, d.before.count);
        domain_take(&d, d.behind.particle, d.behind.count);
        d.before.count = d.behind.count = 0;
    }
    domain_end(&d);
    return (double)pushed / seconds;
}

/* How many of this rank's particles are not where one process would have them, bit for bit; and all it has. */
static int64_t wrong_particles(const domain *d, const double *serial, uint64_t *checksum, int64_t *held)
{
    int64_t wrong = 0;
    *checksum = 0;
    *held = 0;
    for (int64_t c = d->slice.first; c < d->slice.first + d->slice.count; c++)
        for (int64_t i = 0; i < d->cell[c].count; i++) {
            const particle *p = &d->cell[c].particle[i];
            wrong += (int64_t)p->x != c || memcmp(&p->x, &serial[p->id], sizeof p->x) != 0;
            *checksum += particle_hash(p);
            *held += 1;
        }
    return wrong;
}

int particles_report(MPI_Comm comm, const hs_layout *layout, const domain *d, double begun,
                     const particles_tally *tally)
{
    const particles_options *o = d->options;
    MPI_Barrier(comm);
    double seconds = MPI_Wtime() - begun;
    uint64_t sum, expected;
    int64_t held;
    double *serial = particles_serial(o, &expected);
    int64_t wrong = wrong_particles(d, serial, &sum, &held), all = held;
    free(serial);
    MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_INT64_T, MPI_SUM, comm);
    MPI_Allreduce(MPI_IN_PLACE, &all, 1, MPI_INT64_T, MPI_SUM, comm);
    MPI_Allreduce(MPI_IN_PLACE, &sum, 1, MPI_UINT64_T, MPI_SUM, comm);
    const app_result result = {.seconds = seconds,
                               .iterations = o->run.iterations,
                               .verified = wrong == 0 && all == o->particles && sum == expected,
                               .checksum = sum,
                               .moves = tally->stats.moves,
                               .moved_bytes = tally->stats.moved_bytes,
                               .efficiency = app_efficiency(comm, own_speed(o, tally), (double)tally->pushed, seconds)};
    app_print_result(comm, &result, o->run.json);
    app_print_counts(comm, "cells", hs_layout_slice(layout).count, o->run.json);
    app_print_counts(comm, "particles", held, o->run.json);
    app_print_end(comm, o->run.json);
    return result.verified ? 0 : 1;
}
