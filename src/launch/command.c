/* SPDX-License-Identifier: BSD-3-Clause */
/* One job in the words of each launcher. */
#include "config.h"

#include "launch/launch.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/options.h"
#include "util/status.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Add words up to NULL. */
static void add(hs__words *words, ...)
{
    va_list list;
    va_start(list, words);
    for (const char *word; (word = va_arg(list, const char *));)
        hs__words_add(words, word);
    va_end(list);
}

static void add_all(hs__words *words, const hs__words *more)
{
    for (size_t i = 0; more && i < more->count; i++)
        hs__words_add(words, more->item[i]);
}

static void set(hs__command *command, const char *name, const char *value)
{
    size_t room = strlen(name) + strlen(value) + 2;
    char *text = hs__array_new(room, 1);
    if (text) {
        snprintf(text, room, "%s=%s", name, value);
        hs__words_add(&command->environment, text);
    } else {
        command->environment.failed = 1;
    }
    free(text);
}

/* Of Open MPI; what the user set stays. */
static void set_yield(const hs__launch *job, hs__command *command)
{
    static const char name[] = "OMPI_MCA_mpi_yield_when_idle";
    if (job->yield && !hs__options_environment(name))
        set(command, name, "1");
}

static int has_several_programs(const hs__launch *job)
{
    for (char *const *word = job->program; *word; word++)
        if (strcmp(*word, ":") == 0)
            return 1;
    return 0;
}

/* The sequential mapping of Open MPI, and the hosts of MPICH, would bind a rank of many threads to one core. */
static int is_unbound(const hs__launch *job)
{
    return job->unbound || job->cores_per_rank > 1;
}

/* ---- Open MPI ---- */

static void add_parameter(hs__words *words, const char *name, const char *value)
{
    add(words, "--mca", name, value, NULL);
}

static void open_mpi_hosts(const hs__launch *job, hs__words *words)
{
    char slots[64];
    snprintf(slots, sizeof slots, "localhost:%d", job->slots);
    if (job->slots > 0)
        add(words, "--host", slots, NULL);
    if (job->hosts)
        add(words, "--host", job->hosts, NULL);
    if (job->sequence)
        add(words, "--hostfile", job->sequence, NULL);
}

/* What ranks of Open MPI read, whichever launcher starts them. */
static void open_mpi_ranks(const hs__launch *job, hs__command *command)
{
    hs__words *words = &command->words;
    if (job->network) {
        add_parameter(words, "pml", "ob1");
        add_parameter(words, "btl", "self,tcp");
        add_parameter(words, "btl_tcp_if_include", job->network);
    }
    set_yield(job, command);
    for (size_t i = 0; job->variables && i < job->variables->count; i++)
        add(words, "-x", job->variables->item[i], NULL);
}

static void orte_network(const hs__launch *job, hs__words *words)
{
    if (job->agent) { /* it is in charge, not Slurm, whose allocation mpirun would read otherwise */
        add_parameter(words, "ras", "^slurm");
        add_parameter(words, "plm", "rsh");
        add_parameter(words, "plm_rsh_agent", job->agent);
        add_parameter(words, "plm_rsh_no_tree_spawn", "1");
        add_parameter(words, "orte_keep_fqdn_hostnames", "1");
        add_parameter(words, "orte_leave_session_attached", "1");
    }
    if (job->network) {
        add_parameter(words, "oob_tcp_if_include", job->network);
        add_parameter(words, "opal_event_include", "epoll");
    }
    if (job->ports)
        add_parameter(words, "oob_tcp_dynamic_ipv4_ports", job->ports);
    if (job->scratch)
        add_parameter(words, "orte_tmpdir_base", job->scratch);
}

static void orte(const hs__launch *job, hs__command *command)
{
    hs__words *words = &command->words;
    if (job->as_root)
        add(words, "--allow-run-as-root", NULL);
    if (job->oversubscribe)
        add(words, "--oversubscribe", NULL);
    if (is_unbound(job))
        add(words, "--bind-to", "none", NULL);
    if (job->sequence)
        add(words, "--map-by", "seq", NULL);
    orte_network(job, words);
    open_mpi_hosts(job, words);
    open_mpi_ranks(job, command);
}

static void add_prrte_parameter(hs__words *words, const char *name, const char *value)
{
    add(words, "--prtemca", name, value, NULL);
}

static void prrte_network(const hs__launch *job, hs__command *command)
{
    hs__words *words = &command->words;
    if (job->agent) {
        add_prrte_parameter(words, "ras", "^slurm");
        add_prrte_parameter(words, "plm", "ssh");
        add_prrte_parameter(words, "plm_ssh_agent", job->agent);
        add_prrte_parameter(words, "plm_ssh_no_tree_spawn", "1");
        add_prrte_parameter(words, "prte_keep_fqdn_hostnames", "1");
        add_prrte_parameter(words, "prte_leave_session_attached", "1");
    }
    if (job->network) {
        add_prrte_parameter(words, "prte_if_include", job->network);
        set(command, "PMIX_MCA_ptl_base_if_include", job->network);
    }
    if (job->ports)
        add_prrte_parameter(words, "oob_tcp_dynamic_ipv4_ports", job->ports);
    if (job->scratch)
        add_prrte_parameter(words, "prte_tmpdir_base", job->scratch);
}

