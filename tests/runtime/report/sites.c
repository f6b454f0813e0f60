/* SPDX-License-Identifier: BSD-3-Clause */
/* Call sites of this process, and of all ranks, brought together; sums by hand. */
#include "tests/unit.h"

#include "runtime/report/sites.h"
#include "runtime/watch/sites.h"
#include <limits.h>

#define SITE "\"function\": \"MPI_Send\", \"threads\": \"main\", \"object\": \"/bin/a\", \"offset\": 16"
#define LAST "\"function\": \"MPI_Barrier\", \"threads\": \"main\", \"object\": \"/bin/a\", \"offset\": 32"

/* own: [ranks] what each tells, NULL: nothing. Fails unless all together is what is expected. */
static void check_merged(const char *const *own, int ranks, const char *expected)
{
    json_t *list[4] = {NULL}, *right = json_loads(expected, 0, NULL);
    for (int r = 0; r < ranks; r++) {
        list[r] = own[r] ? json_loads(own[r], 0, NULL) : NULL;
        assert_true(!own[r] || list[r]);
    }
    json_t *merged = hs__sites_merge(list, ranks);
    char *text = json_dumps(merged, JSON_COMPACT | JSON_SORT_KEYS),
         *wanted = json_dumps(right, JSON_COMPACT | JSON_SORT_KEYS);
    assert_non_null(right);
    assert_string_equal(text, wanted);
    free(wanted);
    free(text);
    json_decref(merged);
    json_decref(right);
    for (int r = 0; r < ranks; r++)
        json_decref(list[r]);
}

static const char *name_of(int number)
{
    return number == 1 ? "MPI_Send" : NULL;
}

static const json_t *site_at(const json_t *own, const char *key, json_int_t value)
{
    size_t i;
    const json_t *site;
    json_array_foreach(json_object_get(own, "sites"), i, site)
    {
        if (json_is_integer(json_object_get(site, key)) && json_integer_value(json_object_get(site, key)) == value)
            return site;
    }
    return NULL;
}

static void check_text(const json_t *site, const char *key, const char *expected)
{
    assert_non_null(site);
    assert_string_equal(json_string_value(json_object_get(site, key)), expected);
}

/* A call returns to what follows it: in a library's function, in this program, and in no file; one has no name. */
static void calls_of_this_process(void **state)
{
    enum { NOWHERE = 4711 };
    char self[PATH_MAX], object[PATH_MAX];
    const uintptr_t known = (uintptr_t)a64l, own = (uintptr_t)name_of;
    assert_null(hs__sites_json(name_of));
    hs__sites_start();
    for (int k = 0; k < 2; k++)
        hs__sites_call(1, 750000000, (const void *)(known + 1));
    hs__sites_call(1, 1, (const void *)(own + 1));
    hs__sites_call(2, 1, (const void *)(own + 1));
    hs__sites_call_other(1, 1, (const void *)(uintptr_t)(NOWHERE + 1));
    json_t *sites = hs__sites_json(name_of);
    assert_int_equal(json_array_size(json_object_get(sites, "sites")), 3);
    assert_int_equal(json_integer_value(json_object_get(sites, "left_out")), 0);
    const json_t *site = site_at(sites, "calls", 2);
    check_text(site, "function", "MPI_Send");
    check_text(site, "threads", "main");
    check_text(site, "symbol", "a64l");
    assert_int_equal(json_integer_value(json_object_get(site, "symbol_offset")), 0);
    CHECK_CLOSE(json_number_value(json_object_get(site, "time")), 1.5, 1e-12);
    site = site_at(sites, "offset", NOWHERE);
    check_text(site, "threads", "other");
    check_text(site, "object", "");
    assert_true(json_is_null(json_object_get(site, "symbol")) && json_is_null(json_object_get(site, "symbol_offset")));
    assert_non_null(realpath("/proc/self/exe", self));
    size_t i, of_program = 0;
    json_array_foreach(json_object_get(sites, "sites"), i, site)
    {
        snprintf(object, sizeof object, "%s", json_string_value(json_object_get(site, "object")));
        of_program += strcmp(object, self) == 0;
    }
    assert_int_equal(of_program, 1);
    json_decref(sites);
}

