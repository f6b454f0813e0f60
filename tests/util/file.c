/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/file.h"
#include "tests/unit.h"
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/hs-file-XXXXXX";
static char path[64];

static int enter(void **state)
{
    if (!mkdtemp(folder))
        return -1;
    snprintf(path, sizeof path, "%s/out", folder);
    return 0;
}

static int leave(void **state)
{
    unlink(path);
    return rmdir(folder);
}

static int entries(void)
{
    int n = 0;
    DIR *directory = opendir(folder);
    while (readdir(directory))
        n++;
    closedir(directory);
    return n - 2;
}

static void discarded_leaves_nothing(void **state)
{
    hs__file *file;
    assert_int_equal(hs__file_create(path, &file, NULL), HS_OK);
    fputs("half", hs__file_stream(file));
    hs__file_discard(file);
    assert_int_equal(entries(), 0);
}

static void committed_is_whole(void **state)
{
    hs__file *file;
    char text[16] = "";
    assert_int_equal(hs__file_create(path, &file, NULL), HS_OK);
    fputs("whole", hs__file_stream(file));
    assert_int_not_equal(access(path, F_OK), 0);
    assert_int_equal(hs__file_commit(file, NULL), HS_OK);
    FILE *stream = fopen(path, "r");
    assert_non_null(fgets(text, sizeof text, stream));
    fclose(stream);
    assert_string_equal(text, "whole");
    assert_int_equal(entries(), 1);
}

mode_t __real_umask(mode_t mask);
mode_t __wrap_umask(mode_t mask);

/* The library may not call it: for other threads the mask would be another meanwhile. */
mode_t __wrap_umask(mode_t mask)
{
    fail();
    return mask;
}

static void the_mask_of_the_process_counts_and_stays(void **state)
{
    hs__file *file;
    struct stat facts;
    mode_t mask = __real_umask(027);
    assert_int_equal(hs__file_create(path, &file, NULL), HS_OK);
    assert_int_equal(hs__file_commit(file, NULL), HS_OK);
    assert_int_equal(__real_umask(mask), 027);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0640);
}

static void unwritable_is_named(void **state)
{
    hs__file *file = NULL;
    hs_error error;
    assert_int_equal(hs__file_create("/nonexistent/folder/out", &file, &error), HS_ERR_IO);
    assert_null(file);
    assert_non_null(strstr(error.text, "/nonexistent/folder/out"));
}

/* The error number of a write that failed while the stream was used is gone when the file is committed. */
static void an_earlier_failure_is_told_without_another_ones_reason(void **state)
{
    hs__file *file;
    hs_error error;
    assert_int_equal(hs__file_create("/dev/full", &file, NULL), HS_OK);
    setvbuf(hs__file_stream(file), NULL, _IONBF, 0);
    assert_int_equal(fputs("lost", hs__file_stream(file)), EOF);
    errno = ENOENT;
    assert_int_equal(hs__file_commit(file, &error), HS_ERR_IO);
    assert_int_equal(error.line, 0);
    assert_non_null(strstr(error.text, "/dev/full"));
    assert_null(strstr(error.text, strerror(ENOENT)));
}

static void what_cannot_get_its_name_leaves_nothing(void **state)
{
    hs__file *file;
    unlink(path);
    assert_int_equal(hs__file_create(path, &file, NULL), HS_OK);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(hs__file_commit(file, NULL), HS_ERR_IO);
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(entries(), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(discarded_leaves_nothing),
                                       cmocka_unit_test(committed_is_whole),
                                       cmocka_unit_test(the_mask_of_the_process_counts_and_stays),
                                       cmocka_unit_test(unwritable_is_named),
                                       cmocka_unit_test(what_cannot_get_its_name_leaves_nothing),
                                       cmocka_unit_test(an_earlier_failure_is_told_without_another_ones_reason)};
    return cmocka_run_group_tests(tests, enter, leave);
}
