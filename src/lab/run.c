/* SPDX-License-Identifier: BSD-3-Clause */
/* Start an MPI program on the lab: its launcher on the first host, the launcher's daemons on the others through a
 * remote-shell agent, each rank under its host's quota. Launcher and daemons run in the control group, so that they
 * take nothing from a host's quota, and use ports that are not shaped. */
#include "config.h"

#include "lab/lab.h"
#include "lab/process.h"
#include "lab/throttle.h"
#include "util/assert.h"
#include "util/options.h"
#include "util/status.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static int slots_of(const lab_job *job)
{
    int slots = 0;
    for (int i = 0; i < job->selected_count; i++)
        slots += job->lab->host[job->selected[i]].cores;
    return slots;
}

static int ranks_of(const lab_job *job)
{
    return job->ranks > 0 ? job->ranks : slots_of(job);
}

/* "a1:1,a2:4": hosts in the order of placement, a slot per core. @return the list, which the caller frees */
static char *list_hosts(const lab_job *job)
{
    lab_script text = {0};
    if (lab_script_open(&text) != 0)
        return NULL;
    for (int i = 0; i < job->selected_count; i++) {
        const lab_host *host = &job->lab->host[job->selected[i]];
        fprintf(text.stream, "%s%s:%d", i ? "," : "", host->name, host->cores);
    }
    if (lab_script_close(&text) != 0)
        lab_script_free(&text);
    return text.text;
}

/* Without network, the launcher sees one host; ranks find their emulated host in a list: one rank per core, starting over at
 * the first host when there are more. */
static int set_places(const lab_job *job)
{
    lab_script text = {0};
    int ranks = ranks_of(job), rank = 0;
    if (lab_script_open(&text) != 0)
        return -1;
    while (rank < ranks)
        for (int i = 0; i < job->selected_count; i++)
            for (int core = 0; core < job->lab->host[job->selected[i]].cores && rank < ranks; core++, rank++)
                fprintf(text.stream, "%s%d", rank ? "," : "", job->selected[i]);
    int failed = lab_script_close(&text) != 0 || setenv(LAB_PLACES, text.text, 1) != 0;
    lab_script_free(&text);
    return failed ? -1 : 0;
}

/* The program as `hs lab rank` starts it. */
static void add_program(hs__words *words, const lab_job *job)
{
    const char *const prefix[] = {job->self, "lab", "rank", job->lab->name};
    for (size_t i = 0; i < sizeof prefix / sizeof *prefix; i++)
        hs__words_add(words, prefix[i]);
    for (char *const *word = job->program; *word; word++)
        hs__words_add(words, *word);
}

/* The launcher listens on every port of the range, so runs at the same time take different ones. */
static void choose_ports(char *text, size_t size)
{
    int port = LAB_CONTROL_PORT + (int)getpid() % LAB_CONTROL_RUNS * LAB_CONTROL_PORTS;
    HS_ASSERT((port & LAB_CONTROL_MASK) == LAB_CONTROL_PORT);
    HS_ASSERT(((port + LAB_CONTROL_PORTS - 1) & LAB_CONTROL_MASK) == LAB_CONTROL_PORT);
    snprintf(text, size, "%d-%d", port, port + LAB_CONTROL_PORTS - 1);
}

/* Ranks of one host talk over its loopback device, where waiting can sleep as well (idle.c). */
static hs_status build_command(const lab_job *job, hs__command *command, hs_error *error)
{
    char agent[LAB_PATH], scratch[LAB_PATH], ports[32];
    hs__words program = {0};
    HS_ASSERT(ranks_of(job) > 0);
    char *hosts = list_hosts(job);
    add_program(&program, job);
    choose_ports(ports, sizeof ports);
    hs__launch launch = {.ranks = ranks_of(job),
                         .sequence = job->sequence,
                         .network = "lo",
                         .scratch = lab_file(job->lab->name, "tmp", scratch),
                         .oversubscribe = 1,
                         .unbound = 1,
                         .as_root = 1,
                         .yield = 1,
                         .variables = job->variables,
                         .options = job->options,
                         .program = program.item};
    if (job->lab->network) {
        launch.hosts = job->sequence || hs__launch_brings_hosts(job->options) ? NULL : hosts;
        launch.agent = lab_file(job->lab->name, LAB_AGENT, agent);
        launch.network = LAB_SUBNET;
        launch.ports = ports;
    }
    hs_status status = hosts && !program.failed ? hs__launch_command(job->launcher, &launch, command, error)
                                                : hs__error_status(error, HS_ERR_NOMEM);
    free(hosts);
    hs__words_free(&program);
    return status;
}