static void no_rank_has_any(void **state)
{
    check_merged((const char *const[]){NULL, NULL}, 2, "{}");
    check_merged((const char *const[]){NULL, "{\"sites\": [], \"left_out\": 0}"}, 2,
                 "{\"call_sites\": [], \"call_sites_left_out\": 0}");
}

/* Calls and times add up; the rank that took longest there is told. The first rank that has a site says what it is. */
static void ranks_of_a_site_are_one(void **state)
{
    const char *const own[] = {
        "{\"sites\": [{" SITE ", \"calls\": 3, \"time\": 1.5, \"symbol\": \"f\"}], \"left_out\": 2}", NULL,
        "{\"sites\": [{" SITE ", \"calls\": 5, \"time\": 2.5, \"symbol\": \"g\"}], \"left_out\": 4}",
        "{\"sites\": [{" SITE ", \"calls\": 1, \"time\": 0.5, \"symbol\": \"f\"}], \"left_out\": 0}"};
    check_merged(own, 4,
                 "{\"call_sites\": [{" SITE
                 ", \"calls\": 9, \"time\": 4.5, \"symbol\": \"f\", \"ranks\": 3, \"longest\": "
                 "2.5, \"longest_rank\": 2}], \"call_sites_left_out\": 6}");
}

/* Of calls that took no time the first rank is told. */
static void a_site_without_time(void **state)
{
    const char *const own[] = {NULL, "{\"sites\": [{" SITE ", \"calls\": 3, \"time\": 0.0}], \"left_out\": 0}",
                               "{\"sites\": [{" SITE ", \"calls\": 3, \"time\": 0.0}], \"left_out\": 0}"};
    check_merged(own, 3,
                 "{\"call_sites\": [{" SITE ", \"calls\": 6, \"time\": 0.0, \"ranks\": 2, \"longest\": 0.0, "
                 "\"longest_rank\": 1}], \"call_sites_left_out\": 0}");
}

/* Sites where anything differs that tells them apart stay apart, the longest first; what is no site is left out. */
static void different_sites(void **state)
{
    static const char *const other[] = {
        "\"function\": \"MPI_Recv\", \"threads\": \"main\", \"object\": \"/bin/a\", \"offset\": 16",
        "\"function\": \"MPI_Send\", \"threads\": \"other\", \"object\": \"/bin/a\", \"offset\": 16",
        "\"function\": \"MPI_Send\", \"threads\": \"main\", \"object\": \"/bin/b\", \"offset\": 16",
        "\"function\": \"MPI_Send\", \"threads\": \"main\", \"object\": \"/bin/a\", \"offset\": 17"};
    static const char own[] = "{\"sites\": [{" SITE ", \"calls\": 1, \"time\": 1.5}, {" LAST
                              ", \"calls\": 1, \"time\": 0.5}, {\"threads\": \"main\", \"object\": \"/bin/a\"}, "
                              "{\"function\": \"MPI_Send\", \"object\": \"/bin/a\"}, "
                              "{\"function\": \"MPI_Send\", \"threads\": \"main\"}], \"left_out\": 0}";
    char text[300], expected[700];
    for (int k = 0; k < 4; k++) {
        snprintf(text, sizeof text, "{\"sites\": [{%s, \"calls\": 7, \"time\": 2.5}], \"left_out\": 0}", other[k]);
        snprintf(expected, sizeof expected,
                 "{\"call_sites\": [{%s, \"calls\": 7, \"time\": 2.5, \"ranks\": 1, \"longest\": 2.5, "
                 "\"longest_rank\": 1}, {" SITE
                 ", \"calls\": 1, \"time\": 1.5, \"ranks\": 1, \"longest\": 1.5, \"longest_rank\": 0}, {" LAST
                 ", \"calls\": 1, \"time\": 0.5, \"ranks\": 1, \"longest\": 0.5, \"longest_rank\": 0}], "
                 "\"call_sites_left_out\": 0}",
                 other[k]);
        check_merged((const char *const[]){own, text}, 2, expected);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(calls_of_this_process), cmocka_unit_test(no_rank_has_any),
                                       cmocka_unit_test(ranks_of_a_site_are_one), cmocka_unit_test(a_site_without_time),
                                       cmocka_unit_test(different_sites)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
