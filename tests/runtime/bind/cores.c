/* SPDX-License-Identifier: BSD-3-Clause */
/* The cores of a machine that hwloc reads from a file: three, the first of them with two processing units. */
#include "tests/unit.h"

#ifdef HAVE_HWLOC
#include "runtime/bind/cores.h"
#include <hwloc.h>
#include <unistd.h>

#define KIND(mask, efficiency, numbers) "<cpukind cpuset=\"" mask "\"" efficiency ">" numbers "</cpukind>\n"
#define NUMBER(name, value) "<info name=\"" name "\" value=\"" value "\"/>"

static char file_name[] = "/tmp/hs-cores-XXXXXX";

static int begin(void **state)
{
    int file = mkstemp(file_name);
    setenv("HWLOC_XMLFILE", file_name, 1);
    setenv("HWLOC_THISSYSTEM", "1", 1);
    return file < 0 || close(file) != 0;
}

static int end(void **state)
{
    return unlink(file_name);
}

/* An element that rest ends, of these processing units. */
static void put_object(FILE *file, const char *type, int index, unsigned units, int id, const char *rest)
{
    fprintf(file,
            "<object type=\"%s\" os_index=\"%d\" cpuset=\"0x%x\" complete_cpuset=\"0x%x\" nodeset=\"0x1\" "
            "complete_nodeset=\"0x1\" gp_index=\"%d\"%s\n",
            type, index, units, units, id, rest);
}

static void put_core(FILE *file, int index, int first, int units)
{
    put_object(file, "Core", index, ((1U << units) - 1) << first, 10 + index, ">");
    for (int u = first; u < first + units; u++)
        put_object(file, "PU", u, 1U << u, 20 + u, "/>");
    fputs("</object>\n", file);
}

static hs__cores *load(const char *kinds)
{
    hs__cores *cores = NULL;
    FILE *file = fopen(file_name, "w");
    assert_non_null(file);
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE topology SYSTEM \"hwloc2.dtd\">\n<topology "
          "version=\"2.0\">\n",
          file);
    put_object(file, "Machine", 0, 0xf, 1, " allowed_cpuset=\"0xf\" allowed_nodeset=\"0x1\">");
    put_object(file, "NUMANode", 0, 0xf, 2, " local_memory=\"1000000000\"/>");
    put_core(file, 0, 0, 2);
    put_core(file, 1, 2, 1);
    put_core(file, 2, 3, 1);
    fprintf(file, "</object>\n%s</topology>\n", kinds);
    fclose(file);
    assert_int_equal(hs__cores_load(&cores), HS_OK);
    return cores;
}

static void check_speeds(const char *kinds, double first, double second, double third)
{
    hs__cores *cores = load(kinds);
    const double *speed = hs__cores_speed(cores);
    CHECK_CLOSE(speed[0], first, 1e-12);
    CHECK_CLOSE(speed[1], second, 1e-12);
    CHECK_CLOSE(speed[2], third, 1e-12);
    hs__cores_free(cores);
}

/* By capacities, else by frequencies, else by the order of the kinds, each number only where all kinds have it and it tells
 * them apart. */
static void cores_have_speeds(void **state)
{
#if HWLOC_API_VERSION >= 0x00020400
    check_speeds("", 1, 1, 1);
    check_speeds(KIND("0x3", "", NUMBER("LinuxCapacity", "512") NUMBER("FrequencyMaxMHz", "4000"))
                     KIND("0x4", "", NUMBER("LinuxCapacity", "1024") NUMBER("FrequencyMaxMHz", "3000"))
                         KIND("0x8", "", NUMBER("LinuxCapacity", "768") NUMBER("FrequencyMaxMHz", "1000")),
                 1, 2, 1.5);
    check_speeds(KIND("0x3", "", NUMBER("FrequencyMaxMHz", "1000")) KIND("0x4", "", NUMBER("FrequencyMaxMHz", "3000"))
                     KIND("0x8", "", NUMBER("FrequencyMaxMHz", "2500")),
                 1, 3, 2.5);
    check_speeds(KIND("0x3", "", NUMBER("LinuxCapacity", "1024") NUMBER("FrequencyMaxMHz", "3000"))
                     KIND("0x4", "", NUMBER("LinuxCapacity", "1024") NUMBER("FrequencyMaxMHz", "1000"))
                         KIND("0x8", "", NUMBER("LinuxCapacity", "1024") NUMBER("FrequencyMaxMHz", "2000")),
                 3, 1, 2);
    check_speeds(KIND("0x3", "", NUMBER("LinuxCapacity", "512") NUMBER("FrequencyMaxMHz", "3000"))
                     KIND("0x4", "", NUMBER("LinuxCapacity", "1024") NUMBER("FrequencyMaxMHz", "1000"))
                         KIND("0x8", "", NUMBER("FrequencyMaxMHz", "2000")),
                 3, 1, 2);
    check_speeds(KIND("0x3", " forced_efficiency=\"1\"", "") KIND("0x4", " forced_efficiency=\"0\"", "")
                     KIND("0x8", " forced_efficiency=\"2\"", ""),
                 1.5, 1, 2.25);
#else
    skip();
#endif
}

/* Processing units 1 and 3 are those to run on: half of the first core, and the third. */
static void some_cores_are_kept(void **state)
{
    enum { BOUND = HS__PU_BOUND, ALLOWED = HS__PU_ALLOWED };
    static const char pus[] = {0, BOUND, ALLOWED, BOUND | ALLOWED};
    char set[3] = {7, 7, 7}, text[32];
    hs__cores *cores =
        load(KIND("0x7", "", NUMBER("LinuxCapacity", "300")) KIND("0x8", "", NUMBER("LinuxCapacity", "900")));
    assert_int_equal(hs__cores_pus(cores), 4);
    hs__cores_with(cores, pus, HS__PU_BOUND, set);
    assert_memory_equal(set, "\1\0\1", 3);
    hs__cores_with(cores, pus, HS__PU_ALLOWED, set);
    assert_memory_equal(set, "\0\1\1", 3);
    assert_string_equal(hs__cores_text(cores, (char[]){1, 1, 0}, text, sizeof text), "0-2");
    assert_int_equal(hs__cores_keep(cores, pus), 2);
    assert_string_equal(hs__cores_text(cores, (char[]){1, 1}, text, sizeof text), "1,3");
    assert_string_equal(hs__cores_text(cores, (char[]){0, 1}, text, sizeof text), "3");
    assert_string_equal(hs__cores_text(cores, (char[]){0, 0}, text, sizeof text), "");
#if HWLOC_API_VERSION >= 0x00020400
    CHECK_CLOSE(hs__cores_speed(cores)[0], 1, 0);
    CHECK_CLOSE(hs__cores_speed(cores)[1], 3, 1e-12);
#endif
    hs__cores_free(cores);
}

/* Of a machine that is another one nothing can be bound. */
static void another_machine(void **state)
{
    hs__cores *cores = NULL;
    hs__cores_free(load(""));
    setenv("HWLOC_THISSYSTEM", "0", 1);
    assert_int_equal(hs__cores_load(&cores), HS_ERR_UNSUPPORTED);
    setenv("HWLOC_THISSYSTEM", "1", 1);
    assert_null(cores);
    hs__cores_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cores_have_speeds), cmocka_unit_test(some_cores_are_kept),
                                       cmocka_unit_test(another_machine)};
    return cmocka_run_group_tests(tests, begin, end);
}
#else
int main(void)
{
    puts("skipped: no hwloc");
    return 77;
}
#endif
