/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_INTERPOSE_COLLECTIVES_H
#define HS_INTERPOSE_COLLECTIVES_H

#include "interpose/forward.h"

/** Send reductions and broadcasts to this library's own, when the environment asks for it. At the end of MPI_Init.
 * @return whether it does */
int hs__collectives_take(void);

/** See hs__forward_replace_fortran(). Once reductions and broadcasts are taken. */
void hs__collectives_fortran(const char *stem, hs__function *function);

#endif
