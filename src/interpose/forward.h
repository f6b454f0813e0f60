/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_FORWARD_H
#define HS_INTERPOSE_FORWARD_H

/* Where wrapped calls go. By default to the MPI library's second names (PMPI_X, pmpi_x_), or, so that other preloaded
 * tools behind this one still see them, to the next X in the order of the dynamic linker. */

#include <mpi.h>

/* What the MPI library has of MPI-4: all, or all but large counts. Open MPI 5 says that it is MPI-3.1. */
#define HS__HAS_LARGE (MPI_VERSION >= 4)
#define HS__HAS_MPI41 (MPI_VERSION > 4 || (MPI_VERSION == 4 && MPI_SUBVERSION >= 1))
#ifdef OPEN_MPI
#define HS__HAS_MPI4 (HS__HAS_LARGE || OMPI_MAJOR_VERSION >= 5)
#else
#define HS__HAS_MPI4 HS__HAS_LARGE
#endif

/** Some function; cast to its own type before it is called. */
typedef void (*hs__function)(void);

/* Of wrap_c.c: one entry a function, PMPI_X to begin with, and its name. */
extern hs__function hs__c_target[];
extern const char *const hs__c_name[];
extern const int hs__c_number[]; /* its row in calls.txt, by which hooks know it */
extern const int hs__c_count;

/** Where calls of a function go; NULL where the MPI library has none of that name. */
hs__function *hs__forward_target(const char *name);

/** The name of the function whose row in calls.txt has this number; NULL where the MPI library has none. */
const char *hs__forward_name(int number);

/** From now on calls go to the next X. For the time before MPI is initialised; one thread. */
void hs__forward_to_next(void);

/** Which of Fortran's interfaces: mpif.h and `use mpi` share the first, mpi_f08 has other names for large counts. */
typedef enum hs__fortran_interface {
    HS__FORTRAN_MPIFH,
    HS__FORTRAN_F08,
    HS__FORTRAN_F08_LARGE,
    HS__FORTRAN_INTERFACES
} hs__fortran_interface;

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
