/* SPDX-License-Identifier: BSD-3-Clause */
/* The platform of a run: a file that is given, a measurement made before, or a new one. */
#include "config.h"

#include "cli/base/cache_folder.h"
#include "cli/base/progress.h"
#include "cli/start/run.h"
#include "util/array.h"
#include "util/assert.h"
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { RUN_WHY = 300 };

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
    cli_progress_begin(verb, check ? "checking the measurement" : "measuring");
    code = run_launch(verb, request, hosts, count, order, (int)hosts->count, NULL, program, 1);
    cli_progress_end();
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

/* Whether a measurement still counts; it says its age. */
static int is_fresh(const cli_verb *verb, const run_request *request, const char *path)
{
    struct stat facts;
    char age[48];
    if (request->measure || stat(path, &facts) != 0)
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

/* The path of a file for this run only. */
static int make_temporary(const cli_verb *verb, char *path)
{
    const char *folder = run_variable("TMPDIR");
    int length = snprintf(path, RUN_PATH, "%s/hs-platform-XXXXXX", folder ? folder : "/tmp");
    int file = length < RUN_PATH ? mkstemp(path) : -1;
    if (file >= 0) {
        close(file);
        return CLI_OK;
    }
    fprintf(stderr, "hs %s: no temporary file for the platform: %s (--platform FILE avoids it)\n", verb->name,
            strerror(errno));
    return CLI_BAD_INPUT;
}

int run_keep_input(const cli_verb *verb, char *path)
{
    char part[4096];
    size_t length;
    int code = make_temporary(verb, path);
    FILE *file = code == CLI_OK ? fopen(path, "w") : NULL;
    while (file && (length = fread(part, 1, sizeof part, stdin)) > 0)
        fwrite(part, 1, length, file);
    int failed = file ? ferror(stdin) | ferror(file) : code == CLI_OK;
    if (file)
        failed |= fclose(file) != 0;
    if (!failed)
        return code;
    unlink(path);
    return cli_bad_value(verb, "standard input cannot be kept in %s: %s", path, strerror(errno));
}

/* Measure into the cache or, where that must not or cannot be, for this run only. */
static int measure_anew(const cli_verb *verb, const run_request *request, const hs__hosts *hosts, cache_state state,
                        char *path, int *kept)
{
    char why[RUN_WHY] = "";
    if (state == CACHE_REFUSED)
        unlink(path); /* a symbolic link would be written through */
    *kept = state != CACHE_FOLDER_REFUSED && cache_writable(path, why, sizeof why) == 0;
    if (why[0])
        fprintf(stderr, "hs %s: the measurement is not kept in %s: %s\n", verb->name, path, why);
    int code = *kept ? CLI_OK : make_temporary(verb, path);
    if (code == CLI_OK && (code = measure(verb, request, hosts, path, 0)) != CLI_OK && !*kept)
        unlink(path);
    return code;
}

int run_find_platform(const cli_verb *verb, const run_request *request, const hs__hosts *hosts, char *path,
                      int *unknown, int *kept)
{
    char why[RUN_WHY];
    *kept = 1;
    if (path[0])
        return CLI_OK;
    if (cache_file(hosts, path, RUN_PATH) != 0) {
        fprintf(stderr, "hs %s: no cache directory for the measurement (--platform FILE avoids it)\n", verb->name);
        return CLI_BAD_INPUT;
    }
    cache_state state = cache_look(path, hosts, NULL, why, sizeof why);
    if (why[0])
        fprintf(stderr, "hs %s: the measurement in %s is not used: %s\n", verb->name, path, why);
    if (state == CACHE_USABLE && is_fresh(verb, request, path)) {
        if (!request->dry_run)
            measure(verb, request, hosts, path, 1);
        return CLI_OK;
    }
    *unknown = request->dry_run;
    return *unknown ? tell_unknown(verb, request, hosts) : measure_anew(verb, request, hosts, state, path, kept);
}
