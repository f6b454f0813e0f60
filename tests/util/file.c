/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/file.h"
#include "tests/short_of_memory.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
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
    assert_int_equal(hs__file_try(path, NULL), HS_OK);
    assert_int_equal(entries(), 0);
    assert_int_equal(hs__file_try("/no/where", NULL), HS_ERR_IO);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_int_equal(hs__file_try(path, NULL), HS_OK); /* waits for no reader */
    assert_int_equal(unlink(path), 0);
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
    unlink(path);
    mode_t mask = __real_umask(027);
    assert_int_equal(hs__file_create(path, &file, NULL), HS_OK);
    assert_int_equal(hs__file_commit(file, NULL), HS_OK);
    assert_int_equal(__real_umask(mask), 027);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0640);
}

static void a_file_that_is_there_keeps_its_mode(void **state)
{
    static const mode_t modes[] = {0600, 0660};
    for (size_t k = 0; k < sizeof modes / sizeof *modes; k++) {
        hs__file *file;
        struct stat facts;
        assert_int_equal(chmod(path, modes[k]), 0);
        assert_int_equal(hs__file_create(path, &file, NULL), HS_OK);
        assert_int_equal(hs__file_commit(file, NULL), HS_OK);
        assert_int_equal(stat(path, &facts), 0);
        assert_int_equal(facts.st_mode & 0777, modes[k]);
    }
}

/* For root every file is writable; in a folder that all may write to, another user could rename onto this one. */
static void a_file_that_is_read_only_is_refused(void **state)
{
    hs__file *file = NULL;
    hs_error error;
    assert_int_equal(chmod(path, 0444), 0);
    assert_int_equal(chmod(folder, 0777), 0);
    uid_t me = geteuid();
    assert_int_equal(me == 0 ? seteuid(65534) : 0, 0);
    assert_int_equal(hs__file_create(path, &file, &error), HS_ERR_IO);
    assert_int_equal(seteuid(me), 0);
    assert_null(file);
    CHECK_ERROR_SAYS(&error, 0, strerror(EACCES));
    assert_int_equal(chmod(folder, 0700), 0);
    assert_int_equal(unlink(path), 0);
}

static void unwritable_is_named(void **state)
{
    hs__file *file = NULL;
    hs_error error;
    assert_int_equal(hs__file_create("/nonexistent/folder/out", &file, &error), HS_ERR_IO);
    assert_null(file);
    CHECK_ERROR_SAYS(&error, 0, "/nonexistent/folder/out");
}