/* The agent is a link to hs, since some launchers take one word for it. Its path tells the lab. */
static hs_status make_agent(const lab_job *job, hs_error *error)
{
    char path[LAB_PATH], fresh[LAB_PATH + 32];
    lab_file(job->lab->name, LAB_AGENT, path);
    snprintf(fresh, sizeof fresh, "%s.%ld", path, (long)getpid());
    unlink(fresh);
    if (symlink(job->self, fresh) == 0 && rename(fresh, path) == 0)
        return HS_OK;
    hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot make %s: %s", path, strerror(errno));
    unlink(fresh);
    return HS_ERR_SYSTEM;
}

static void set_preload(const lab_job *job)
{
    char list[2 * LAB_PATH];
    const char *users = hs__options_environment("LD_PRELOAD");
    if (users && !*users)
        users = NULL;
    int both = job->preload && users;
    snprintf(list, sizeof list, "%s%s%s", job->preload ? job->preload : "", both ? ":" : "", users ? users : "");
    if (list[0])
        setenv(LAB_PRELOAD, list, 1);
    if (job->preload)
        setenv("LD_PRELOAD", job->preload, 1);
    else
        unsetenv("LD_PRELOAD");
}

/* In the child: become the launcher on the first host. It ends when hs ends. */
static void become_launcher(const lab_job *job, const hs__command *command, const char *mark)
{
    hs_error error;
    char ranks[16];
    set_preload(job);
    snprintf(ranks, sizeof ranks, "%d", ranks_of(job));
    setenv("HS_RANKS", ranks, 1); /* one command starts them all: what one preloads, all do */
    setenv(LAB_RUN, mark, 1);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    hs_status status = HS_OK;
    if (!job->lab->network && set_places(job) != 0)
        status = hs__error_status(&error, HS_ERR_NOMEM);
    if (status == HS_OK && job->lab->network)
        status = lab_join(job->lab, (lab_place){LAB_CONTROL, -1}, &error);
    if (status == HS_OK && job->lab->network)
        status = lab_enter(job->lab, job->selected[0], &error);
    if (status != HS_OK) {
        fprintf(stderr, "hs lab run: %s\n", error.text);
        _exit(1);
    }
    hs__command_execute(command);
    fprintf(stderr, "hs lab run: cannot start %s: %s\n", command->words.item[0], strerror(errno));
    _exit(127);
}

hs_status lab_run(const lab_job *job, int *exit_status, hs_error *error)
{
    char path[LAB_PATH], mark[64], marked[128];
    hs__command command = {0};
    hs_status status = lab_throttle_check(job->lab, error);
    if (status != HS_OK)
        return status;
    status = build_command(job, &command, error);
    if (status == HS_OK)
        status = make_agent(job, error);
    if (status != HS_OK)
        goto out;
    mkdir(lab_file(job->lab->name, "tmp", path), 0700);
    snprintf(mark, sizeof mark, "%ld", (long)getpid());
    pid_t child = fork();
    if (child == 0)
        become_launcher(job, &command, mark);
    if (child < 0) {
        status = hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot start a process: %s", strerror(errno));
        goto out;
    }
    *exit_status = lab_supervise(child, child);
    snprintf(marked, sizeof marked, LAB_RUN "=%s", mark);
    if (job->lab->network)
        lab_cpu_kill_marked(job->lab->name, marked);
    else
        lab_throttle_kill_marked(job->lab->name, marked);
out:
    hs__command_free(&command);
    return status;
}
