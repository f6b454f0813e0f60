/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/cache_folder.h"
#include "util/file.h"
#include "util/hash.h"
#include "util/options.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { PATH = 4096, SPACE = 64 * 1024 }; /* SPACE: bytes that must fit, a measurement of some hundred hosts */

static const char prefix[] = "platform-", ending[] = ".xml";

static const char *variable(const char *name)
{
    const char *value = hs__options_environment(name);
    return value && *value ? value : NULL;
}

int cache_folder(char *path, size_t size)
{
    const char *cache = variable("XDG_CACHE_HOME"), *home = variable("HOME");
    if (!cache && !home)
        return -1;
    int length = snprintf(path, size, "%s%s/heteroslice", cache ? cache : home, cache ? "" : "/.cache");
    return (size_t)length < size ? 0 : -1;
}

int cache_file(const hs__hosts *hosts, char *path, size_t size)
{
    uint64_t hash = HS__HASH_START;
    for (size_t i = 0; i < hosts->count; i++) {
        char text[300];
        snprintf(text, sizeof text, "%s %lld\n", hosts->item[i].id, (long long)hosts->item[i].slots);
        hash = hs__hash_bytes(hash, text, strlen(text));
    }
    if (cache_folder(path, size) != 0)
        return -1;
    size_t used = strlen(path);
    int length = snprintf(path + used, size - used, "/%s%016llx%s", prefix, (unsigned long long)hash, ending);
    return (size_t)length < size - used ? 0 : -1;
}

cache_kind cache_kind_of(const char *name)
{
    enum { DIGITS = 16, RANDOM = 7 };
    size_t start = strlen(prefix), whole = start + DIGITS + strlen(ending), length = strlen(name);
    if (strncmp(name, prefix, start) != 0 || length < whole || strspn(name + start, "0123456789abcdef") != DIGITS ||
        strncmp(name + start + DIGITS, ending, strlen(ending)) != 0)
        return CACHE_OTHER;
    if (length == whole)
        return CACHE_WHOLE;
    return length == whole + RANDOM && name[whole] == '.' ? CACHE_UNFINISHED : CACHE_OTHER;
}

/* Whether someone else can have written it. */
static int is_foreign(const struct stat *facts, const char *what, char *why, size_t size)
{
    if (facts->st_uid != geteuid() && facts->st_uid != 0)
        snprintf(why, size, "%s belongs to user %ld", what, (long)facts->st_uid);
    else if (facts->st_mode & S_IWOTH)
        snprintf(why, size, "%s can be written by everybody", what);
    else
        return 0;
    return 1;
}

/* @return CACHE_USABLE when nothing speaks against the folder */
static cache_state look_at_folder(const char *path, char *why, size_t size)
{
    char folder[PATH];
    struct stat facts;
    snprintf(folder, sizeof folder, "%.*s", (int)(strrchr(path, '/') - path), path);
    if (stat(folder, &facts) != 0)
        return CACHE_ABSENT;
    if (!S_ISDIR(facts.st_mode))
        snprintf(why, size, "its folder is a file");
    else if (!is_foreign(&facts, "its folder", why, size))
        return CACHE_USABLE;
    return CACHE_FOLDER_REFUSED;
}

/* Whether all hosts are in the platform. */
static int has_hosts(const hs_platform *platform, const hs__hosts *hosts, char *why, size_t size)
{
    for (size_t i = 0; hosts && i < hosts->count; i++) {
        int node = hs_platform_find_node(platform, hosts->item[i].id);
        if (node < 0 || node >= hs_platform_hosts(platform)) {
            snprintf(why, size, "%.200s is not in it", hosts->item[i].id);
            return 0;
        }
    }
    return 1;
}

cache_state cache_look(const char *path, const hs__hosts *hosts, hs_platform **platform, char *why, size_t size)
{
    struct stat facts;
    hs_platform *read = NULL;
    hs_error error = {0};
    why[0] = '\0';
    cache_state folder = look_at_folder(path, why, size);
    if (folder != CACHE_USABLE)
        return folder;
    if (lstat(path, &facts) != 0)
        return CACHE_ABSENT;
    if (!S_ISREG(facts.st_mode))
        snprintf(why, size, S_ISLNK(facts.st_mode) ? "it is a symbolic link" : "it is no file");
    else if (!is_foreign(&facts, "it", why, size) && hs_platform_read(path, &read, &error) != HS_OK)
        snprintf(why, size, "line %d: %.200s", error.line, error.text);
    int usable = read && has_hosts(read, hosts, why, size);
    if (usable && platform)
        *platform = read;
    else
        hs_platform_free(read);
    return usable ? CACHE_USABLE : CACHE_REFUSED;
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

int cache_writable(const char *path, char *why, size_t size)
{
    char folders[PATH];
    static const char blank[1024];
    hs__file *file;
    hs_error error = {0};
    int failed = 0;
    snprintf(folders, sizeof folders, "%s", path);
    if (make_folders(folders) != 0) {
        snprintf(why, size, "cannot make its folder: %s", strerror(errno));
        return -1;
    }
    if (look_at_folder(path, why, size) != CACHE_USABLE)
        return -1;
    if (hs__file_create(path, &file, &error) != HS_OK) {
        snprintf(why, size, "%.250s", error.text);
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
