/* SPDX-License-Identifier: BSD-3-Clause */
/* Measurements that are kept: which file is whose, what is refused, and that a file is whole whatever happens. */
#include "cache/cache.h"
#include "tests/unit.h"
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static char home[64], folder[HS__CACHE_PATH], path[HS__CACHE_PATH], why[HS__CACHE_WHY];

static int begin(void **state)
{
    hs__cache_host host[] = {{"a", 1}};
    (void)state;
    snprintf(home, sizeof home, "/tmp/hs-cache-XXXXXX");
    assert_non_null(mkdtemp(home));
    assert_int_equal(setenv("XDG_CACHE_HOME", home, 1), 0);
    assert_int_equal(hs__cache_folder(folder, sizeof folder), 0);
    return hs__cache_file(host, 1, path, sizeof path);
}

static int end(void **state)
{
    char command[128];
    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", home);
    return system(command);
}

static hs_platform *platform_of(int hosts)
{
    hs_platform *platform = NULL;
    assert_int_equal(hs_platform_create(HS_ROUTING_FULL, &platform), HS_OK);
    for (int h = 0; h < hosts; h++) {
        char name[16];
        snprintf(name, sizeof name, "%c%d", 'a', h);
        assert_int_equal(hs_platform_add_host(platform, h ? name : "a", 1e9, 1, NULL, NULL), HS_OK);
    }
    return platform;
}

static void write_file(int hosts)
{
    hs_platform *platform = platform_of(hosts);
    assert_int_equal(hs__cache_write(path, platform, why, sizeof why), 0);
    hs_platform_free(platform);
}

static hs__cache_state look(void)
{
    const hs__cache_host host[] = {{"a", 1}};
    return hs__cache_look(path, host, 1, NULL, why, sizeof why);
}

static void a_set_of_hosts_has_a_file(void **state)
{
    char one[HS__CACHE_PATH], other[HS__CACHE_PATH];
    hs__cache_host ab[] = {{"a", 1}, {"b", 2}}, ba[] = {{"b", 2}, {"a", 1}}, more[] = {{"a", 2}, {"b", 2}};
    (void)state;
    assert_int_equal(hs__cache_file(ab, 2, one, sizeof one), 0);
    assert_int_equal(hs__cache_file(ba, 2, other, sizeof other), 0);
    assert_string_equal(one, other);
    assert_int_equal(hs__cache_file(more, 2, other, sizeof other), 0);
    assert_string_not_equal(one, other);
    assert_int_equal(hs__cache_kind_of(strrchr(one, '/') + 1), HS__CACHE_WHOLE);
    for (size_t size = 1; size <= strlen(other); size++)
        assert_int_equal(hs__cache_file(ab, 2, one, size), -1);
    assert_int_equal(hs__cache_file(more, 2, one, strlen(other) + 1), 0);
    assert_string_equal(one, other);
    assert_int_equal(hs__cache_folder(one, strlen(folder)), -1);
    assert_int_equal(hs__cache_folder(one, strlen(folder) + 1), 0);
}

static void kinds_of_names(void **state)
{
    (void)state;
    assert_int_equal(hs__cache_kind_of("platform-0123456789abcdef.xml"), HS__CACHE_WHOLE);
    assert_int_equal(hs__cache_kind_of("platform-0123456789abcdef.xml.aB3dE6"), HS__CACHE_UNFINISHED);
    assert_int_equal(hs__cache_kind_of("platform-0123456789abcde.xml"), HS__CACHE_OTHER);
    assert_int_equal(hs__cache_kind_of("platform-0123456789abcdef.xml.old"), HS__CACHE_OTHER);
    assert_int_equal(hs__cache_kind_of("cluster.xml"), HS__CACHE_OTHER);
    assert_int_equal(hs__cache_kind_of(""), HS__CACHE_OTHER);
    assert_int_equal(hs__cache_kind_of("Platform-0123456789abcdef.xml"), HS__CACHE_OTHER);
    assert_int_equal(hs__cache_kind_of("platform-0123456789abcdeg.xml"), HS__CACHE_OTHER);
    assert_int_equal(hs__cache_kind_of("platform-0123456789abcdef0.xml"), HS__CACHE_OTHER);
    assert_int_equal(hs__cache_kind_of("platform-0123456789abcdef.xm"), HS__CACHE_OTHER);
    assert_int_equal(hs__cache_kind_of("platform-0123456789abcdef.log"), HS__CACHE_OTHER);
    assert_int_equal(hs__cache_kind_of("platform-0123456789abcdef.xml-aB3dE6"), HS__CACHE_OTHER);
    assert_int_equal(hs__cache_kind_of("platform-0123456789abcdef.xml.aB3dE67"), HS__CACHE_OTHER);
}

