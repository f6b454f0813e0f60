/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/linker.h"
#include "tests/unit.h"
#include "util/path.h"
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/hs-linker-XXXXXX", told[4096];

static void note(const char *name, void *context)
{
    assert_ptr_equal(context, &told);
    snprintf(told + strlen(told), sizeof told - strlen(told), "%s;", name);
}

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_file(const char *name, const char *text)
{
    FILE *file = fopen(path_of(name), "w");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static const char *read_it(const char *name)
{
    told[0] = '\0';
    hs__linker_folders(path_of(name), note, &told);
    return told;
}

/* Files that are included stand where the line does, in the order of their names. */
static void names_the_folders(void **state)
{
    assert_int_equal(mkdir(path_of("more.d"), 0700), 0);
    write_file("ld.so.conf",
               "# comment\n\n/first # more\ninclude more.d/*.conf none.d/*.conf\nhwcap 1 nosegneg\n\t/last/lib");
    write_file("more.d/b.conf", "/b\n");
    write_file("more.d/a.conf", "/a\r\n/a/2\n");
    write_file("more.d/other", "/other\n");
    assert_string_equal(read_it("ld.so.conf"), "/first;/a;/a/2;/b;/last/lib;");
    char line[160];
    snprintf(line, sizeof line, "include %s", path_of("more.d/b.conf"));
    write_file("absolute.conf", line);
    assert_string_equal(read_it("absolute.conf"), "/b;");
}

/* One that is not there, is a folder, or includes itself, which ends at a depth of eight. */
static void survives_bad_files(void **state)
{
    assert_string_equal(read_it("none.conf"), "");
    assert_string_equal(read_it("more.d"), "");
    write_file("loop.conf", "/once\ninclude loop.conf\n");
    assert_memory_equal(read_it("loop.conf"), "/once;", 6);
    assert_int_equal(strlen(told), 8 * 6);
    write_file("bare.conf", "include\n#\n   \n");
    assert_string_equal(read_it("bare.conf"), "");
}

static int end(void **state)
{
    hs__path_remove(folder);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names_the_folders), cmocka_unit_test(survives_bad_files)};
    return mkdtemp(folder) ? cmocka_run_group_tests(tests, NULL, end) : 1;
}
