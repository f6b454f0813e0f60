/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/ticks.h"
#include "runtime/report/report.h"
#include "runtime/report/sites.h"
#include "runtime/watch/sites.h"
#include "util/array.h"
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdlib.h>

/* ---- Of this rank ---- */

/* A call that does not return, or is the last of its function, returns to what follows: the byte before belongs to the call.
 *
 * object: the path of the file that has it, "" when none does; the program itself has no name, others' are as they were given,
 * perhaps from a folder that the program has left. offset: as the file numbers its bytes, without a file the address. symbol: null
 * where the dynamic linker does not know it, as in a program's own functions unless it was linked with -rdynamic. */
static json_t *site_json(const hs__site *site, const char *function)
{
    Dl_info info = {0};
    struct link_map *map = NULL;
    char object[PATH_MAX] = "";
    uintptr_t address = site->caller - 1, loaded = 0;
    if (dladdr1((void *)address, &info, (void **)&map, RTLD_DL_LINKMAP)) {
        const char *name = map->l_name[0] ? map->l_name : "/proc/self/exe";
        if (!realpath(name, object))
            snprintf(object, sizeof object, "%s", name);
        loaded = map->l_addr;
    }
    int known = info.dli_sname != NULL;
    return json_pack(
        "{s:s,s:s,s:o,s:I,s:I,s:f,s:o,s:o}", "function", function, "threads", site->other ? "other" : "main", "object",
        hs__report_name(object), "offset", (json_int_t)(address - loaded), "calls", (json_int_t)site->calls, "time",
        1e-9 * (double)hs__ticks_ns(site->ticks), "symbol", known ? hs__report_name(info.dli_sname) : json_null(),
        "symbol_offset", known ? json_integer((json_int_t)(address - (uintptr_t)info.dli_saddr)) : json_null());
}

json_t *hs__sites_json(const char *(*call_name)(int number))
{
    const hs__site *slot = hs__sites_slots();
    if (!hs__sites_stop())
        return NULL;
    json_t *list = json_array();
    for (int k = 0; k < HS__SITE_SLOTS; k++) {
        const char *name = slot[k].calls > 0 ? call_name(slot[k].number) : NULL;
        if (name)
            json_array_append_new(list, site_json(&slot[k], name));
    }
    return json_pack("{s:o,s:I}", "sites", list, "left_out", (json_int_t)hs__sites_left_out());
}

/* ---- Of all ranks ---- */

static double time_of(const json_t *site)
{
    return json_number_value(json_object_get(site, "time"));
}

static void add_integer(json_t *to, const char *key, json_int_t more)
{
    json_object_set_new(to, key, json_integer(json_integer_value(json_object_get(to, key)) + more));
}

/* all: by function, threads, file and place. */
static void add_site(json_t *all, const json_t *own, int rank)
{
    char key[PATH_MAX + 128];
    const char *function = json_string_value(json_object_get(own, "function"));
    const char *object = json_string_value(json_object_get(own, "object"));
    const char *threads = json_string_value(json_object_get(own, "threads"));
    if (!function || !object || !threads)
        return;
    snprintf(key, sizeof key, "%.100s %s %lld %s", function, threads,
             (long long)json_integer_value(json_object_get(own, "offset")), object);
    json_t *site = json_object_get(all, key);
    if (!site) {
        site = json_deep_copy(own);
        json_object_set_new(site, "calls", json_integer(0));
        json_object_set_new(site, "time", json_real(0));
        json_object_set_new(site, "longest", json_real(-1));
        json_object_set_new(all, key, site);
    }
    add_integer(site, "ranks", 1);
    add_integer(site, "calls", json_integer_value(json_object_get(own, "calls")));
    json_object_set_new(site, "time", json_real(time_of(site) + time_of(own)));
    if (time_of(own) > json_number_value(json_object_get(site, "longest"))) {
        json_object_set_new(site, "longest", json_real(time_of(own)));
        json_object_set_new(site, "longest_rank", json_integer(rank));
    }
}

static int by_time(const void *x, const void *y)
{
    double a = time_of(*(json_t *const *)x), b = time_of(*(json_t *const *)y);
    return (a < b) - (a > b);
}

/* The values of an object as an array. */
static json_t *sorted(json_t *all)
{
    size_t n = 0;
    const char *key;
    json_t *site, *list = json_array(), **each = hs__array_new(json_object_size(all), sizeof(json_t *));
    json_object_foreach(all, key, site)
    {
        if (each)
            each[n++] = site;
    }
    if (each)
        qsort(each, n, sizeof *each, by_time);
    for (size_t k = 0; k < n; k++)
        json_array_append(list, each[k]);
    free(each);
    return list;
}

json_t *hs__sites_merge(json_t *const *own, int ranks)
{
    int noted = 0;
    json_int_t left_out = 0;
    json_t *all = json_object(), *merged = json_object(), *site;
    for (int r = 0; r < ranks; r++) {
        size_t i;
        noted |= own[r] != NULL;
        left_out += json_integer_value(json_object_get(own[r], "left_out"));
        json_array_foreach(json_object_get(own[r], "sites"), i, site)
        {
            add_site(all, site, r);
        }
    }
    if (noted) {
        json_object_set_new(merged, "call_sites", sorted(all));
        json_object_set_new(merged, "call_sites_left_out", json_integer(left_out));
    }
    json_decref(all);
    return merged;
}
