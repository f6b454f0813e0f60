/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_APPS_SCATTER_RAYS_H
#define HS_APPS_SCATTER_RAYS_H

/* Travel times of P waves through a layered, spherical Earth: the real work of hs-scatter, without MPI. */

#include <stdint.h>

enum { RAYS_LAYERS_MAX = 32 };

/** Layers from the surface down, with v = a r^b in each; v may be discontinuous between layers. */
typedef struct rays_model {
    int layers;
    double radius[RAYS_LAYERS_MAX + 1]; /* km, decreasing; layer k lies between radius[k] and radius[k + 1] */
    double top[RAYS_LAYERS_MAX];        /* velocity at radius[k] within layer k, km/s */
    double bottom[RAYS_LAYERS_MAX];     /* velocity at radius[k + 1] within layer k */
    double power[RAYS_LAYERS_MAX];      /* b, computed from the others */
} rays_model;

/** Crust and mantle of an Earth like PREM and IASP91, to the core. */
void rays_model_earth(rays_model *model);

/** One velocity down to a small core: rays are chords, so tests know their times. */
void rays_model_homogeneous(rays_model *model, double velocity);

/** The earliest ray that leaves a source downwards and arrives at a distance.
 * @param[in]  depth      of the source, km
 * @param[in]  distance   along the surface, radians
 * @param[in]  intervals  of ray parameters to look for arrivals in, >= 2
 * @param[out] parameter  the ray parameter, s/rad; 0 when there is no such ray
 * @return travel time, s; 0 when there is none */
double rays_trace(const rays_model *model, double depth, double distance, int intervals, double *parameter);

#endif
