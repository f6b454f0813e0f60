/* SPDX-License-Identifier: BSD-3-Clause */
/* The variables of the environment: lines "NAME=VALUE". */
#include "launch/launch.h"
#include "tests/fuzz/fuzz.h"
#include "util/options.h"
#include <string.h>

enum { MOST_SETTINGS = 64 };

static struct {
    char *line[MOST_SETTINGS + 1];
    int count;
} environment;

static const char *look_up(const char *name)
{
    size_t length = strlen(name);
    for (int i = 0; i < environment.count; i++)
        if (strncmp(environment.line[i], name, length) == 0 && environment.line[i][length] == '=')
            return environment.line[i] + length + 1;
    return NULL;
}

static void complain(void *context, const char *line)
{
    int *complaints = context;
    FUZZ_CHECK(line[0]);
    for (const char *c = line; *c; c++)
        FUZZ_CHECK((unsigned char)*c >= ' ' && *c != 127);
    ++*complaints;
}

/* Words for the launcher, such as HS_MPIEXEC_FLAGS in scripts and hs run --launcher. */
static void split(const char *text)
{
    char *copy = fuzz_text((const uint8_t *)text, strlen(text));
    hs__words words = {0};
    const char *value;
    hs__launch_split(copy, "LD_PRELOAD", &words, &value);
    hs__launch_brings_hosts(&words);
    hs__words_free(&words);
    free(copy);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    hs__options options;
    int complaints = 0;
    environment.count = 0;
    split(text);
    for (char *rest, *line = strtok_r(text, "\n", &rest); line && environment.count < MOST_SETTINGS;
         line = strtok_r(NULL, "\n", &rest))
        environment.line[environment.count++] = line;
    environment.line[environment.count] = NULL;
    hs__options_read(&options, look_up, environment.line, complain, &complaints);
    FUZZ_CHECK(options.timeout >= 0 && options.probe_budget >= 0 && options.log <= HS__LOG_DEBUG);
    FUZZ_CHECK(strlen(options.report) < sizeof options.report && strlen(options.platform) < sizeof options.platform);
    free(text);
    return 0;
}
