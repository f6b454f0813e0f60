/* SPDX-License-Identifier: BSD-3-Clause */
/* Piecewise linear speed functions s(x) of the size x. Slices are timed by the rate r(x) = s(x) / x, at which the whole
 * slice is computed. Between two points s(x) = a + b x, so r(x) = a / x + b. A larger slice takes longer exactly when
 * r falls, which is when a > 0 on every piece: then a ray from the origin meets the function once (Lastovetsky and
 * Reddy, "Data partitioning with a functional performance model of heterogeneous processors", IJHPCA 2007). Computed so,
 * and kept between the rates at the ends of the piece, r never rises by rounding either. */
#include "util/speed.h"
#include "util/units.h"
#include <math.h>
#include <stddef.h>

static double rate_at(const hs_speed_point *point)
{
    return point->speed / point->size;
}

hs_status hs_speed_check(const hs_speed_function *function, hs_error *error)
{
    if (!function || function->points < 0 || (function->points > 0 && !function->point) || !(function->max_size > 0))
        return hs_error_set(error, HS_ERR_ARG, 0, "a speed function without points or without a positive limit");
    const hs_speed_point *p = function->point;
    for (int i = 0; i < function->points; i++) {
        if (!hs__quantity_in_range(p[i].size) || !hs__quantity_in_range(p[i].speed))
            return hs_error_set(error, HS_ERR_ARG, 0, "point %d of a speed function is out of range: %g bytes at %g",
                                i + 1, p[i].size, p[i].speed);
        if (i > 0 && !(p[i].size > p[i - 1].size))
            return hs_error_set(error, HS_ERR_ARG, 0, "sizes must rise, but %g bytes follow %g", p[i].size,
                                p[i - 1].size);
        if (i > 0 && !(rate_at(&p[i]) < rate_at(&p[i - 1])))
            return hs_error_set(error, HS_ERR_ARG, 0,
                                "a slice of %g bytes would take no longer than one of %g: speeds must rise less than "
                                "sizes",
                                p[i].size, p[i - 1].size);
    }
    return HS_OK;
}

/* The first point of at least this size, function->points when there is none. */
static int point_from(const hs_speed_function *function, double size)
{
    int low = 0, high = function->points;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (function->point[middle].size < size)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The a > 0 and b of r(x) = a / x + b between two points. */
static void piece(const hs_speed_point *from, const hs_speed_point *to, double *a, double *b)
{
    *a = (rate_at(from) - rate_at(to)) * from->size * (to->size / (to->size - from->size));
    *b = rate_at(from) - *a / from->size;
}

/* r(x), x > 0. */
static double rate_of(const hs_speed_function *function, double size)
{
    const hs_speed_point *p = function->point;
    int at = point_from(function, size);
    if (at == 0)
        return p[0].speed / size;
    if (at == function->points)
        return p[at - 1].speed / size;
    double a, b;
    piece(&p[at - 1], &p[at], &a, &b);
    return fmin(fmax(a / size + b, rate_at(&p[at])), rate_at(&p[at - 1]));
}

double hs_speed_at(const hs_speed_function *function, double size)
{
    if (function->points == 0)
        return 0.0;
    return size > 0 ? rate_of(function, size) * size : function->point[0].speed;
}

double hs__speed_time(const hs_speed_function *function, double density, double size)
{
    if (!(size > 0))
        return 0.0;
    return function->points > 0 ? density / rate_of(function, size) : INFINITY;
}

/* The first point whose rate is below this one, function->points when there is none. */
static int point_below(const hs_speed_function *function, double rate)
{
    int low = 0, high = function->points;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (rate_at(&function->point[middle]) >= rate)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double hs__speed_size(const hs_speed_function *function, double density, double seconds)
{
    const hs_speed_point *p = function->point;
    if (function->points == 0 || !(seconds > 0))
        return 0.0;
    double rate = density / seconds, size;
    int at = point_below(function, rate);
    if (at == 0) {
        size = fmin(p[0].speed / rate, p[0].size);
    } else if (at == function->points) {
        size = fmax(p[at - 1].speed / rate, p[at - 1].size);
    } else {
        double a, b;
        piece(&p[at - 1], &p[at], &a, &b);
        size = rate > b ? fmin(fmax(a / (rate - b), p[at - 1].size), p[at].size) : p[at].size;
    }
    return fmin(size, function->max_size);
}

double hs__speed_peak(const hs_speed_function *function, double size)
{
    double peak = fmax(hs_speed_at(function, 0), hs_speed_at(function, fmin(size, function->max_size)));
    for (int i = 0; i < function->points && function->point[i].size <= fmin(size, function->max_size); i++)
        peak = fmax(peak, function->point[i].speed);
    return peak;
}

hs_speed_function hs__speed_scaled(const hs_speed_function *function, double size, double speed, hs_speed_point *point)
{
    hs_speed_function scaled = {point, 0, function->max_size * size};
    for (int i = 0; i < function->points; i++) {
        hs_speed_point next = {function->point[i].size * size, function->point[i].speed * speed};
        const hs_speed_point *last = scaled.points > 0 ? &point[scaled.points - 1] : NULL;
        if (!last || (next.size > last->size && rate_at(&next) < rate_at(last)))
            point[scaled.points++] = next;
    }
    return scaled;
}