static void what_is_written_is_read(void **state)
{
    struct stat facts;
    (void)state;
    assert_int_equal(look(), HS__CACHE_ABSENT);
    assert_true(isinf(hs__cache_age(path)));
    write_file(1);
    assert_int_equal(look(), HS__CACHE_USABLE);
    assert_true(hs__cache_age(path) < 1000);
    assert_int_equal(stat(folder, &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0700);
}

/* The file is read, and has to have the hosts. */
static void a_file_without_the_hosts_is_refused(void **state)
{
    const hs__cache_host a[] = {{"a", 1}}, more[] = {{"a", 1}, {"a1", 1}, {"b", 1}};
    hs_platform *platform = NULL;
    (void)state;
    write_file(2);
    assert_int_equal(hs__cache_look(path, a, 1, &platform, why, sizeof why), HS__CACHE_USABLE);
    assert_string_equal(why, "");
    assert_int_equal(hs_platform_hosts(platform), 2);
    hs_platform_free(platform);
    platform = NULL;
    assert_int_equal(hs__cache_look(path, more, 2, NULL, why, sizeof why), HS__CACHE_USABLE);
    assert_int_equal(hs__cache_look(path, more, 3, &platform, why, sizeof why), HS__CACHE_REFUSED);
    assert_string_equal(why, "b is not in it");
    assert_null(platform);
}

static void a_file_that_cannot_be_read_is_refused(void **state)
{
    (void)state;
    write_file(1);
    FILE *file = fopen(path, "w");
    fputs("<platform version=\"4.1\">\n<zone", file);
    fclose(file);
    assert_int_equal(look(), HS__CACHE_REFUSED);
    assert_memory_equal(why, "line 2: ", 8);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_equal(look(), HS__CACHE_REFUSED);
    assert_string_equal(why, "it is no file");
    assert_int_equal(rmdir(path) | rmdir(folder), 0);
    fclose(fopen(folder, "w"));
    assert_int_equal(look(), HS__CACHE_FOLDER_REFUSED);
    assert_string_equal(why, "its folder is a file");
}

static int files_in_folder(void)
{
    int count = 0;
    DIR *directory = opendir(folder);
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

/* Before a measurement it is tried whether it could be kept; nothing stays of that, and nothing that is there goes. */
static void what_will_be_written_is_tried(void **state)
{
    (void)state;
    assert_int_equal(hs__cache_prepare(path, why, sizeof why), 0);
    assert_int_equal(files_in_folder(), 0);
    write_file(1);
    assert_int_equal(hs__cache_prepare(path, why, sizeof why), 0);
    assert_int_equal(look(), HS__CACHE_USABLE);
    assert_int_equal(files_in_folder(), 1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("/dev/null", path), 0); /* a file that was refused is removed */
    assert_int_equal(hs__cache_prepare(path, why, sizeof why), 0);
    assert_int_equal(files_in_folder(), 0);
}

/* Whatever stands in the way of a file is told, whether it is tried or written. */
static void refused_to_write(const char *where, const char *said)
{
    hs_platform *platform = platform_of(1);
    assert_int_equal(hs__cache_prepare(where, why, sizeof why), -1);
    if (!strstr(why, said))
        fail_msg("'%s' does not say '%s'", why, said);
    why[0] = '\0';
    assert_int_equal(hs__cache_write(where, platform, why, sizeof why), -1);
    if (!strstr(why, said))
        fail_msg("'%s' does not say '%s'", why, said);
    hs_platform_free(platform);
}

static void what_stands_in_the_way_is_told(void **state)
{
    char other[HS__CACHE_PATH + 300];
    (void)state;
    write_file(1);
    snprintf(other, sizeof other, "%s/%0250d", folder, 7); /* with the letters of an unfinished file it is too long */
    refused_to_write(other, "cannot write /tmp/hs-cache-");
    snprintf(other, sizeof other, "%s/below/it.xml", path);
    refused_to_write(other, "cannot make its folder: Not a directory");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkdir(path, 0700), 0);
    refused_to_write(path, "cannot remove what is there: Is a directory");
    assert_int_equal(files_in_folder(), 1);
}

static void a_marked_file_is_refused_until_it_is_written_anew(void **state)
{
    char mine[HS__CACHE_PATH + 16];
    struct stat before, after;
    (void)state;
    write_file(1);
    assert_true(hs__cache_mark(path));
    assert_int_equal(look(), HS__CACHE_REFUSED);
    assert_string_equal(why, "it did not hold any more when it was last used");
    assert_true(isinf(hs__cache_age(path)));
    write_file(1);
    assert_int_equal(look(), HS__CACHE_USABLE);
    snprintf(mine, sizeof mine, "%s/mine.xml", folder); /* a file of another name is nobody's business */
    fclose(fopen(mine, "w"));
    assert_int_equal(stat(mine, &before), 0);
    assert_false(hs__cache_mark(mine));
    assert_int_equal(stat(mine, &after), 0);
    assert_int_equal(before.st_mtime, after.st_mtime);
}

static void another_platform_of_the_same_date(void **state)
{
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 1600000000, .tv_nsec = 5}};
    const hs__cache_host host[] = {{"a1", 1}};
    char mine[HS__CACHE_PATH + 16];
    struct stat facts;
    (void)state;
    hs_platform *platform = platform_of(2);
    assert_int_equal(hs__cache_refresh(path, platform, why, sizeof why), -1);
    assert_string_equal(why, "there is no measurement");
    write_file(1);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    assert_int_equal(hs__cache_refresh(path, platform, why, sizeof why), 0);
    assert_int_equal(stat(path, &facts), 0);
    assert_int_equal(facts.st_mtim.tv_sec, 1600000000);
    assert_int_equal(facts.st_mtim.tv_nsec, 5);
    assert_int_equal(hs__cache_look(path, host, 1, NULL, why, sizeof why), HS__CACHE_USABLE);
    snprintf(mine, sizeof mine, "%s/mine.xml", folder); /* a file of another name is nobody's business */
    fclose(fopen(mine, "w"));
    assert_int_equal(hs__cache_refresh(mine, platform, why, sizeof why), -1);
    assert_int_equal(stat(mine, &facts), 0);
    assert_int_equal(facts.st_size, 0);
    hs_platform_free(platform);
}

