/* SPDX-License-Identifier: BSD-3-Clause */
/* hs lab run, hs lab exec, and the two verbs that mpirun starts. */
#include "config.h"

#include "cli/start/lab_run.h"
#include "cli/start/program_mpi.h"
#include "lab/lab.h"
#include "lab/process.h"
#include "lab/throttle.h"
#include "launch/rank.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/status.h"
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/prctl.h>
#include <unistd.h>

static int replace_process(const char *who, char **program)
{
    execvp(program[0], program);
    return cli_cannot_start(who, program[0]);
}

static hs_status load_ready(const char *name, lab_cluster **out, hs_error *error)
{
    lab_cluster *loaded = NULL;
    hs_status status = lab_load(name, &loaded, error);
    if (status == HS_OK && !loaded->ready)
        status = hs_error_set(error, HS_ERR_STATE, 0, "lab '%s' is incomplete ('hs lab down --name %s' removes it)",
                              name, name);
    if (status != HS_OK) {
        lab_free(loaded);
        return status;
    }
    *out = loaded;
    return HS_OK;
}

/* Select the hosts of these names, or all of them when names is NULL. */
static hs_status select_hosts(const lab_cluster *lab, const hs__words *names, int *selected, int *count,
                              hs_error *error)
{
    *count = 0;
    if (!names) {
        while (*count < lab->hosts) {
            selected[*count] = *count;
            ++*count;
        }
        return HS_OK;
    }
    for (size_t k = 0; k < names->count; k++) {
        int host = lab_find_host(lab, names->item[k]);
        if (host < 0)
            return hs_error_set(error, HS_ERR_ARG, 0, "--hosts: the lab has no host '%.80s'", names->item[k]);
        for (int i = 0; i < *count; i++)
            if (selected[i] == host)
                return hs_error_set(error, HS_ERR_ARG, 0, "--hosts names '%.80s' twice", names->item[k]);
        selected[(*count)++] = host;
        HS_ASSERT(*count <= lab->hosts);
    }
    return HS_OK;
}

int cli_lab_start(const cli_verb *verb, const char *name, const hs__words *hosts, const lab_job *asked)
{
    lab_job job = *asked;
    hs_error error = {0};
    int selected[LAB_MAX_HOSTS], exit_status = 0;
    char self[LAB_PATH], preload[LAB_PATH + 64];
    lab_cluster *lab = NULL;
    hs_status status = load_ready(name, &lab, &error);
    if (status == HS_OK)
        status = select_hosts(lab, hosts, selected, &job.selected_count, &error);
    if (status == HS_OK && cli_find_self(self, sizeof self) != 0)
        status = hs_error_set(&error, HS_ERR_SYSTEM, 0, "cannot find the path of hs: %s", strerror(errno));
    if (status == HS_OK) {
        job.lab = lab;
        job.selected = selected;
        job.self = self;
        if (cli_find_library("src/lab/.libs/hs-lab-preload.so", preload, sizeof preload))
            job.preload = preload;
        else
            fprintf(stderr, "hs %s: hs-lab-preload.so is not installed; ranks use up their quota while they wait\n",
                    verb->name);
        status = lab_run(&job, &exit_status, &error);
    }
    lab_free(lab);
    return status == HS_OK ? exit_status : cli_fail(verb, NULL, &error);
}

/* Start the job by the launcher that there is, with the user's own options. */
static int start_job(const cli_verb *verb, const char *name, const hs__words *hosts, const char *options, lab_job job)
{
    hs__launcher launcher = {0};
    hs__words words = {0};
    hs_error error = {0};
    char *text = hs__text_copy(options ? options : "");
    hs_status status = hs__launcher_find(NULL, getenv("MPIEXEC"), &launcher, &error);
    if (text)
        hs__launch_split(text, NULL, &words, NULL);
    if (status == HS_OK && (!text || words.failed))
        status = hs__error_status(&error, HS_ERR_NOMEM);
    job.launcher = &launcher;
    job.options = &words;
    int code = status == HS_OK ? cli_lab_start(verb, name, hosts, &job) : cli_fail(verb, NULL, &error);
    free(text);
    hs__words_free(&words);
    hs__launcher_free(&launcher);
    return code;
}

