/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLATFORM_OUTLINE_H
#define HS_PLATFORM_OUTLINE_H

#include "platform/draw.h"

/** Whether a drawing is small enough for its hosts to stand around it, and has not more routers than hosts or a ring. */
int hs__outline_suits(const hs__drawing *drawing);

/** Move every station: hosts onto a circle in the ring's order, the rest inside. x and y are of a layout made before.
 * Cost: O(rounds (cables + routers stations)), some hundred rounds. Deterministic. */
hs_status hs__outline_layout(hs__drawing *drawing);

#endif
