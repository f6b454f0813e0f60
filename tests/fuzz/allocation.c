/* SPDX-License-Identifier: BSD-3-Clause */
/* What Slurm, PBS and LSF tell a job: lines "NAME=VALUE". The value of PBS_NODEFILE is the file's text here. */
#include "launch/host_list.h"
#include "tests/fuzz/fuzz.h"
#include <string.h>

enum { MOST_SETTINGS = 64 };

static struct {
    const char *name[MOST_SETTINGS], *value[MOST_SETTINGS];
    int count;
} job;

static void set(const char *name, const char *value)
{
    if (job.count == MOST_SETTINGS)
        return;
    job.name[job.count] = name;
    job.value[job.count++] = value;
}

static const char *variable(const char *name)
{
    for (int i = 0; i < job.count; i++)
        if (strcmp(job.name[i], name) == 0) {
            const char *value = job.value[i];
            if (strcmp(name, "PBS_NODEFILE") == 0)
                return fuzz_file((const uint8_t *)value, strlen(value));
            return value[0] ? value : NULL;
        }
    return NULL;
}

static void write_agent(const hs__hosts *hosts)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    FUZZ_CHECK(stream);
    hs__slurm_write_agent(hosts, stream);
    fclose(stream);
    FUZZ_CHECK(strncmp(text, "#!/bin/sh\n", 10) == 0);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = fuzz_text(data, size);
    hs__hosts hosts = {0};
    hs_error error;
    const char *file;
    job.count = 0;
    fuzz_settings(text, set);
    if (hs__hosts_allocated(variable, &hosts, &file, &error) != HS_OK)
        fuzz_check_error(&error);
    else if (hosts.components > 0)
        write_agent(&hosts);
    hs__hosts_free(&hosts);
    free(text);
    return 0;
}
