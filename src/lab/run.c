/* SPDX-License-Identifier: BSD-3-Clause */
/* Start an MPI program on the lab: Open MPI's mpirun on the first host, its daemons on the others through a
 * remote-shell agent, each rank under its host's quota. mpirun and the daemons run in the control group, so that they
 * take nothing from a host's quota, and use ports that are not shaped. */
#include "config.h"

#include "lab/lab.h"
#include "lab/process.h"
#include "lab/throttle.h"
#include "util/options.h"
#include "util/words.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void add_parameter(hs__words *list, const char *name, const char *value)
{
    hs__words_add(list, "--mca");
    hs__words_add(list, name);
    hs__words_add(list, value);
}

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

/* Add "--host a1:1,a2:4": hosts in the order of placement, a slot per core. */
static void add_hosts(hs__words *list, const lab_job *job)
{
    lab_script text = {0};
    if (lab_script_open(&text) != 0) {
        list->failed = 1;
        return;
    }
    for (int i = 0; i < job->selected_count; i++) {
        const lab_host *host = &job->lab->host[job->selected[i]];
        fprintf(text.stream, "%s%s:%d", i ? "," : "", host->name, host->cores);
    }
    list->failed |= lab_script_close(&text) != 0;
    hs__words_add(list, "--host");
    if (!list->failed)
        hs__words_add(list, text.text);
    lab_script_free(&text);
}

/* Without network, mpirun sees one host; ranks find their emulated host in a list: one rank per core, starting over at
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

/* How mpirun reaches the hosts, by which addresses and ports. */
static void add_network(hs__words *list, const lab_job *job)
{
    char text[LAB_PATH + 64];
    snprintf(text, sizeof text, "%s lab agent %s", job->self, job->lab->name);
    add_parameter(list, "plm", "rsh");
    add_parameter(list, "plm_rsh_agent", text);
    add_parameter(list, "plm_rsh_no_tree_spawn", "1");
    add_parameter(list, "orte_keep_fqdn_hostnames", "1");
    add_parameter(list, "orte_leave_session_attached", "1");
    /* mpirun listens on every port of its range, so concurrent runs need different ranges. */
    int port = LAB_CONTROL_PORT + (int)getpid() % LAB_CONTROL_RUNS * LAB_CONTROL_PORTS;
    snprintf(text, sizeof text, "%d-%d", port, port + LAB_CONTROL_PORTS - 1);
    add_parameter(list, "oob_tcp_dynamic_ipv4_ports", text);
    add_parameter(list, "oob_tcp_if_include", LAB_SUBNET);
    add_parameter(list, "btl_tcp_if_include", LAB_SUBNET);
}

static void add_parameters(hs__words *list, const lab_job *job)
{
    char path[LAB_PATH];
    size_t used = strlen(lab_directory(job->lab->name, path));
    snprintf(path + used, sizeof path - used, "/tmp");
    if (job->lab->network) {
        add_network(list, job);
    } else {
        add_parameter(list, "oob_tcp_if_include", "lo");
        add_parameter(list, "btl_tcp_if_include", "lo");
    }
    add_parameter(list, "orte_tmpdir_base", path);
    add_parameter(list, "pml", "ob1");
    add_parameter(list, "btl", "self,tcp");
    /* Required by idle.c. Ranks of one host communicate over its loopback device, so they can sleep too. */
    add_parameter(list, "mpi_yield_when_idle", "1");
    add_parameter(list, "opal_event_include", "epoll");
}

/* Whether the caller gives a list of hosts, which replaces ours. */
static int has_hostfile(const lab_job *job)
{
    int found = 0;
    for (int i = 0; i < job->option_count; i++)
        found |= strcmp(job->options[i], "--hostfile") == 0;
    return found;
}

