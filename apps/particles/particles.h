/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_APPS_PARTICLES_PARTICLES_H
#define HS_APPS_PARTICLES_PARTICLES_H

/* The model and the options of hs-particles: a closed line of cells, in which particles follow a centre that moves and
 * push each other apart. A particle's way depends on the numbers of particles in its cell and the two beside it, which are
 * integers, so it is the same bit for bit whoever holds the cells. */

#include "apps/arguments.h"
#include <heteroslice/hs_runtime.h>
#include <heteroslice/hs_storage.h>
#include <mpi.h>
#include <stdint.h>

/* How the library knows what cells cost. */
typedef enum particles_weights { WEIGHTS_OFF, WEIGHTS_DECLARED, WEIGHTS_LEARNED } particles_weights;

typedef struct particles_options {
    int64_t cells, particles;
    int64_t declare; /* iterations from one declaration of weights to the next */
    int weights;     /* of particles_weights */
    run_options run; /* intensity: times that the force on a particle is computed */
} particles_options;

typedef struct particle {
    double x;     /* 0 <= x < cells */
    double drift; /* cells an iteration, its own */
    int64_t id;
} particle;

/* Particles in no order. */
typedef struct bag {
    particle *particle;
    int64_t count, capacity;
} bag;

/* The cells that a rank holds, in containers of its own. */
typedef struct domain {
    const particles_options *options;
    hs_layout *layout; /* to be told when a cell is computed; NULL: nobody is */
    hs_slice slice;
    bag *cell;          /* [cells], by global index; those of other ranks are empty; owned */
    bag *next;          /* the same, in which an iteration collects the particles; owned */
    bag before, behind; /* that have left the slice; owned */
} domain;

/* Totals of a run on each rank. */
typedef struct particles_tally {
    double compute_s; /* seconds in domain_push() */
    int64_t pushed;   /* particles */
    hs_layout_stats stats;
} particles_tally;

/** Parse the command line. Returns the exit status to end with, or -1 to go on. Rank 0 prints errors. */
int particles_parse(int argc, char **argv, particles_options *options);

/** How many particles each cell of a slice has at the start. */
void domain_count(const particles_options *options, hs_slice slice, double *count);

/** The cells of a slice with their particles at the start; ended by domain_end(). */
domain domain_start(const particles_options *options, hs_slice slice);
void domain_end(domain *d);

/** How the library moves the cells. The callbacks borrow d. */
hs_storage domain_storage(domain *d);

/** Move every particle by one iteration. Those that leave the slice wait in before and behind.
 * @param[in] ends  particles in the cells just before and just behind the slice
 * @return how many were moved */
int64_t domain_push(domain *d, int64_t intensity, int64_t iteration, const int64_t *ends);

/** Particles that have come from the neighbours, or from the other end of the line. */
void domain_take(domain *d, const particle *came, int64_t count);

/** The same run by one process, without MPI, with intensity 1: x of every particle. The caller frees it. */
double *particles_serial(const particles_options *options, uint64_t *checksum);

/** What a particle adds to the checksum: no order of addition changes the sum. */
uint64_t particle_hash(const particle *p);

/** Stop the clock, check the answer, print the result on rank 0 and return the exit status. Collective. */
int particles_report(MPI_Comm comm, const hs_layout *layout, const domain *d, double begun,
                     const particles_tally *tally);

#endif
