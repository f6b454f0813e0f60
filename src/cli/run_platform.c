/* SPDX-License-Identifier: BSD-3-Clause */
/* The platform of a run: a file that is given, a measurement made before, or a new one. */
#include "config.h"

#include "cli/run.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/hash.h"
#include "util/options.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Path of the cached measurement of these hosts; its name is a hash of their names and slots. */
static int cache_path(const hs__hosts *hosts, char *path)
{
    const char *cache = run_variable("XDG_CACHE_HOME"), *home = run_variable("HOME");
    uint64_t hash = HS__HASH_START;
    for (size_t i = 0; i < hosts->count; i++) {
        char text[300];
        snprintf(text, sizeof text, "%s %lld\n", hosts->item[i].id, (long long)hosts->item[i].slots);
        hash = hs__hash_bytes(hash, text, strlen(text));
    }
    if (!cache && !home)
        return -1;
    int length = snprintf(path, RUN_PATH, "%s%s/heteroslice/platform-%016llx.xml", cache ? cache : home,
                          cache ? "" : "/.cache", (unsigned long long)hash);
    return length < RUN_PATH ? 0 : -1;
}

/* Make the folders of a path. */
static int make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        int failed = mkdir(path, 0777) != 0 && errno != EEXIST;
        *slash = '/';
        if (failed)
            return -1;
    }
    return 0;
}

/* Start hs probe with one rank per slot. With `check` it leaves a measurement that still holds. */
static int measure(const cli_verb *verb, const run_request *request, const hs__hosts *hosts, const char *path,
                   int check)
{
    char self[RUN_PATH];
    int64_t *count = hs__array_new(hosts->count, sizeof *count);
    int *order = hs__array_new(hosts->count, sizeof *order), code = CLI_BAD_INPUT;
    if (!count || !order || cli_find_self(self, sizeof self) != 0) {
        fprintf(stderr, "hs %s: cannot start the measurement\n", verb->name);
        goto out;
    }
    for (size_t i = 0; i < hosts->count; i++) {
        count[i] = hosts->item[i].slots;
        order[i] = (int)i;
    }
    if (!check)
        fprintf(stderr, "hs %s: measuring %zu host%s into %s\n", verb->name, hosts->count, hosts->count > 1 ? "s" : "",
                path);
    char *program[] = {self, "probe", "-o", (char *)path, check ? "--check" : NULL, NULL};
    code = run_launch(verb, request, hosts, count, order, (int)hosts->count, NULL, program, 1);
    if (code != CLI_OK)
        fprintf(stderr,
                check ? "hs %s: the measurement could not be checked; using it\n"
                      : "hs %s: the measurement failed (--platform FILE avoids it)\n",
                verb->name);
out:
    free(count);
    free(order);
    return code == CLI_OK ? CLI_OK : CLI_BAD_INPUT;
}

/* "5 minutes", "3 hours", "2 days" */
static const char *write_age(double seconds, char *text, size_t size)
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
    snprintf(text, size, "%.0f %s%s", count, units[u].unit, count == 1 ? "" : "s");
    return text;
}

/* Whether there is a measurement that still counts; it says its age. */
static int is_fresh(const cli_verb *verb, const run_request *request, const char *path)
{
    struct stat facts;
    char age[48];
    if (request->measure || access(path, R_OK) != 0 || stat(path, &facts) != 0)
        return 0;
    double seconds = difftime(time(NULL), facts.st_mtime);
    write_age(seconds, age, sizeof age);
    int fresh = seconds <= request->max_age;
    fprintf(stderr,
            fresh ? "hs %s: using the measurement of %s ago in %s (--measure makes a new one)\n"
                  : "hs %s: the measurement of %s ago in %s is too old (--max-age sets the limit)\n",
            verb->name, age, path);
    return fresh;
}

static int tell_unknown(const cli_verb *verb, const run_request *request, const hs__hosts *hosts)
{
    json_t *list = json_array();
    for (size_t i = 0; i < hosts->count; i++)
        json_array_append_new(list, json_string(hosts->item[i].id));
    if (request->json)
        return cli_print_json(verb, json_pack("{s:b,s:o}", "measure", 1, "hosts", list));
    json_decref(list);
    printf("%zu host%s would be measured first; the plan depends on that\n", hosts->count, hosts->count > 1 ? "s" : "");
    return CLI_OK;
}

int run_find_platform(const cli_verb *verb, const run_request *request, const hs__hosts *hosts, char *path,
                      int *unknown)
{
    if (path[0])
        return CLI_OK;
    if (cache_path(hosts, path) != 0) {
        fprintf(stderr, "hs %s: no cache directory for the measurement (--platform FILE avoids it)\n", verb->name);
        return CLI_BAD_INPUT;
    }
    if (is_fresh(verb, request, path)) {
        if (!request->dry_run)
            measure(verb, request, hosts, path, 1);
        return CLI_OK;
    }
    *unknown = request->dry_run;
    if (*unknown)
        return tell_unknown(verb, request, hosts);
    if (make_folders(path) != 0) {
        fprintf(stderr, "hs %s: cannot make the folder of %s: %s\n", verb->name, path, strerror(errno));
        return CLI_BAD_INPUT;
    }
    return measure(verb, request, hosts, path, 0);
}