int cli_lab_run(const cli_verb *verb, int argc, char **argv)
{
    const char *name = LAB_DEFAULT_NAME, *hosts = NULL, *mpirun = NULL;
    char path[PATH_MAX];
    int rest, code;
    int64_t ranks = 0;
    const cli_option options[] = {
        {.name = "--name", .kind = CLI_TEXT, .target = &name},
        {.name = "-n", .kind = CLI_INTEGER, .target = &ranks, .at_least = 1, .at_most = 1 << 20},
        {.name = "--hosts", .kind = CLI_TEXT, .target = &hosts},
        {.name = "--mpirun", .kind = CLI_TEXT, .target = &mpirun},
        {0}};
    code = cli_parse(verb, argc, argv, options, NULL, 0, &rest);
    if (code != CLI_OK || (code = cli_lab_name(verb, name)) != CLI_OK)
        return code;
    if (rest >= argc)
        return cli_usage(verb, "no program given (expected after --)");
    /* All ranks would say so. The launcher's options may choose another folder. */
    if (!mpirun && !cli_find_program(argv[rest], path))
        return cli_cannot_start(verb->name, argv[rest]);
    lab_job job = {.ranks = (int)ranks, .program = argv + rest};
    hs__words names = {0};
    if (hosts && (code = cli_split_list(verb, hosts, &names)) != CLI_OK)
        return code;
    code = start_job(verb, name, hosts ? &names : NULL, mpirun, job);
    hs__words_free(&names);
    return code;
}

/* Whether a process that enters a host comes under the host's quota. */
typedef enum lab_quota_kind { HOST_QUOTA, NO_QUOTA } lab_quota_kind;

static hs_status become_host(const char *name, const char *id, lab_quota_kind quota, hs_error *error)
{
    lab_cluster *lab = NULL;
    hs_status status = load_ready(name, &lab, error);
    if (status != HS_OK)
        return status;
    int host = lab_find_host(lab, id);
    if (host < 0)
        status = hs_error_set(error, HS_ERR_ARG, 0, "the lab has no host '%s'", id);
    if (status == HS_OK)
        status = lab_join(lab, (lab_place){quota == HOST_QUOTA ? host : LAB_CONTROL, -1}, error);
    if (status == HS_OK)
        status = lab_enter(lab, host, error);
    lab_free(lab);
    return status;
}

/* Run the program in a child. Without network the throttler stops programs by signals, and the caller's shell would
 * treat a stopped child of its own as a suspended job. */
static int exec_in_child(const cli_verb *verb, const char *name, const char *host, char **program)
{
    hs_error error = {0};
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (become_host(name, host, HOST_QUOTA, &error) != HS_OK)
            _exit(cli_fail(verb, NULL, &error));
        _exit(replace_process(verb->name, program));
    }
    if (child > 0)
        return lab_supervise(child, -child);
    return cli_bad_value(verb, "cannot start a process: %s", strerror(errno));
}

int cli_lab_exec(const cli_verb *verb, int argc, char **argv)
{
    const char *name = LAB_DEFAULT_NAME, *host;
    int rest, code, network;
    hs_error error = {0};
    lab_cluster *lab = NULL;
    const cli_option options[] = {{.name = "--name", .kind = CLI_TEXT, .target = &name}, {0}};
    code = cli_parse(verb, argc, argv, options, &host, 1, &rest);
    if (code != CLI_OK || (code = cli_lab_name(verb, name)) != CLI_OK)
        return code;
    if (!host)
        return cli_usage(verb, "no host given");
    if (rest >= argc)
        return cli_usage(verb, "no program given (expected after --)");
    hs_status status = load_ready(name, &lab, &error);
    if (status == HS_OK)
        status = lab_throttle_check(lab, &error);
    network = lab && lab->network;
    lab_free(lab);
    if (status != HS_OK)
        return cli_fail(verb, NULL, &error);
    if (!network)
        return exec_in_child(verb, name, host, argv + rest);
    if (become_host(name, host, HOST_QUOTA, &error) != HS_OK)
        return cli_fail(verb, NULL, &error);
    return replace_process(verb->name, argv + rest);
}

