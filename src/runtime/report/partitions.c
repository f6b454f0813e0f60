/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/report/partitions.h"
#include "runtime/report/report.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/plural.h"
#include "util/pool.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ENTRIES = 128, MOST_LINKED = 32, SHOWN_ENTRIES = 12, SHOWN_PARTS = 12 };

typedef struct entry {
    hs__partition_call call;
    double *speed, *reached; /* written; call.reached may be NULL all the same */
} entry;

/* The entries of the process. */
static struct {
    pthread_mutex_t lock;
    hs__pool pool; /* of all arrays */
    entry entry[MOST_ENTRIES];
    int count;
    int64_t untold; /* calls of kinds that found no place */
    const char *linked[MOST_LINKED];
    int linked_count;
} self = {.lock = PTHREAD_MUTEX_INITIALIZER};

static int same_shares(const double *a, const double *b, int parts)
{
    if (!a || !b)
        return a == b;
    return memcmp(a, b, (size_t)parts * sizeof *a) == 0;
}

static int is_kind(const hs__partition_call *a, const hs__partition_call *b)
{
    return strcmp(a->call, b->call) == 0 && strcmp(a->caller, b->caller) == 0 && a->first == b->first &&
           a->ranks == b->ranks && a->parts == b->parts && same_shares(a->wished, b->wished, a->parts) &&
           same_shares(a->given, b->given, a->parts);
}

static double *copy(const double *from, int parts)
{
    double *to = from ? hs__pool_new(&self.pool, (size_t)parts, sizeof *to) : NULL;
    if (to)
        memcpy(to, from, (size_t)parts * sizeof *to);
    return to;
}

static entry *find_or_add(const hs__partition_call *seen)
{
    int k = 0;
    while (k < self.count && !is_kind(&self.entry[k].call, seen))
        k++;
    if (k == self.count && k < MOST_ENTRIES) {
        entry *added = &self.entry[k];
        *added = (entry){.call = *seen};
        added->call.times = 0;
        added->call.wished = copy(seen->wished, seen->parts);
        added->call.given = copy(seen->given, seen->parts);
        added->call.speed = added->speed = copy(seen->speed, seen->parts);
        added->reached = hs__pool_new(&self.pool, (size_t)seen->parts, sizeof(double));
        if (!added->call.wished || !added->speed || !added->reached || (seen->given && !added->call.given))
            return NULL;
        self.count++;
    }
    return k < MOST_ENTRIES ? &self.entry[k] : NULL;
}

void hs__partitions_note(const hs__partition_call *seen)
{
    size_t bytes = (size_t)seen->parts * sizeof(double);
    HS_ASSERT(seen->parts > 0 && seen->ranks > 0 && seen->wished && seen->speed);
    pthread_mutex_lock(&self.lock);
    entry *known = find_or_add(seen);
    if (known) {
        known->call.times++;
        known->call.edges_cut = seen->edges_cut;
        memcpy(known->speed, seen->speed, bytes);
        known->call.reached = seen->reached ? known->reached : NULL;
        if (seen->reached)
            memcpy(known->reached, seen->reached, bytes);
    } else {
        self.untold++;
    }
    pthread_mutex_unlock(&self.lock);
}

void hs__partitions_note_linked(const char *name)
{
    pthread_mutex_lock(&self.lock);
    if (self.linked_count < MOST_LINKED)
        self.linked[self.linked_count++] = name;
    pthread_mutex_unlock(&self.lock);
}

void hs__partitions_free(void)
{
    pthread_mutex_lock(&self.lock);
    hs__pool_free(&self.pool);
    self.count = 0;
    self.untold = 0;
    self.linked_count = 0;
    pthread_mutex_unlock(&self.lock);
}

/* ---- JSON ---- */

static json_t *numbers(const double *value, int n)
{
    json_t *list = value ? json_array() : json_null();
    for (int i = 0; value && i < n; i++)
        json_array_append_new(list, json_real(value[i]));
    return list;
}

json_t *hs__partitions_json(void)
{
    json_t *list = json_array();
    for (int k = 0; k < self.count; k++) {
        const hs__partition_call *c = &self.entry[k].call;
        json_t *edges = c->edges_cut < 0 ? json_null() : json_integer((json_int_t)c->edges_cut);
        json_array_append_new(list,
                              json_pack("{s:s,s:o,s:i,s:i,s:i,s:I,s:o,s:o,s:o,s:o,s:o}", "call", c->call, "caller",
                                        hs__report_name(c->caller), "first", c->first, "ranks", c->ranks, "parts",
                                        c->parts, "times", (json_int_t)c->times, "wished", numbers(c->wished, c->parts),
                                        "given", numbers(c->given, c->parts), "reached", numbers(c->reached, c->parts),
                                        "speeds", numbers(c->speed, c->parts), "edges_cut", edges));
    }
    return list;
}

json_t *hs__partitions_linked_json(void)
{
    json_t *list = json_array();
    for (int k = 0; k < self.linked_count; k++)
        json_array_append_new(list, json_string(self.linked[k]));
    return list;
}

static int is_same(const json_t *a, const json_t *b, const char *key)
{
    return json_equal(json_object_get(a, key), json_object_get(b, key));
}

/* Whether two ranks' entries are of the same calls. Serial calls are each rank's own. */
static int belong_together(const json_t *a, const json_t *b)
{
    return json_integer_value(json_object_get(a, "ranks")) > 1 && is_same(a, b, "call") && is_same(a, b, "caller") &&
           is_same(a, b, "first") && is_same(a, b, "ranks") && is_same(a, b, "parts") && is_same(a, b, "given") &&
           is_same(a, b, "wished");
}