/* Neither is a symbolic link followed, nor written through. */
static void a_link_is_refused_and_replaced(void **state)
{
    char target[HS__CACHE_PATH + 16];
    struct stat facts;
    (void)state;
    write_file(1);
    snprintf(target, sizeof target, "%s/target", folder);
    assert_int_equal(rename(path, target), 0);
    assert_int_equal(symlink(target, path), 0);
    assert_int_equal(stat(target, &facts), 0);
    off_t size = facts.st_size;
    assert_int_equal(look(), HS__CACHE_REFUSED);
    assert_string_equal(why, "it is a symbolic link");
    write_file(9);
    assert_int_equal(look(), HS__CACHE_USABLE);
    assert_int_equal(stat(target, &facts), 0);
    assert_int_equal(facts.st_size, size);
    unlink(path);
    assert_int_equal(symlink("/dev/null", path), 0);
    write_file(1);
    assert_int_equal(look(), HS__CACHE_USABLE);
}

static void nothing_is_written_where_others_may(void **state)
{
    hs_platform *platform = platform_of(1);
    (void)state;
    write_file(1);
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(look(), HS__CACHE_USABLE); /* only the user enters the folder */
    assert_int_equal(chmod(folder, 0711), 0);
    assert_int_equal(look(), HS__CACHE_REFUSED);
    assert_string_equal(why, "it can be written by everybody");
    write_file(1);
    assert_int_equal(look(), HS__CACHE_USABLE); /* the new file has not the mode of the old one */
    assert_int_equal(chmod(path, 0666), 0);
    assert_int_equal(hs__cache_prepare(path, why, sizeof why), 0);
    assert_string_equal(why, "");
    write_file(1);
    assert_int_equal(chmod(path, 0664), 0);
    assert_int_equal(chmod(folder, 0710), 0);
    assert_int_equal(look(), HS__CACHE_REFUSED);
    assert_string_equal(why, "it can be written by its group");
    assert_int_equal(chmod(path, 0644), 0);
    assert_int_equal(look(), HS__CACHE_USABLE);
    assert_int_equal(chmod(folder, 0770), 0);
    assert_int_equal(look(), HS__CACHE_FOLDER_REFUSED);
    assert_string_equal(why, "its folder can be written by its group");
    assert_int_equal(chmod(folder, 0777), 0);
    assert_int_equal(look(), HS__CACHE_FOLDER_REFUSED);
    assert_int_equal(hs__cache_write(path, platform, why, sizeof why), -1);
    assert_string_equal(why, "its folder can be written by everybody");
    hs_platform_free(platform);
}

