/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/by_size/hosts.h"
#include "plan/slices/level.h"
#include "util/speed.h"
#include "util/status.h"
#include <math.h>
#include <string.h>

/* The function of a whole host: the points are *room, which is moved on. A host without function has its speed at every
 * size. */
static hs_speed_function whole_host(const hs_platform *platform, int host, double data, hs_speed_point **room)
{
    const hs_speed_function *core = hs_platform_host_speed_function(platform, host);
    double cores = hs_platform_host_cores(platform, host), speed = cores * hs_platform_host_speed(platform, host);
    hs_speed_function whole = {*room, core->points, core->max_size};
    for (int i = 0; i < core->points; i++)
        (*room)[i] = (hs_speed_point){core->point[i].size, cores * core->point[i].speed};
    if (core->points == 0 && speed > 0) {
        **room = (hs_speed_point){data, speed};
        whole.points = 1;
    }
    if (!(speed > 0)) /* it is off */
        whole.points = 0;
    *room += core->points > 0 ? core->points : 1;
    return whole;
}

static hs_status fill(hs__by_size *s, const hs_platform *platform, double work, double data, hs_error *error)
{
    int hosts = hs_platform_hosts(platform), able = 0;
    hs__level_task task = {.function = s->function, .hosts = hosts, .work = work, .data = data};
    for (int i = 0; i < hosts; i++)
        able += s->function[i].points > 0;
    s->least_time = hs__level_time(&task);
    if (able == 0)
        return hs_error_set(error, HS_ERR_INFEASIBLE, 0, "no host of the platform can compute");
    if (isinf(s->least_time))
        return hs_error_set(error, HS_ERR_INFEASIBLE, 0,
                            "the largest slices of all hosts together are smaller than the data of %g bytes", data);
    for (int i = 0; i < hosts; i++) {
        s->speed[i] = hs__level_size(&task, i, s->least_time) * (work / data) / s->least_time;
        s->peak[i] = hs__speed_peak(&s->function[i], data);
    }
    return HS_OK;
}

hs_status hs__by_size_init(hs__by_size *sizes, const hs_platform *platform, double work, double data, hs_error *error)
{
    hs__by_size s = {0};
    size_t hosts = (size_t)hs_platform_hosts(platform), points = hosts;
    for (size_t i = 0; i < hosts; i++)
        points += (size_t)hs_platform_host_speed_function(platform, (int)i)->points;
    hs_speed_point *room = hs__pool_new(&s.pool, points, sizeof *room);
    s.function = hs__pool_new(&s.pool, hosts, sizeof *s.function);
    s.speed = hs__pool_new(&s.pool, hosts, sizeof *s.speed);
    s.peak = hs__pool_new(&s.pool, hosts, sizeof *s.peak);
    hs_status status = hs__pool_status(&s.pool);
    if (status == HS_OK) {
        for (size_t i = 0; i < hosts; i++)
            s.function[i] = whole_host(platform, (int)i, data, &room);
        status = fill(&s, platform, work, data, error);
    } else {
        hs__error_status(error, status);
    }
    if (status == HS_OK)
        *sizes = s;
    else
        hs__by_size_free(&s);
    return status;
}

void hs__by_size_free(hs__by_size *sizes)
{
    hs__pool_free(&sizes->pool);
}