/* Of a path that is longer than the text, the begin and the end. */
static void why_a_long_path_is_unwritable_is_told(void **state)
{
    static const char folder_name[] = "/nonexistent";
    char name[25 * (sizeof folder_name - 1) + sizeof "/out"] = "";
    hs__file *file = NULL;
    hs_error error;
    for (int k = 0; k < 25; k++)
        strcat(name, folder_name);
    assert_true(sizeof name > sizeof error.text);
    assert_int_equal(hs__file_create(strcat(name, "/out"), &file, &error), HS_ERR_IO);
    CHECK_ERROR_SAYS(&error, 0, "cannot write /nonexistent/");
    CHECK_ERROR_SAYS(&error, 0, "...");
    CHECK_ERROR_SAYS(&error, 0, "/nonexistent/out: No such file or directory");
    assert_int_equal(strlen(error.text), sizeof error.text - 1);
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
    CHECK_ERROR_SAYS(&error, 0, "/dev/full");
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

/* What no disk has room for is told with its reason when the file is committed. */
static void a_full_device_is_named(void **state)
{
    hs__file *file;
    hs_error error;
    assert_int_equal(hs__file_create("/dev/full", &file, NULL), HS_OK);
    fputs("lost", hs__file_stream(file));
    assert_int_equal(hs__file_commit(file, &error), HS_ERR_IO);
    CHECK_ERROR_SAYS(&error, 0, "/dev/full");
    CHECK_ERROR_SAYS(&error, 0, strerror(ENOSPC));
    assert_int_equal(access("/dev/full", W_OK), 0);
}

/* "-" is standard output, which stays open. */
static void standard_output_stays_open(void **state)
{
    for (int commit = 0; commit < 2; commit++) {
        hs__file *file;
        assert_int_equal(hs__file_create("-", &file, NULL), HS_OK);
        assert_ptr_equal(hs__file_stream(file), stdout);
        if (commit)
            assert_int_equal(hs__file_commit(file, NULL), HS_OK);
        else
            hs__file_discard(file);
        assert_true(fcntl(STDOUT_FILENO, F_GETFD) >= 0);
        assert_int_equal(fflush(stdout), 0);
    }
    hs__file_discard(NULL);
}

/* Links lead to the file, be it there or not; one is relative to its own folder. */
static void links_are_followed_and_stay(void **state)
{
    char link[sizeof path + 8], folder_path[sizeof path + 8], second[sizeof path + 16];
    snprintf(link, sizeof link, "%s-link", path);
    snprintf(folder_path, sizeof folder_path, "%s-folder", path);
    snprintf(second, sizeof second, "%s/link", folder_path);
    assert_int_equal(mkdir(folder_path, 0700), 0);
    assert_int_equal(symlink("../out", second), 0);
    assert_int_equal(symlink(second, link), 0);
    unlink(path);
    for (int there = 0; there < 2; there++) {
        struct stat facts;
        hs__file *file;
        assert_int_equal(hs__file_create(link, &file, NULL), HS_OK);
        assert_int_equal(entries(), 3 + there); /* the temporary one is beside the file */
        fputs("whole", hs__file_stream(file));
        assert_int_equal(hs__file_commit(file, NULL), HS_OK);
        assert_true(lstat(link, &facts) == 0 && S_ISLNK(facts.st_mode));
        assert_true(lstat(path, &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_size == 5);
    }
    unlink(link);
    unlink(second);
    rmdir(folder_path);
    assert_int_equal(entries(), 1);
}

static void links_without_end_are_refused(void **state)
{
    hs__file *file;
    hs_error error;
    unlink(path);
    assert_int_equal(symlink("out", path), 0);
    assert_int_equal(hs__file_create(path, &file, &error), HS_ERR_IO);
    CHECK_ERROR_SAYS(&error, 0, strerror(ELOOP));
    assert_int_equal(entries(), 1);
    unlink(path);
}

/* Writers of one path at the same time do not meet; the last one that ends counts. */
static void writers_of_one_path_do_not_meet(void **state)
{
    enum { WRITERS = 20 };
    hs__file *file[WRITERS];
    char text[16] = "", expected[16];
    unlink(path);
    for (int k = 0; k < WRITERS; k++) {
        assert_int_equal(hs__file_create(path, &file[k], NULL), HS_OK);
        fprintf(hs__file_stream(file[k]), "%d", k);
    }
    assert_int_equal(entries(), WRITERS);
    for (int k = 0; k < WRITERS; k++) {
        assert_int_equal(hs__file_commit(file[k], NULL), HS_OK);
        FILE *stream = fopen(path, "r");
        assert_non_null(fgets(text, sizeof text, stream));
        fclose(stream);
        snprintf(expected, sizeof expected, "%d", k);
        assert_string_equal(text, expected);
    }
    assert_int_equal(entries(), 1);
}

static hs_status create_and_discard(const void *name)
{
    hs__file *file = NULL;
    hs_status status = hs__file_create(name, &file, NULL);
    hs__file_discard(file);
    return status == HS_ERR_IO ? HS_ERR_NOMEM : status; /* ENOMEM is the reason of an error with the path */
}

static void files_without_memory_leave_nothing(void **state)
{
    int before = entries();
    assert_true(fail_each_allocation(create_and_discard, path) >= 2);
    assert_int_equal(entries(), before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(discarded_leaves_nothing),
                                       cmocka_unit_test(committed_is_whole),
                                       cmocka_unit_test(the_mask_of_the_process_counts_and_stays),
                                       cmocka_unit_test(a_file_that_is_there_keeps_its_mode),
                                       cmocka_unit_test(a_file_that_is_read_only_is_refused),
                                       cmocka_unit_test(unwritable_is_named),
                                       cmocka_unit_test(why_a_long_path_is_unwritable_is_told),
                                       cmocka_unit_test(what_cannot_get_its_name_leaves_nothing),
                                       cmocka_unit_test(a_full_device_is_named),
                                       cmocka_unit_test(standard_output_stays_open),
                                       cmocka_unit_test(links_are_followed_and_stay),
                                       cmocka_unit_test(links_without_end_are_refused),
                                       cmocka_unit_test(writers_of_one_path_do_not_meet),
                                       cmocka_unit_test(files_without_memory_leave_nothing),
                                       cmocka_unit_test(an_earlier_failure_is_told_without_another_ones_reason)};
    return cmocka_run_group_tests(tests, enter, leave);
}