/* Whatever the umask, a start uses what the one before has kept. */
static void what_is_written_under_any_umask_is_read(void **state)
{
    static const mode_t masks[] = {0, 002, 022, 077};
    (void)state;
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        mode_t before = umask(masks[i]);
        write_file(1);
        umask(before);
        assert_int_equal(look(), HS__CACHE_USABLE);
        assert_int_equal(unlink(path), 0);
        assert_int_equal(rmdir(folder), 0);
    }
}

/* A link to the folder is followed when the user, or root, has made it. */
static void a_link_to_the_folder_of_someone_else_is_not_followed(void **state)
{
    char target[HS__CACHE_PATH + 16];
    (void)state;
    write_file(1);
    snprintf(target, sizeof target, "%s.there", folder);
    assert_int_equal(rename(folder, target), 0);
    assert_int_equal(symlink(target, folder), 0);
    assert_int_equal(look(), HS__CACHE_USABLE);
    if (lchown(folder, 12345, 12345) != 0)
        return; /* only root can */
    assert_int_equal(look(), HS__CACHE_FOLDER_REFUSED);
    assert_string_equal(why, "the link to its folder belongs to user 12345");
}

/* A clock was wrong once: the file would count for years. */
static void a_file_of_the_future_is_refused(void **state)
{
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = time(NULL) + 3600}};
    (void)state;
    write_file(1);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    assert_int_equal(look(), HS__CACHE_USABLE);
    times[1].tv_sec = time(NULL) + 24 * 3600; /* a day is what clocks may differ by */
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    assert_int_equal(look(), HS__CACHE_USABLE);
    times[1].tv_sec += 24 * 3600;
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    assert_int_equal(look(), HS__CACHE_REFUSED);
    assert_string_equal(why, "its date is in the future");
}

