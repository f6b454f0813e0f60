/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/brought.h"
#include "tests/unit.h"
#include "util/path.h"
#include <unistd.h>

static int cmocka, c, all;

static void count(const char *name, void *context)
{
    assert_ptr_equal(context, &all);
    all++;
    cmocka += strncmp(name, "libcmocka.so.", 13) == 0;
    c += strcmp(name, "libc.so.6") == 0;
}

static void bring(const char *file)
{
    all = cmocka = c = 0;
    hs__brought(file, count, &all);
}

/* What is loaded is noted, and not followed: libc.so.6 is needed by the program, and by libcmocka. */
static void of_the_program(void **state)
{
    bring("/proc/self/exe");
    assert_int_equal(cmocka, 1);
    assert_int_equal(c, 1);
}

/* A copy under another name is not loaded: what it needs, and its own name, are noted once. */
static void of_a_file_beside(void **state)
{
    char folder[] = "/tmp/hs-brought-XXXXXX", path[64], itself[4096];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/libcopy.so", folder);
    ssize_t length = readlink("/proc/self/exe", itself, sizeof itself - 1);
    assert_true(length > 0);
    itself[length] = '\0';
    assert_int_equal(symlink(itself, path), 0);
    bring(path);
    int needed = all;
    assert_true(needed > 1 && c == 1);
    setenv("LD_LIBRARY_PATH", folder, 1); /* too late for the dynamic linker */
    bring("libcopy.so");
    assert_int_equal(all, 1);
    bring("/nowhere/libcopy.so");
    assert_int_equal(all, 0);
    assert_int_equal(unlink(path) + rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(of_the_program), cmocka_unit_test(of_a_file_beside)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
