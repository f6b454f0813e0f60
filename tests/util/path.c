/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/path.h"
#include "tests/unit.h"
#include <sys/stat.h>
#include <unistd.h>

static void name_is_what_follows_the_last_slash(void **state)
{
    assert_string_equal(hs__path_name("/usr/lib/libmpi.so.40"), "libmpi.so.40");
    assert_string_equal(hs__path_name("./a/b"), "b");
    assert_string_equal(hs__path_name("plain"), "plain");
    assert_string_equal(hs__path_name("a/"), "");
    assert_string_equal(hs__path_name(""), "");
}

static void make_file(const char *path)
{
    FILE *file = fopen(path, "w");
    assert_non_null(file);
    assert_int_equal(fclose(file), 0);
}

/* Of two folders the first goes, with a link in it to the second, which stays. */
static void removes_folders_and_follows_no_link(void **state)
{
    char work[] = "/tmp/hs-path-XXXXXX";
    assert_non_null(mkdtemp(work));
    assert_int_equal(chdir(work), 0);
    assert_int_equal(mkdir("gone", 0700) | mkdir("gone/inner", 0700) | mkdir("stays", 0700), 0);
    make_file("gone/inner/file");
    make_file("stays/file");
    assert_int_equal(symlink("../stays", "gone/link"), 0);
    hs__path_remove("gone");
    assert_int_equal(access("gone", F_OK), -1);
    assert_int_equal(access("stays/file", F_OK), 0);
    hs__path_remove("stays/file");
    assert_int_equal(access("stays/file", F_OK), -1);
    hs__path_remove("nothing");
    assert_int_equal(chdir("/"), 0);
    hs__path_remove(work);
    assert_int_equal(access(work, F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(name_is_what_follows_the_last_slash),
        cmocka_unit_test(removes_folders_and_follows_no_link),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