static void a_folder_is_named_by_an_absolute_path(void **state)
{
    (void)state;
    assert_int_equal(setenv("HOME", home, 1), 0);
    assert_int_equal(setenv("XDG_CACHE_HOME", "cache", 1), 0);
    assert_int_equal(hs__cache_folder(folder, sizeof folder), 0);
    snprintf(path, sizeof path, "%s/.cache/heteroslice", home);
    assert_string_equal(folder, path);
    assert_int_equal(setenv("HOME", "home", 1), 0);
    assert_int_equal(hs__cache_folder(folder, sizeof folder), -1);
    assert_int_equal(unsetenv("HOME"), 0);
    assert_int_equal(hs__cache_folder(folder, sizeof folder), -1);
}

/* A full disk, played by a limit on the size of files. */
static void a_file_that_does_not_fit_leaves_the_old_one(void **state)
{
    const struct rlimit little = {100, RLIM_INFINITY}, any = {RLIM_INFINITY, RLIM_INFINITY};
    hs_platform *platform = platform_of(50);
    (void)state;
    write_file(1);
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    int written = hs__cache_write(path, platform, why, sizeof why);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &any), 0);
    assert_int_equal(written, -1);
    assert_non_null(strstr(why, "cannot write"));
    assert_int_equal(look(), HS__CACHE_USABLE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &little), 0);
    int prepared = hs__cache_prepare(path, why, sizeof why);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &any), 0);
    assert_int_equal(prepared, -1);
    assert_string_equal(why, "cannot write there: File too large");
    assert_int_equal(files_in_folder(), 1);
    assert_int_equal(look(), HS__CACHE_USABLE);
    hs_platform_free(platform);
}

/* Several processes write as fast as they can and are killed: whoever reads meanwhile, and afterwards, sees a whole file. */
static void writers_and_killed_ones_leave_a_whole_file(void **state)
{
    enum { WRITERS = 3, ROUNDS = 20 };
    (void)state;
    write_file(1);
    for (int k = 0; k < ROUNDS; k++) {
        pid_t writer[WRITERS];
        for (int w = 0; w < WRITERS; w++) {
            writer[w] = fork();
            while (writer[w] == 0)
                write_file(20 + w);
        }
        for (int n = 0; n < 20; n++) {
            assert_int_equal(look(), HS__CACHE_USABLE);
            nanosleep(&(struct timespec){.tv_nsec = 100000}, NULL);
        }
        for (int w = 0; w < WRITERS; w++) {
            kill(writer[w], SIGKILL);
            waitpid(writer[w], NULL, 0);
        }
        assert_int_equal(look(), HS__CACHE_USABLE);
    }
}

static void ages(void **state)
{
    static const struct {
        double seconds;
        const char *text;
    } rows[] = {{0, "0 seconds"},      {1, "1 second"},   {119, "119 seconds"}, {120, "2 minutes"},
                {7199, "119 minutes"}, {7200, "2 hours"}, {172800, "2 days"},   {-5, "0 seconds"}};
    char text[48];
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_string_equal(hs__cache_age_text(rows[i].seconds, text, sizeof text), rows[i].text);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_set_of_hosts_has_a_file),
        TEST(kinds_of_names),
        TEST(what_is_written_is_read),
        TEST(a_file_without_the_hosts_is_refused),
        TEST(a_file_that_cannot_be_read_is_refused),
        TEST(what_will_be_written_is_tried),
        TEST(what_stands_in_the_way_is_told),
        TEST(a_marked_file_is_refused_until_it_is_written_anew),
        TEST(another_platform_of_the_same_date),
        TEST(a_link_is_refused_and_replaced),
        TEST(nothing_is_written_where_others_may),
        TEST(what_is_written_under_any_umask_is_read),
        TEST(a_link_to_the_folder_of_someone_else_is_not_followed),
        TEST(a_file_of_the_future_is_refused),
        TEST(a_folder_is_named_by_an_absolute_path),
        TEST(a_file_that_does_not_fit_leaves_the_old_one),
        TEST(writers_and_killed_ones_leave_a_whole_file),
        TEST(ages),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
