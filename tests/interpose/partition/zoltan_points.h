/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_ZOLTAN_POINTS_H
#define HS_TESTS_ZOLTAN_POINTS_H

/* Points first, first + 1, ... of a line are this rank's, to Zoltan. */

#include <zoltan.h>

static int first, own;

static int number_of(void *data, int *error)
{
    *error = ZOLTAN_OK;
    return own;
}

static void list(void *data, int gids, int lids, ZOLTAN_ID_PTR global, ZOLTAN_ID_PTR local, int weights, float *weight,
                 int *error)
{
    for (int i = 0; i < own; i++) {
        global[i] = (ZOLTAN_ID_TYPE)(first + i);
        local[i] = (ZOLTAN_ID_TYPE)i;
        for (int k = 0; k < weights; k++)
            weight[i * weights + k] = first + i < 1350 ? 3 : 1;
    }
    *error = ZOLTAN_OK;
}

#endif
