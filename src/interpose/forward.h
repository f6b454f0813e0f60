/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_FORWARD_H
#define HS_INTERPOSE_FORWARD_H

/* Where wrapped calls go. By default to the MPI library's second names (PMPI_X, pmpi_x_), or, so that other preloaded
 * tools behind this one still see them, to the next X in the order of the dynamic linker. */

/** Some function; cast to its own type before it is called. */
typedef void (*hs__function)(void);

/* Of wrap_c.c: one entry a function, PMPI_X to begin with, and its name. */
extern hs__function hs__c_target[];
extern const char *const hs__c_name[];
extern const int hs__c_count;

/** From now on calls go to the next X. For the time before MPI is initialised; one thread. */
void hs__forward_to_next(void);

/** Which of the two Fortran interfaces: mpif.h and `use mpi` share the first. */
typedef enum hs__fortran_interface { HS__FORTRAN_MPIFH, HS__FORTRAN_F08 } hs__fortran_interface;

/** A function of a Fortran interface, looked up when it is first called: programs without Fortran have none. */
typedef struct hs__fortran_target {
    const char *stem; /* "comm_size" */
    hs__fortran_interface interface;
    hs__function function; /* NULL before the first call */
} hs__fortran_target;

/** From now on `replace` is asked for what takes the place of a Fortran function, by its stem ("bcast"); it leaves
 * *function alone where nothing does. For MPI_Init. */
void hs__forward_replace_fortran(void (*replace)(const char *stem, hs__function *function));

/** Look it up and remember it. Any thread. Ends the program by MPI_Abort when there is none. */
hs__function hs__fortran_look_up(hs__fortran_target *target);

static inline hs__function hs__fortran_function(hs__fortran_target *target)
{
    hs__function function = __atomic_load_n(&target->function, __ATOMIC_ACQUIRE);
    return function ? function : hs__fortran_look_up(target);
}

#endif
