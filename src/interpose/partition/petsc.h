/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_PARTITION_PETSC_H
#define HS_INTERPOSE_PARTITION_PETSC_H

/* What the wrappers of PETSc share. PetscInt has 32 or 64 bits, as PETSc says; one that is passed by value is taken as 64 bits,
 * of which the upper half means nothing where it has 32. */

#include "interpose/partition/integers.h"
#include "interpose/partition/lookup.h"
#include <stdint.h>

enum { HS__PETSC_DECIDE = -1, HS__PETSC_ERROR = 56 /* PETSC_ERR_SUP */ };

/** Whether PetscInt has 64 bits in the PETSc that a function belongs to; -1: not known. */
int hs__petsc_wide(hs__foreign_function beside);

#endif
