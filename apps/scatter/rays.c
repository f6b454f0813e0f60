/* SPDX-License-Identifier: BSD-3-Clause */
/* With eta = r / v and v = a r^b inside a layer, a ray of parameter p that goes from eta_1 down to eta_2 (or turns at
 * eta = p) covers the angle [acos(p / eta_1) - acos(p / eta_2)] / (1 - b) and takes [sqrt(eta_1^2 - p^2) -
 * sqrt(eta_2^2 - p^2)] / (1 - b) seconds (Bullen's law). */
#include "rays.h"
#include <math.h>

enum { BISECTIONS = 40 };

/* Compute the members that follow from radii and velocities. */
static void finish(rays_model *m)
{
    for (int k = 0; k < m->layers; k++)
        m->power[k] = log(m->top[k] / m->bottom[k]) / log(m->radius[k] / m->radius[k + 1]);
}

void rays_model_earth(rays_model *m)
{
    static const double radius[] = {6371, 6351, 6336, 6251, 6161, 6061, 5961, 5861, 5711, 5611,
                                    5400, 5150, 4900, 4650, 4400, 4150, 3900, 3631, 3482};
    static const double velocity[] = {5.80,  6.50,  8.04,  8.05,  8.30,  8.78,  9.36,  9.90,  10.79, 11.06,
                                      11.42, 11.75, 12.05, 12.33, 12.60, 12.87, 13.13, 13.60, 13.66};
    m->layers = (int)(sizeof radius / sizeof *radius) - 1;
    for (int k = 0; k < m->layers; k++) {
        m->radius[k] = radius[k];
        m->top[k] = velocity[k];
        m->bottom[k] = velocity[k + 1];
    }
    m->radius[m->layers] = radius[m->layers];
    finish(m);
}

void rays_model_homogeneous(rays_model *m, double velocity)
{
    m->layers = 8;
    for (int k = 0; k < m->layers; k++) {
        m->radius[k] = 6371.0 - 700.0 * k;
        m->top[k] = m->bottom[k] = velocity;
    }
    m->radius[m->layers] = 100.0;
    finish(m);
}

/* A ray from the surface or from the source down to its turning point. */
typedef struct leg {
    double angle, time;
} leg;

static void add(leg *sum, double power, double top, double bottom, double p)
{
    double factor = 1.0 / (1.0 - power), low = fmax(bottom, p);
    sum->angle += factor * (acos(p / top) - acos(p / low));
    sum->time += factor * (sqrt(top * top - p * p) - sqrt(low * low - p * p));
}

/* Trace from radius r in layer `first` down to where eta falls below p. @return 0 when the ray reaches the core */
static int descend(const rays_model *m, int first, double r, double p, leg *sum)
{
    for (int k = first; k < m->layers; k++) {
        double start = k == first ? r : m->radius[k];
        double velocity = m->top[k] * pow(start / m->radius[k], m->power[k]);
        double top = start / velocity, bottom = m->radius[k + 1] / m->bottom[k];
        if (top <= p)
            return 1;
        add(sum, m->power[k], top, bottom, p);
        if (bottom <= p)
            return 1;
    }
    return 0;
}

static int layer_of(const rays_model *m, double r)
{
    int k = 0;
    while (k + 1 < m->layers && r <= m->radius[k + 1])
        k++;
    return k;
}

typedef struct source {
    const rays_model *model;
    int layer;
    double radius;
} source;

/* Surface to surface by way of the turning point, less the part above the source; -1 when it reaches the core */
static double reach(const source *s, double p, double *time)
{
    leg sum = {0, 0};
    if (!descend(s->model, 0, s->model->radius[0], p, &sum) || !descend(s->model, s->layer, s->radius, p, &sum))
        return -1.0;
    *time = sum.time;
    return sum.angle;
}

static double refine(const source *s, double low, double high, double distance, int rising, double *time)
{
    for (int k = 0; k < BISECTIONS; k++) {
        double middle = 0.5 * (low + high);
        if ((reach(s, middle, time) < distance) == rising)
            low = middle;
        else
            high = middle;
    }
    reach(s, high, time);
    return high;
}

double rays_trace(const rays_model *m, double depth, double distance, int intervals, double *parameter)
{
    source s = {m, layer_of(m, m->radius[0] - depth), m->radius[0] - depth};
    double velocity = m->top[s.layer] * pow(s.radius / m->radius[s.layer], m->power[s.layer]);
    double highest = s.radius / velocity, lowest = m->radius[m->layers] / m->bottom[m->layers - 1];
    double first = 0.0, before = -1.0, at = lowest;
    *parameter = 0.0;
    for (int k = 0; k < intervals; k++) {
        double time = 0.0, p = lowest + (highest - lowest) * k / intervals, angle = reach(&s, p, &time);
        if (before >= 0.0 && angle >= 0.0 && (before < distance) != (angle < distance)) {
            double root = refine(&s, at, p, distance, before < distance, &time);
            if (first == 0.0 || time < first) {
                first = time;
                *parameter = root;
            }
        }
        before = angle;
        at = p;
    }
    return first;
}