/* The lab in ".../LAB/agent", the path this program was started by; NULL: it was not started as an agent. */
static const char *lab_of_agent(char *path, size_t size)
{
    const char *started = (const char *)getauxval(AT_EXECFN);
    snprintf(path, size, "%s", started ? started : "");
    char *file = strrchr(path, '/');
    if (!file || strcmp(file + 1, LAB_AGENT) != 0)
        return NULL;
    *file = '\0';
    const char *directory = strrchr(path, '/');
    return directory && lab_name_valid(directory + 1) ? directory + 1 : NULL;
}

int cli_is_lab_agent(void)
{
    char path[LAB_PATH];
    return lab_of_agent(path, sizeof path) != NULL;
}

/* Like ssh: options, a host, and words that form one command line for a shell. */
int cli_lab_agent(int argc, char **argv)
{
    static const cli_verb verb = {"lab agent", "", "agent HOST COMMAND ...", NULL};
    hs_error error = {0};
    char path[LAB_PATH], *line = NULL;
    size_t size;
    int first = 1;
    while (first < argc && argv[first][0] == '-')
        first++;
    if (first + 1 >= argc)
        return cli_usage(&verb, "launchers start this");
    FILE *stream = open_memstream(&line, &size);
    for (int i = first + 1; stream && i < argc; i++)
        fprintf(stream, "%s%s", i > first + 1 ? " " : "", argv[i]);
    if (!stream || fclose(stream) != 0)
        return CLI_BAD_INPUT;
    int code = CLI_BAD_INPUT;
    if (become_host(lab_of_agent(path, sizeof path), argv[first], NO_QUOTA, &error) == HS_OK)
        code = replace_process(verb.name, (char *[]){"/bin/sh", "-c", line, NULL});
    else
        cli_fail(&verb, NULL, &error);
    free(line);
    return code;
}

/* With network the host's own name tells it; without, a list by rank. */
static int host_of_rank(const lab_cluster *lab, int rank)
{
    char name[256] = "";
    gethostname(name, sizeof name - 1);
    for (int i = 0; lab->network && i < lab->hosts; i++)
        if (strcmp(lab->host[i].name, name) == 0)
            return i;
    const char *places = lab->network || rank < 0 ? NULL : getenv(LAB_PLACES);
    for (int skip = rank; skip > 0 && places; skip--)
        places = strchr(places, ',') ? strchr(places, ',') + 1 : NULL;
    int host = places ? atoi(places) : -1;
    return host < lab->hosts ? host : -1;
}

/* Each rank gets a core of its own when the host has at least as many ranks as cores. Fewer ranks share the host's
 * cores, since they may have threads. */
static int core_of_rank(const lab_cluster *lab, int host, const hs__launch_rank *self)
{
    int cores = lab->host[host].cores;
    return cores > 1 && self->local_rank >= 0 && self->local_ranks >= cores ? self->local_rank % cores : -1;
}

int cli_lab_rank(int argc, char **argv)
{
    static const cli_verb verb = {"lab rank", "", "hs lab rank LAB PROGRAM ...", NULL};
    hs_error error = {0};
    lab_cluster *lab = NULL;
    hs__launch_rank self = hs__launch_this_rank();
    if (argc < 3)
        return cli_usage(&verb, "launchers start this");
    hs_status status = load_ready(argv[1], &lab, &error);
    int host = status == HS_OK ? host_of_rank(lab, self.rank) : -1;
    if (status == HS_OK && host < 0)
        status = hs_error_set(&error, HS_ERR_STATE, 0, "the launcher did not tell this rank its host");
    if (status == HS_OK)
        status = lab_join(lab, (lab_place){host, core_of_rank(lab, host, &self)}, &error);
    if (status == HS_OK && !lab->network)
        status = lab_enter(lab, host, &error);
    /* A launcher may have handed on its own host's. */
    if (status == HS_OK)
        status = lab_name_place(lab, host, &error);
    lab_free(lab);
    if (status != HS_OK)
        return cli_fail(&verb, NULL, &error);
    const char *preload = getenv(LAB_PRELOAD);
    if (preload)
        setenv("LD_PRELOAD", preload, 1);
    unsetenv(LAB_PRELOAD);
    unsetenv(LAB_PLACES);
    setenv("HS_WAIT", "poll", 0); /* idle.c makes waits sleep, and wakes up sooner */
    /* idle.c needs exact timers for its short sleeps. */
    prctl(PR_SET_TIMERSLACK, 1000ul);
    return replace_process("lab run", argv + 2);
}
