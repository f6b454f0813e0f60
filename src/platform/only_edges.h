/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_PLATFORM_ONLY_EDGES_H
#define HS_PLATFORM_ONLY_EDGES_H

/* Nodes with one edge, such as hosts on a switch: all their routes begin, or end, with it. */

#include <heteroslice/hs_platform.h>

enum { HS__NO_EDGE = -1, HS__NO_ONLY_EDGE = -2 };

/** Find the only edge from and to each node.
 * @param[out] from, to  [nodes] an edge; HS__NO_EDGE: there is none; HS__NO_ONLY_EDGE: there are several, or the node is a gateway,
 *                       at which routes to and from other zones begin and end */
void hs__only_edges_find(const hs_platform *platform, int *from, int *to);

#endif
