/* SPDX-License-Identifier: BSD-3-Clause */
/* How cycle times depend on the size of slices, in the log of decisions. Files of earlier versions have nothing of it. */
#include "plan/decision/trace.h"
#include "util/pool.h"
#include <math.h>

static json_t *points_of(const hs_speed_function *pace)
{
    json_t *points = json_array();
    for (int k = 0; k < pace->points; k++)
        json_array_append_new(points, json_pack("[f, f]", pace->point[k].size, pace->point[k].speed));
    return points;
}

void hs__trace_paces(json_t *slices, const hs__slices *s)
{
    json_t *list = s->paces.pace ? json_array() : NULL;
    if (!list)
        return;
    for (int i = 0; i < s->ranks; i++) {
        json_t *rank = json_pack("{s:o}", "points", points_of(&s->paces.pace[i]));
        if (isfinite(s->paces.pace[i].max_size))
            json_object_set_new(rank, "limit", json_real(s->paces.pace[i].max_size));
        json_array_append_new(list, rank);
    }
    json_object_set_new(slices, "pace", list);
    json_object_set_new(slices, "unit_bytes", json_real(s->paces.said_bytes));
}

/* The points of one rank's pace, which lie at `room`. @return whether they are a function */
static int read_pace(const json_t *rank, hs_speed_point *room, hs_speed_function *pace)
{
    const json_t *points = json_object_get(rank, "points"), *limit = json_object_get(rank, "limit");
    *pace = (hs_speed_function){room, (int)json_array_size(points), limit ? json_number_value(limit) : INFINITY};
    for (int k = 0; k < pace->points; k++) {
        const json_t *pair = json_array_get(points, (size_t)k);
        room[k] =
            (hs_speed_point){json_number_value(json_array_get(pair, 0)), json_number_value(json_array_get(pair, 1))};
    }
    return pace->points > 0 && hs_speed_check(pace, NULL) == HS_OK;
}

hs_status hs__trace_read_paces(const json_t *slices, hs__trace *trace)
{
    const json_t *list = json_object_get(slices, "pace"), *bytes = json_object_get(slices, "unit_bytes");
    size_t points = 0, ranks = (size_t)trace->ranks;
    if (!list)
        return HS_OK;
    if (json_array_size(list) != ranks || !json_is_number(bytes) || !(json_number_value(bytes) >= 0))
        return HS_ERR_PARSE;
    for (size_t i = 0; i < ranks; i++)
        points += json_array_size(json_object_get(json_array_get(list, i), "points"));
    trace->pace = hs__pool_new(&trace->pool, ranks, sizeof *trace->pace);
    trace->point = hs__pool_new(&trace->pool, points, sizeof *trace->point);
    if (hs__pool_status(&trace->pool) != HS_OK)
        return HS_ERR_NOMEM;
    hs_speed_point *room = trace->point;
    for (size_t i = 0; i < ranks; i++) {
        if (!read_pace(json_array_get(list, i), room, &trace->pace[i]))
            return HS_ERR_PARSE;
        room += trace->pace[i].points;
    }
    trace->said_bytes = json_number_value(bytes);
    return HS_OK;
}