static void add_reached(json_t *to, const json_t *from)
{
    json_t *sum = json_object_get(to, "reached"), *more = json_object_get(from, "reached");
    if (!json_is_array(sum) || !json_is_array(more)) {
        json_object_set_new(to, "reached", json_null());
        return;
    }
    for (size_t p = 0; p < json_array_size(sum); p++)
        json_array_set_new(
            sum, p, json_real(json_number_value(json_array_get(sum, p)) + json_number_value(json_array_get(more, p))));
}

/* The longest time of a part, the shares in any unit; 0: nothing is known of it. */
static double step_time(const json_t *share, const json_t *speeds)
{
    double sum = 0, longest = 0;
    for (size_t p = 0; p < json_array_size(share); p++) {
        double part = json_number_value(json_array_get(share, p));
        sum += part;
        if (part > 0)
            longest = fmax(longest, part / json_number_value(json_array_get(speeds, p)));
    }
    return sum > 0 && isfinite(longest) ? longest / sum : 0;
}

/* As predicted by the owners' speeds, of what was reached, or given where that is not known. */
static void set_gain(json_t *c)
{
    const json_t *speeds = json_object_get(c, "speeds"), *given = json_object_get(c, "given");
    double before = step_time(json_object_get(c, "wished"), speeds);
    double after = step_time(json_object_get(c, "reached"), speeds);
    if (!(after > 0))
        after = step_time(given, speeds);
    int known = json_is_array(given) && before > 0 && after > 0;
    json_object_set_new(c, "gain", known ? json_real(before / after) : json_null());
}

json_t *hs__partitions_merge(json_t *const *lists, int ranks)
{
    json_t *merged = json_array(), *own;
    size_t i, k;
    for (int r = 0; r < ranks; r++)
        json_array_foreach(lists[r], i, own)
        {
            size_t known = json_array_size(merged);
            for (k = 0; k < known && !belong_together(json_array_get(merged, k), own); k++)
                ;
            if (k < known)
                add_reached(json_array_get(merged, k), own);
            else
                json_array_append_new(merged, json_deep_copy(own));
        }
    json_array_foreach(merged, i, own)
    {
        set_gain(own);
    }
    return merged;
}

/* ---- Text ---- */

static void print_numbers(FILE *out, const json_t *list, double scale)
{
    size_t n = json_array_size(list);
    for (size_t p = 0; p < n && p < SHOWN_PARTS; p++)
        fprintf(out, " %.3g", scale * json_number_value(json_array_get(list, p)));
    if (n > SHOWN_PARTS)
        fputs(" ...", out);
}

/* Serial calls that all ranks made alike are one line. */
static int is_alike(const json_t *a, const json_t *b)
{
    return is_same(a, b, "call") && is_same(a, b, "caller") && is_same(a, b, "ranks") && is_same(a, b, "times") &&
           is_same(a, b, "wished") && is_same(a, b, "given") && is_same(a, b, "reached");
}

static int was_before(const json_t *merged, size_t k)
{
    for (size_t i = 0; i < k; i++)
        if (is_alike(json_array_get(merged, i), json_array_get(merged, k)))
            return 1;
    return 0;
}

static void print_call(FILE *out, const json_t *c)
{
    const json_t *given = json_object_get(c, "given"), *reached = json_object_get(c, "reached");
    const json_t *edges = json_object_get(c, "edges_cut"), *gain = json_object_get(c, "gain");
    const char *caller = json_string_value(json_object_get(c, "caller"));
    long long times = json_integer_value(json_object_get(c, "times"));
    double sum = 0;
    for (size_t p = 0; p < json_array_size(reached); p++)
        sum += json_number_value(json_array_get(reached, p));
    fprintf(out, "heteroslice: %s%s%s, %lld time%s, %lld parts, ", json_string_value(json_object_get(c, "call")),
            caller && caller[0] ? " called by " : "", caller ? caller : "", times, hs__plural(times),
            (long long)json_integer_value(json_object_get(c, "parts")));
    fputs(json_is_array(given) ? "targets changed to" : "as asked:", out);
    print_numbers(out, json_is_array(given) ? given : json_object_get(c, "wished"), 100);
    fputs(" %", out);
    if (sum > 0) {
        fputs("; reached", out);
        print_numbers(out, reached, 100 / sum);
        fprintf(out, " %% of %.15g", sum);
    }
    if (json_is_integer(edges))
        fprintf(out, "; %lld edges cut", (long long)json_integer_value(edges));
    if (json_is_number(gain))
        fprintf(out, "; predicted: a step %.3g times as fast as with the parts asked for", json_number_value(gain));
    fputc('\n', out);
}

void hs__partitions_print(FILE *out, const json_t *merged)
{
    size_t n = json_array_size(merged), shown = 0, more = 0;
    for (size_t k = 0; k < n; k++)
        if (was_before(merged, k))
            continue;
        else if (shown++ < SHOWN_ENTRIES)
            print_call(out, json_array_get(merged, k));
        else
            more++;
    if (more > 0)
        fprintf(out, "heteroslice: ... and %zu kinds of calls more\n", more);
    if (self.untold > 0)
        fprintf(out, "heteroslice: of %lld calls nothing was kept: there are more kinds than %d\n",
                (long long)self.untold, MOST_ENTRIES);
    for (int k = 0; k < self.linked_count; k++)
        fprintf(out, "%s%s",
                k ? ", " : "heteroslice: calls are not seen of what the program itself contains: ", self.linked[k]);
    if (self.linked_count > 0)
        fputc('\n', out);
}
