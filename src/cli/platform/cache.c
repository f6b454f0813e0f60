/* SPDX-License-Identifier: BSD-3-Clause */
/* hs cache: the measurements that are kept. */
#include "cache/cache.h"
#include "cli/base/cli.h"
#include "cli/base/verbs.h"
#include "util/array.h"
#include "util/plural.h"
#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char subcommands[] = "list, show or clear";

typedef struct cached {
    char *name; /* owned */
    hs__cache_kind kind;
} cached;

typedef struct listing {
    char folder[HS__CACHE_PATH];
    cached *item; /* by name; owned */
    size_t count, room;
} listing;

static void listing_free(listing *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->item[i].name);
    free(list->item);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const cached *)a)->name, ((const cached *)b)->name);
}

/* The measurements in the folder; none when there is no folder. */
static int read_folder(const cli_verb *verb, listing *list)
{
    struct dirent *entry;
    int failed = 0;
    if (hs__cache_folder(list->folder, sizeof list->folder) != 0)
        return cli_bad_value(verb, "neither XDG_CACHE_HOME nor HOME names a folder");
    DIR *folder = opendir(list->folder);
    if (!folder && errno != ENOENT)
        return cli_bad_value(verb, "cannot read %s: %s", list->folder, strerror(errno));
    while (folder && !failed && (entry = readdir(folder))) {
        hs__cache_kind kind = hs__cache_kind_of(entry->d_name);
        if (kind == HS__CACHE_OTHER)
            continue;
        char *name = hs__text_copy(entry->d_name);
        failed = !name || hs__array_reserve(&list->item, &list->room, list->count + 1, sizeof *list->item) != 0;
        if (failed)
            free(name);
        else
            list->item[list->count++] = (cached){name, kind};
    }
    if (folder)
        closedir(folder);
    if (failed)
        return cli_bad_value(verb, "out of memory");
    if (list->count)
        qsort(list->item, list->count, sizeof *list->item, by_name);
    return CLI_OK;
}

static void path_of(const listing *list, const char *name, char *path, size_t size)
{
    snprintf(path, size, "%s/%s", list->folder, name);
}

/* ---- list ---- */

static json_t *json_cached(const char *name, double age, const hs_platform *platform, const char *why)
{
    json_t *hosts = json_array();
    for (int h = 0; platform && h < hs_platform_hosts(platform); h++)
        json_array_append_new(hosts, json_string(hs_platform_node_id(platform, h)));
    json_t *object =
        json_pack("{s:s,s:o,s:o}", "name", name, "age", isfinite(age) ? json_real(age) : json_null(), "hosts", hosts);
    if (!platform)
        json_object_set_new(object, "refused", json_string(why));
    return object;
}

static void print_cached(const char *name, double age, const hs_platform *platform, const char *why)
{
    if (isfinite(age))
        printf("%s  %9.1f h  ", name, age / 3600);
    else
        printf("%s  %9s    ", name, "-");
    if (!platform) {
        printf("not used: %s\n", why);
        return;
    }
    int n = hs_platform_hosts(platform);
    printf("%d host%s:", n, hs__plural(n));
    for (int h = 0; h < n && h < 4; h++)
        printf(" %s", hs_platform_node_id(platform, h));
    puts(n > 4 ? " ..." : "");
}

static int list_all(const cli_verb *verb, const listing *list, int json)
{
    json_t *files = json_array();
    int unfinished = 0;
    for (size_t i = 0; i < list->count; i++) {
        char path[2 * HS__CACHE_PATH], why[HS__CACHE_WHY];
        hs_platform *platform = NULL;
        unfinished += list->item[i].kind == HS__CACHE_UNFINISHED;
        if (list->item[i].kind == HS__CACHE_UNFINISHED)
            continue;
        path_of(list, list->item[i].name, path, sizeof path);
        hs__cache_look(path, NULL, 0, &platform, why, sizeof why);
        if (json)
            json_array_append_new(files, json_cached(list->item[i].name, hs__cache_age(path), platform, why));
        else
            print_cached(list->item[i].name, hs__cache_age(path), platform, why);
        hs_platform_free(platform);
    }
    if (json)
        return cli_print_json(
            verb, json_pack("{s:s,s:i,s:o}", "folder", list->folder, "unfinished", unfinished, "files", files));
    json_decref(files);
    if (unfinished)
        printf("%d unfinished\n", unfinished);
    printf("%s: %zu measurement%s\n", list->folder, list->count - (size_t)unfinished,
           hs__plural(list->count - (size_t)unfinished));
    return CLI_OK;
}

