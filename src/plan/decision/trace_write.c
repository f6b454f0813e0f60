/* SPDX-License-Identifier: BSD-3-Clause */
#include "plan/decision/trace.h"
#include <math.h>
#include <stdlib.h>

static json_t *real(double value)
{
    return isfinite(value) ? json_real(value) : json_null();
}

static json_t *reals(const double *value, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        if (json_array_append_new(list, real(value[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

static json_t *integers(const int64_t *value, size_t n)
{
    json_t *list = json_array();
    for (size_t i = 0; i < n; i++)
        if (json_array_append_new(list, json_integer(value[i])) != 0) {
            json_decref(list);
            return NULL;
        }
    return list;
}

json_t *hs__trace_layout(int layout, int ranks, const double *first)
{
    return json_pack("{s:s, s:i, s:i, s:o}", "event", "layout", "layout", layout, "ranks", ranks, "first_cycle",
                     reals(first, (size_t)ranks));
}

int hs__trace_world(json_t *line, int ranks, const int64_t *world)
{
    return json_object_set_new(line, "world", integers(world, (size_t)ranks));
}

static json_t *all_memberships(const hs__slices *s)
{
    json_t *memberships = json_array();
    for (int m = 0; m < s->memberships; m++)
        json_array_append_new(memberships, json_pack("{s:f, s:o}", "traffic", s->membership[m].traffic, "comm",
                                                     reals(s->membership[m].comm, (size_t)s->ranks)));
    return memberships;
}

json_t *hs__trace_memberships(int layout, const hs__slices *slices)
{
    return json_pack("{s:s, s:i, s:o}", "event", "memberships", "layout", layout, "memberships",
                     all_memberships(slices));
}

int hs__trace_slices(json_t *line, const hs__slices *s)
{
    json_t *slices =
        json_pack("{s:I, s:I, s:s, s:o}", "units", (json_int_t)s->units, "minimum", (json_int_t)s->minimum, "model",
                  s->model == HS_STEP_OVERLAP ? "overlap" : "serial", "memberships", all_memberships(s));
    hs__trace_paces(slices, s);
    return json_object_set_new(line, "slices", slices);
}

json_t *hs__trace_weights(int layout, int64_t units, const double *weight)
{
    json_t *runs = json_array();
    for (int64_t u = 0, n = 1; u < units; u += n, n = 1) {
        while (u + n < units && weight[u + n] == weight[u])
            n++;
        if (json_array_append_new(runs, json_pack("[f, I]", weight[u], (json_int_t)n)) != 0) {
            json_decref(runs);
            return NULL;
        }
    }
    return json_pack("{s:s, s:i, s:o}", "event", "weights", "layout", layout, "runs", runs);
}

static void add_change(json_t *line, const char *key, const hs__change *change)
{
    if (change->factor > 0)
        json_object_set_new(line, key, json_pack("{s:i, s:o}", "rank", change->rank, "factor", real(change->factor)));
}

static void add_part(json_t *line, const hs__decision *decision)
{
    const hs__decide_part *part = &decision->part;
    if (part->moved > 0)
        json_object_set_new(line, "part",
                            json_pack("{s:o, s:I, s:I, s:o}", "step", real(part->step), "moved",
                                      (json_int_t)part->moved, "left", (json_int_t)part->left, "price",
                                      real(decision->part_price)));
}

static void add_drift(json_t *line, const hs__drift *drift)
{
    if (drift->kind != HS__DRIFT_NONE)
        json_object_set_new(line, "drift",
                            json_pack("{s:s, s:i, s:o, s:o, s:I}", "of",
                                      drift->kind == HS__DRIFT_HOST ? "host" : "messages", "rank", drift->rank,
                                      "before", real(drift->before), "after", real(drift->after), "iterations",
                                      (json_int_t)drift->iterations));
}

json_t *hs__trace_phase(int layout, int ranks, int64_t iteration, const hs__decide_phase *phase,
                        const hs__decision *decision, int moves)
{
    size_t p = (size_t)ranks;
    json_t *line = json_pack(
        "{s:s, s:i, s:I, s:I, s:o, s:o, s:o, s:I, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:I, s:s}", "event", "phase",
        "layout", layout, "iteration", (json_int_t)iteration, "iterations", (json_int_t)phase->iterations, "cycle",
        reals(phase->cycle, p), "units", integers(phase->units, p), "step", real(phase->step), "left",
        (json_int_t)phase->left, "move_fixed", real(phase->move_fixed), "move_unit", real(phase->move_unit), "now",
        real(decision->now), "best", real(decision->best), "loss", real(decision->loss), "price", real(decision->price),
        "error", real(decision->error), "moved", (json_int_t)decision->moved, "verdict", moves ? "move" : "stay");
    if (line) {
        if (phase->unit_bytes > 0)
            json_object_set_new(line, "unit_bytes", real(phase->unit_bytes));
        add_part(line, decision);
        add_change(line, "slower", &decision->slower);
        add_change(line, "heavier", &decision->heavier);
        add_drift(line, &decision->drift);
    }
    return line;
}

json_t *hs__trace_moved(int layout, double seconds)
{
    return json_pack("{s:s, s:i, s:f}", "event", "moved", "layout", layout, "seconds", seconds);
}

int hs__trace_write(FILE *stream, json_t *line)
{
    char *text = line ? json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(17)) : NULL;
    int failed = !text || fputs(text, stream) == EOF || fputc('\n', stream) == EOF || fflush(stream) != 0;
    free(text);
    json_decref(line);
    return failed ? -1 : 0;
}
