/* SPDX-License-Identifier: BSD-3-Clause */
#include "cache/cache.h"
#include "platform/platform.h"
#include "util/assert.h"
#include "util/file.h"
#include "util/hash.h"
#include "util/options.h"
#include "util/plural.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { SPACE = 64 * 1024 }; /* bytes that must fit, a measurement of some hundred hosts */

/* The time that a file is given which was found not to hold. */
static const time_t marked = 0;

static const char prefix[] = "platform-", ending[] = ".xml";

/* Seconds that clocks of hosts may differ by. */
static const double CLOCKS_DIFFER = 24 * 3600.0;

/* A relative path would be another folder for each folder in which a job starts. */
static const char *variable(const char *name)
{
    const char *value = hs__options_environment(name);
    return value && *value == '/' ? value : NULL;
}

int hs__cache_folder(char *path, size_t size)
{
    const char *cache = variable("XDG_CACHE_HOME"), *home = variable("HOME");
    if (!cache && !home)
        return -1;
    int length = snprintf(path, size, "%s%s/heteroslice", cache ? cache : home, cache ? "" : "/.cache");
    return (size_t)length < size ? 0 : -1;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const hs__cache_host *)a)->name, ((const hs__cache_host *)b)->name);
}

int hs__cache_file(hs__cache_host *host, size_t n, char *path, size_t size)
{
    uint64_t hash = HS__HASH_START;
    if (n > 0)
        qsort(host, n, sizeof *host, by_name);
    for (size_t i = 0; i < n; i++) {
        char text[300];
        snprintf(text, sizeof text, "%s %lld\n", host[i].name, (long long)host[i].ranks);
        hash = hs__hash_bytes(hash, text, strlen(text));
    }
    if (hs__cache_folder(path, size) != 0)
        return -1;
    size_t used = strlen(path);
    int length = snprintf(path + used, size - used, "/%s%016llx%s", prefix, (unsigned long long)hash, ending);
    return (size_t)length < size - used ? 0 : -1;
}

hs__cache_kind hs__cache_kind_of(const char *name)
{
    enum { DIGITS = 16, RANDOM = 7 };
    size_t start = strlen(prefix), whole = start + DIGITS + strlen(ending), length = strlen(name);
    if (strncmp(name, prefix, start) != 0 || length < whole || strspn(name + start, "0123456789abcdef") != DIGITS ||
        strncmp(name + start + DIGITS, ending, strlen(ending)) != 0)
        return HS__CACHE_OTHER;
    if (length == whole)
        return HS__CACHE_WHOLE;
    return length == whole + RANDOM && name[whole] == '.' ? HS__CACHE_UNFINISHED : HS__CACHE_OTHER;
}

static int is_of_others(const struct stat *facts, const char *what, char *why, size_t size)
{
    if (facts->st_uid == geteuid() || facts->st_uid == 0)
        return 0;
    snprintf(why, size, "%s belongs to user %ld", what, (long)facts->st_uid);
    return 1;
}

/* Whether someone else can have written it. */
static int is_foreign(const struct stat *facts, const char *what, char *why, size_t size)
{
    if (is_of_others(facts, what, why, size))
        return 1;
    if (facts->st_mode & (S_IWOTH | S_IWGRP))
        snprintf(why, size, "%s can be written by %s", what, facts->st_mode & S_IWOTH ? "everybody" : "its group");
    return (facts->st_mode & (S_IWOTH | S_IWGRP)) != 0;
}

/* @param[out] facts  of the folder. @return HS__CACHE_USABLE when nothing speaks against it */
static hs__cache_state look_at_folder(const char *path, struct stat *facts, char *why, size_t size)
{
    char folder[HS__CACHE_PATH];
    struct stat link;
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    if (stat(folder, facts) != 0 || lstat(folder, &link) != 0)
        return HS__CACHE_ABSENT;
    if (!S_ISDIR(facts->st_mode))
        snprintf(why, size, "its folder is a file");
    else if ((!S_ISLNK(link.st_mode) || !is_of_others(&link, "the link to its folder", why, size)) &&
             !is_foreign(facts, "its folder", why, size))
        return HS__CACHE_USABLE;
    return HS__CACHE_FOLDER_REFUSED;
}

/* Whether someone else can have written the file: what may be done with a file in a folder that only the user enters does not
 * matter, and follows from a umask. */
static int is_foreign_file(const struct stat *folder, const struct stat *facts, char *why, size_t size)
{
    if (folder->st_mode & (S_IXOTH | S_IXGRP))
        return is_foreign(facts, "it", why, size);
    return is_of_others(facts, "it", why, size);
}

/* Whether all hosts are in the platform. */
static int has_hosts(const hs_platform *platform, const hs__cache_host *host, size_t n, char *why, size_t size)
{
    for (size_t i = 0; i < n; i++)
        if (hs__platform_find_host(platform, host[i].name) < 0) {
            snprintf(why, size, "%.200s is not in it", host[i].name);
            return 0;
        }
    return 1;
}