/* ---- show, clear ---- */

/* The item of a name, which may be given by its beginning, with or without "platform-". @return -1 after a line when none
 * or several have it */
static int find(const cli_verb *verb, const listing *list, const char *name)
{
    int found = -1, n = 0;
    for (size_t i = 0; i < list->count; i++) {
        const char *whole = list->item[i].name;
        if (list->item[i].kind != HS__CACHE_WHOLE || !*name ||
            (strncmp(whole, name, strlen(name)) != 0 && strncmp(whole + strlen("platform-"), name, strlen(name)) != 0))
            continue;
        found = (int)i;
        n++;
    }
    if (n == 1)
        return found;
    if (n)
        cli_bad_value(verb, "%d measurements begin with '%s': expected the beginning of one name", n, name);
    else
        cli_bad_value(verb, "no measurement's name begins with '%s' ('hs cache list' lists them)", name);
    return -1;
}

static int show_one(const cli_verb *verb, const listing *list, const char *name)
{
    char path[2 * HS__CACHE_PATH], why[HS__CACHE_WHY], buffer[4096];
    hs_platform *platform = NULL;
    int item = find(verb, list, name), failed = 0;
    size_t n;
    if (item < 0)
        return CLI_BAD_INPUT;
    path_of(list, list->item[item].name, path, sizeof path);
    if (hs__cache_look(path, NULL, 0, &platform, why, sizeof why) != HS__CACHE_USABLE)
        return cli_bad_value(verb, "%s is not used: %s", path, why);
    hs_platform_free(platform);
    FILE *file = fopen(path, "r");
    while (file && (n = fread(buffer, 1, sizeof buffer, file)) > 0)
        failed |= fwrite(buffer, 1, n, stdout) != n;
    failed |= !file || ferror(file);
    if (file)
        fclose(file);
    return failed ? cli_bad_value(verb, "cannot copy %s", path) : CLI_OK;
}

static int remove_item(const cli_verb *verb, const listing *list, size_t item)
{
    char path[2 * HS__CACHE_PATH];
    path_of(list, list->item[item].name, path, sizeof path);
    if (unlink(path) == 0 || errno == ENOENT)
        return CLI_OK;
    return cli_bad_value(verb, "cannot remove %s: %s", path, strerror(errno));
}

static int clear(const cli_verb *verb, const listing *list, const char *name)
{
    int code = CLI_OK, item = name ? find(verb, list, name) : 0, removed = 0;
    if (item < 0)
        return CLI_BAD_INPUT;
    for (size_t i = 0; i < list->count; i++) {
        if (name && (int)i != item)
            continue;
        int one = remove_item(verb, list, i);
        removed += one == CLI_OK;
        code = one == CLI_OK ? code : one;
    }
    printf("removed %d file%s\n", removed, hs__plural(removed));
    return code;
}

static int unknown_subcommand(const cli_verb *verb, const char *typed)
{
    hs__suggestion s = {.word = typed};
    hs__suggest(&s, "list");
    hs__suggest(&s, "show");
    hs__suggest(&s, "clear");
    return cli_unknown_subcommand(verb, &s, subcommands);
}

int cli_cache(const cli_verb *verb, int argc, char **argv)
{
    listing list = {.count = 0};
    const char *words[2];
    int json = 0;
    const cli_option options[] = {
        {.name = "--json", .kind = CLI_FLAG, .target = &json},
        {.name = NULL},
    };
    int code = cli_parse(verb, argc, argv, options, words, 2, NULL);
    if (code != CLI_OK)
        return code;
    if (!words[0])
        return cli_usage(verb, "no subcommand given (expected %s)", subcommands);
    int lists = strcmp(words[0], "list") == 0, shows = strcmp(words[0], "show") == 0;
    if (!lists && !shows && strcmp(words[0], "clear") != 0)
        return unknown_subcommand(verb, words[0]);
    if (lists ? words[1] != NULL : shows && !words[1])
        return cli_usage(verb, lists ? "list takes no name" : "show takes the name of a measurement");
    if (json && !lists)
        return cli_usage(verb, "--json goes with list");
    code = read_folder(verb, &list);
    if (code == CLI_OK)
        code = lists   ? list_all(verb, &list, json)
               : shows ? show_one(verb, &list, words[1])
                       : clear(verb, &list, words[1]);
    listing_free(&list);
    return code;
}