static hs_status build_command(const lab_job *job, const char *mpiexec, hs__words *list, hs_error *error)
{
    char text[32];
    hs__words_add(list, mpiexec);
    hs__words_add(list, "--allow-run-as-root");
    hs__words_add(list, "--oversubscribe");
    hs__words_add(list, "--bind-to");
    hs__words_add(list, "none");
    add_parameters(list, job);
    if (job->lab->network && !has_hostfile(job))
        add_hosts(list, job);
    snprintf(text, sizeof text, "%d", ranks_of(job));
    hs__words_add(list, "-np");
    hs__words_add(list, text);
    for (int i = 0; i < job->option_count; i++)
        hs__words_add(list, job->options[i]);
    hs__words_add(list, job->self);
    hs__words_add(list, "lab");
    hs__words_add(list, "rank");
    hs__words_add(list, job->lab->name);
    for (char *const *word = job->program; *word; word++)
        hs__words_add(list, *word);
    return list->failed ? hs_error_set(error, HS_ERR_NOMEM, 0, "out of memory") : HS_OK;
}

/* Whether the command is Open MPI's mpirun, the only one whose agent and parameters are known here. */
static int is_open_mpi(const char *mpiexec)
{
    char line[128] = "";
    int ends[2];
    if (pipe(ends) != 0)
        return 0;
    pid_t child = fork();
    if (child == 0) {
        unsetenv("LD_PRELOAD");
        dup2(ends[1], STDOUT_FILENO);
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        close(ends[1]);
        execlp(mpiexec, mpiexec, "--version", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    FILE *output = fdopen(ends[0], "r");
    int found = 0;
    while (output && fgets(line, sizeof line, output))
        found |= strstr(line, "Open MPI") || strstr(line, "OpenRTE");
    if (output)
        fclose(output);
    if (child > 0)
        lab_wait_child(child);
    return found;
}

static const char *find_mpiexec(const char *asked)
{
    static const char *const candidates[] = {"mpirun", "mpirun.openmpi", "mpiexec.openmpi"};
    if (asked)
        return is_open_mpi(asked) ? asked : NULL;
    for (size_t i = 0; i < sizeof candidates / sizeof *candidates; i++)
        if (is_open_mpi(candidates[i]))
            return candidates[i];
    return NULL;
}

/* Give the user's LD_PRELOAD to the ranks only, after our own library. */
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

/* In the child: become mpirun on the first host. It ends when hs ends. */
static void become_mpirun(const lab_job *job, char **command, const char *mark)
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
        status = hs_error_set(&error, HS_ERR_NOMEM, 0, "out of memory");
    if (status == HS_OK && job->lab->network)
        status = lab_join(job->lab, (lab_place){LAB_CONTROL, -1}, &error);
    if (status == HS_OK && job->lab->network)
        status = lab_enter(job->lab, job->selected[0], &error);
    if (status != HS_OK) {
        fprintf(stderr, "hs lab run: %s\n", error.text);
        _exit(1);
    }
    execvp(command[0], command);
    fprintf(stderr, "hs lab run: cannot start %s: %s\n", command[0], strerror(errno));
    _exit(127);
}

hs_status lab_run(const lab_job *job, int *exit_status, hs_error *error)
{
    char path[LAB_PATH], mark[64], marked[128];
    hs__words command = {0};
    if (job->lab->throttled && !lab_throttle_alive(job->lab->name))
        return hs_error_set(error, HS_ERR_STATE, 0, "the lab's throttler has ended; make the lab again");
    const char *mpiexec = find_mpiexec(job->mpiexec);
    if (!mpiexec)
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0,
                            "%s is not Open MPI's mpirun, which a lab needs (package openmpi-bin; MPIEXEC names it)",
                            job->mpiexec ? job->mpiexec : "mpirun");
    if (strpbrk(job->self, " :"))
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "%s: mpirun cannot start a path with blanks or colons",
                            job->self);
    hs_status status = build_command(job, mpiexec, &command, error);
    if (status != HS_OK)
        goto out;
    size_t used = strlen(lab_directory(job->lab->name, path));
    snprintf(path + used, sizeof path - used, "/tmp");
    mkdir(path, 0700);
    snprintf(mark, sizeof mark, "%ld", (long)getpid());
    pid_t child = fork();
    if (child == 0)
        become_mpirun(job, command.item, mark);
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
    hs__words_free(&command);
    return status;
}
