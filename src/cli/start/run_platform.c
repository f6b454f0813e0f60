/* SPDX-License-Identifier: BSD-3-Clause */
/* The platform of a run: a file that is given, a measurement made before, or a new one. */
#include "config.h"

#include "cache/cache.h"
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

/* Start hs probe with one rank per slot. */
static int measure(const cli_verb *verb, const run_request *request, const hs__hosts *hosts, const char *path)
{
    char self[RUN_PATH];
    int64_t *count = hs__array_new(hosts->count, sizeof *count);
    int *order = hs__array_new(hosts->count, sizeof *order), code = CLI_BAD_INPUT;
    if (!count || !order || cli_find_self(self, sizeof self) != 0) {
        cli_bad_value(verb, "cannot start the measurement");
        goto out;
    }
    for (size_t i = 0; i < hosts->count; i++) {
        count[i] = hosts->item[i].slots;
        order[i] = (int)i;
    }
    fprintf(stderr, "hs %s: measuring %zu host%s into %s\n", verb->name, hosts->count, hosts->count > 1 ? "s" : "",
            path);
    char *program[] = {self, "probe", "-o", (char *)path, NULL};
    cli_progress_begin(verb, "measuring");
    code = run_launch(verb, request, hosts, count, order, (int)hosts->count, NULL, program);
    cli_progress_end();
    if (code != CLI_OK)
        cli_bad_value(verb, "the measurement failed (--platform FILE avoids it)");
out:
    free(count);
    free(order);
    return code == CLI_OK ? CLI_OK : CLI_BAD_INPUT;
}

/* Whether a measurement still counts; it says its age. */
static int is_fresh(const cli_verb *verb, const run_request *request, const char *path)
{
    char age[48];
    double seconds = hs__cache_age(path);
    if (request->measure || !isfinite(seconds))
        return 0;
    hs__cache_age_text(seconds, age, sizeof age);
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
    int file = run_temporary(folder ? folder : "/tmp", "hs-platform", path);
    if (file >= 0) {
        close(file);
        return CLI_OK;
    }
    return cli_bad_value(verb, "no temporary file for the platform: %s (--platform FILE avoids it)", strerror(errno));
}

int run_keep_input(const cli_verb *verb, const char *input, char *path)
{
    char part[4096];
    size_t length;
    hs_error error = {0};
    FILE *from = cli_open(input, &error);
    if (!from)
        return cli_fail(verb, input, &error);
    int code = make_temporary(verb, path);
    FILE *file = code == CLI_OK ? fopen(path, "w") : NULL;
    while (file && (length = fread(part, 1, sizeof part, from)) > 0)
        fwrite(part, 1, length, file);
    int failed = file ? ferror(from) | ferror(file) : code == CLI_OK;
    if (file)
        failed |= fclose(file) != 0;
    if (failed)
        code = cli_bad_value(verb, "%s cannot be kept in %s: %s", from == stdin ? "standard input" : input, path,
                             strerror(errno));
    cli_close(from);
    return code;
}

/* Measure into the cache or, where there is none or it must not or cannot be written, for this run only. */
static int measure_anew(const cli_verb *verb, const run_request *request, const hs__hosts *hosts, hs__cache_state state,
                        char *path)
{
    char why[HS__CACHE_WHY] = "";
    if (state == HS__CACHE_REFUSED)
        unlink(path); /* nothing of it stays */
    int kept = path[0] && state != HS__CACHE_FOLDER_REFUSED && hs__cache_prepare(path, why, sizeof why) == 0;
    if (why[0])
        fprintf(stderr, "hs %s: the measurement is not kept in %s: %s\n", verb->name, path, why);
    int code = kept ? CLI_OK : make_temporary(verb, path);
    return code == CLI_OK ? measure(verb, request, hosts, path) : code;
}

/* Find the file of the hosts in the cache. @param[out] path  "" where there can be none
 * @param[out] state  HS__CACHE_USABLE when it is to be used */
static void look(const cli_verb *verb, const run_request *request, const hs__hosts *hosts, char *path,
                 hs__cache_state *state)
{
    char why[HS__CACHE_WHY] = "";
    hs__cache_host *host = hs__array_new(hosts->count, sizeof *host);
    for (size_t i = 0; host && i < hosts->count; i++)
        host[i] = (hs__cache_host){hosts->item[i].id, hosts->item[i].slots};
    if (!host || hs__cache_file(host, hosts->count, path, RUN_PATH) != 0)
        path[0] = '\0';
    if (path[0])
        *state = hs__cache_look(path, host, hosts->count, NULL, why, sizeof why);
    else
        fprintf(stderr, "hs %s: the measurement is not kept: %s\n", verb->name,
                host ? "neither XDG_CACHE_HOME nor HOME names a folder" : "out of memory");
    if (why[0])
        fprintf(stderr, "hs %s: the measurement in %s is not used: %s\n", verb->name, path, why);
    free(host);
    if (*state == HS__CACHE_USABLE && !is_fresh(verb, request, path))
        *state = HS__CACHE_ABSENT;
}

int run_find_platform(const cli_verb *verb, const run_request *request, const hs__hosts *hosts, char *path,
                      run_measurement *found)
{
    const char *use = run_variable("HS_CACHE");
    hs__cache_state state = HS__CACHE_ABSENT;
    *found = (run_measurement){0};
    if (path[0])
        return CLI_OK;
    if (!use || strcmp(use, "off") != 0)
        look(verb, request, hosts, path, &state);
    found->cached = state == HS__CACHE_USABLE;
    if (found->cached)
        return CLI_OK;
    found->unknown = request->dry_run;
    return request->dry_run ? tell_unknown(verb, request, hosts) : measure_anew(verb, request, hosts, state, path);
}