hs__cache_state hs__cache_look(const char *path, const hs__cache_host *host, size_t n, hs_platform **platform,
                               char *why, size_t size)
{
    struct stat facts, around;
    hs_platform *read = NULL;
    hs_error error = {0};
    why[0] = '\0';
    hs__cache_state folder = look_at_folder(path, &around, why, size);
    if (folder != HS__CACHE_USABLE)
        return folder;
    if (lstat(path, &facts) != 0)
        return HS__CACHE_ABSENT;
    if (!S_ISREG(facts.st_mode))
        snprintf(why, size, S_ISLNK(facts.st_mode) ? "it is a symbolic link" : "it is no file");
    else if (facts.st_mtime == marked)
        snprintf(why, size, "it did not hold any more when it was last used");
    else if (difftime(facts.st_mtime, time(NULL)) > CLOCKS_DIFFER)
        snprintf(why, size, "its date is in the future");
    else if (!is_foreign_file(&around, &facts, why, size) && hs_platform_read(path, &read, &error) != HS_OK)
        snprintf(why, size, "line %d: %.200s", error.line, error.text);
    int usable = read && has_hosts(read, host, n, why, size);
    if (usable && platform)
        *platform = read;
    else
        hs_platform_free(read);
    return usable ? HS__CACHE_USABLE : HS__CACHE_REFUSED;
}

double hs__cache_age(const char *path)
{
    struct stat facts;
    return lstat(path, &facts) == 0 && facts.st_mtime != marked ? difftime(time(NULL), facts.st_mtime) : INFINITY;
}

const char *hs__cache_age_text(double seconds, char *text, size_t size)
{
    static const struct {
        const char *unit;
        double seconds;
    } units[] = {{"day", 86400}, {"hour", 3600}, {"minute", 60}, {"second", 1}};
    size_t u = 0;
    while (u < 3 && seconds < 2 * units[u].seconds)
        u++;
    double count = floor(fmax(seconds, 0) / units[u].seconds);
    HS_ASSERT(count >= 2 || u == 3);
    snprintf(text, size, "%.0f %s%s", count, units[u].unit, hs__plural(count));
    return text;
}

static int is_measurement(const char *path)
{
    const char *slash = strrchr(path, '/');
    return hs__cache_kind_of(slash ? slash + 1 : path) == HS__CACHE_WHOLE;
}

static int set_date(const char *path, struct timespec date)
{
    const struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, date};
    return utimensat(AT_FDCWD, path, times, AT_SYMLINK_NOFOLLOW);
}

int hs__cache_mark(const char *path)
{
    return is_measurement(path) && set_date(path, (struct timespec){.tv_sec = marked}) == 0;
}

/* Make the folders of a path; only the user may enter new ones. */
static int make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int failed = mkdir(path, 0700) != 0 && errno != EEXIST;
        *slash = '/';
        if (failed)
            return -1;
    }
    return 0;
}

/* Make the folder, and room for a new file there. What is no file is removed, as it would be written to or through, and
 * so is a file that others can have written, whose mode the new one would get. */
static int make_way(const char *path, char *why, size_t size)
{
    char folders[HS__CACHE_PATH];
    struct stat facts, around;
    snprintf(folders, sizeof folders, "%s", path);
    if (make_folders(folders) != 0) {
        snprintf(why, size, "cannot make its folder: %s", strerror(errno));
        return -1;
    }
    if (look_at_folder(path, &around, why, size) != HS__CACHE_USABLE)
        return -1;
    if (lstat(path, &facts) != 0 || (S_ISREG(facts.st_mode) && !is_foreign_file(&around, &facts, why, size)))
        return 0;
    why[0] = '\0';
    if (unlink(path) == 0)
        return 0;
    snprintf(why, size, "cannot remove what is there: %s", strerror(errno));
    return -1;
}

int hs__cache_prepare(const char *path, char *why, size_t size)
{
    static const char blank[1024];
    hs__file *file;
    hs_error error = {0};
    int failed = 0;
    if (make_way(path, why, size) != 0)
        return -1;
    if (hs__file_create(path, &file, &error) != HS_OK) {
        snprintf(why, size, "%s", error.text);
        return -1;
    }
    for (int k = 0; k < SPACE / (int)sizeof blank && !failed; k++)
        failed = fwrite(blank, sizeof blank, 1, hs__file_stream(file)) != 1;
    if (failed || fflush(hs__file_stream(file)) != 0) {
        snprintf(why, size, "cannot write there: %s", strerror(errno));
        failed = 1;
    }
    hs__file_discard(file);
    return failed ? -1 : 0;
}

int hs__cache_write(const char *path, const hs_platform *platform, char *why, size_t size)
{
    hs_error error = {0};
    if (make_way(path, why, size) != 0)
        return -1;
    if (hs_platform_write(platform, path, &error) == HS_OK)
        return 0;
    snprintf(why, size, "%s", error.text);
    return -1;
}

int hs__cache_refresh(const char *path, const hs_platform *platform, char *why, size_t size)
{
    struct stat facts;
    if (!is_measurement(path) || lstat(path, &facts) != 0) {
        snprintf(why, size, "there is no measurement");
        return -1;
    }
    if (hs__cache_write(path, platform, why, size) != 0)
        return -1;
    if (set_date(path, facts.st_mtim) == 0)
        return 0;
    snprintf(why, size, "cannot keep its date: %s", strerror(errno));
    return -1;
}