static void prrte(const hs__launch *job, hs__command *command)
{
    hs__words *words = &command->words;
    if (job->as_root)
        add(words, "--allow-run-as-root", NULL);
    if (job->sequence)
        add(words, "--map-by", job->oversubscribe ? "seq:OVERSUBSCRIBE" : "seq", NULL);
    else if (job->oversubscribe) /* --map-by may be given only once: by the user */
        add_prrte_parameter(words, "rmaps_default_mapping_policy", ":oversubscribe");
    if (is_unbound(job))
        add(words, "--bind-to", "none", NULL);
    /* Its PMIx 5.0.7 crashes when it tells ranks of several programs Open MPI's variables. */
    if (has_several_programs(job))
        set(command, "PMIX_MCA_pmdl", "^ompi");
    prrte_network(job, command);
    open_mpi_hosts(job, words);
    open_mpi_ranks(job, command);
}

/* ---- MPICH ---- */

static void hydra_variable(const char *variable, hs__words *words)
{
    const char *value = strchr(variable, '=');
    char name[256];
    if (!value) /* all are handed on */
        return;
    snprintf(name, sizeof name, "%.*s", (int)(value - variable), variable);
    add(words, "-genv", name, value + 1, NULL);
}

static void hydra_network(const hs__launch *job, hs__command *command)
{
    char ports[64];
    if (job->agent)
        add(&command->words, "-launcher", "ssh", "-launcher-exec", job->agent, NULL);
    if (job->network) {
        set(command, "MPIR_CVAR_NOLOCAL", "1");
        set(command, "UCX_TLS", "tcp,self");
        set(command, "FI_PROVIDER", "tcp");
    }
    if (job->ports) {
        snprintf(ports, sizeof ports, "%s", job->ports);
        ports[strcspn(ports, "-")] = ':';
        set(command, "MPIEXEC_PORT_RANGE", ports);
    }
}

static void hydra(const hs__launch *job, hs__command *command)
{
    hs__words *words = &command->words;
    if (is_unbound(job))
        add(words, "-bind-to", "none", NULL);
    hydra_network(job, command);
    if (job->hosts)
        add(words, "-hosts", job->hosts, NULL);
    if (job->sequence)
        add(words, "-f", job->sequence, NULL);
    for (size_t i = 0; job->variables && i < job->variables->count; i++)
        hydra_variable(job->variables->item[i], words);
}

/* ---- Slurm ---- */

static void srun(const hs__launch *job, hs__command *command)
{
    hs__words *words = &command->words;
    char cores[32];
    snprintf(cores, sizeof cores, "--cpus-per-task=%lld", (long long)job->cores_per_rank);
    if (job->oversubscribe)
        add(words, "--overcommit", NULL);
    if (job->cores_per_rank > 1) /* since Slurm 22.05 steps do not take it over from their job */
        add(words, cores, NULL);
    if (job->unbound)
        add(words, "--cpu-bind=none", NULL);
    if (job->sequence) {
        add(words, "--distribution=arbitrary", NULL);
        set(command, "SLURM_HOSTFILE", job->sequence);
    }
    set_yield(job, command);
    /* srun hands its whole environment on, but for a job of "sbatch --export=NONE", which has set this. */
    if (job->variables && hs__options_environment("SLURM_EXPORT_ENV"))
        set(command, "SLURM_EXPORT_ENV", "ALL");
    for (size_t i = 0; job->variables && i < job->variables->count; i++)
        if (strchr(job->variables->item[i], '='))
            hs__words_add(&command->environment, job->variables->item[i]);
}

/* ---- All ---- */

static hs_status check(const hs__launcher *launcher, const hs__launch *job, hs_error *error)
{
    if (launcher->kind != HS__LAUNCHER_SRUN)
        return HS_OK;
    if (job->agent || job->network || job->hosts)
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0,
                            "srun reaches hosts by Slurm's daemons alone: mpirun of Open MPI or MPICH is needed here "
                            "(MPIEXEC names one)");
    if (has_several_programs(job))
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "srun starts one program; several need its --multi-prog");
    return HS_OK;
}

/* Whether a command ends with the program and its arguments, and nothing stands after them. */
static int ends_with(const hs__words *words, char *const *program)
{
    size_t n = 0;
    while (program[n])
        n++;
    for (size_t k = 0; k < n; k++)
        if (n > words->count || strcmp(words->item[words->count - n + k], program[k]) != 0)
            return 0;
    return 1;
}

hs_status hs__launch_command(const hs__launcher *launcher, const hs__launch *job, hs__command *command, hs_error *error)
{
    static void (*const say[])(const hs__launch *, hs__command *) = {[HS__LAUNCHER_ORTE] = orte,
                                                                     [HS__LAUNCHER_PRRTE] = prrte,
                                                                     [HS__LAUNCHER_HYDRA] = hydra,
                                                                     [HS__LAUNCHER_SRUN] = srun};
    char ranks[32];
    HS_ASSERT((job->slots > 0) + (job->hosts != NULL) + (job->sequence != NULL) <= 1);
    hs_status status = check(launcher, job, error);
    if (status != HS_OK)
        return status;
    hs__words_add(&command->words, launcher->command);
    say[launcher->kind](job, command);
    add_all(&command->words, job->options);
    if (job->ranks > 0) {
        snprintf(ranks, sizeof ranks, "%lld", (long long)job->ranks);
        add(&command->words, "-n", ranks, NULL);
    }
    for (char *const *word = job->program; *word; word++)
        hs__words_add(&command->words, *word);
    HS_ASSERT(command->words.failed || ends_with(&command->words, job->program));
    return command->words.failed || command->environment.failed ? hs__error_status(error, HS_ERR_NOMEM) : HS_OK;
}

void hs__command_free(hs__command *command)
{
    hs__words_free(&command->words);
    hs__words_free(&command->environment);
    *command = (hs__command){0};
}

void hs__command_execute(const hs__command *command)
{
    for (size_t i = 0; i < command->environment.count; i++)
        putenv(command->environment.item[i]);
    execvp(command->words.item[0], command->words.item);
}
