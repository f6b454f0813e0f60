/* SPDX-License-Identifier: BSD-3-Clause */
/* Start the ranks of a plan by whatever launcher there is. It gets a file with the hosts of all ranks. This sets the number
 * of ranks of each host and their order, and does not change binding. */
#include "config.h"

#include "cli/start/lab_run.h"
#include "cli/start/program_mpi.h"
#include "cli/start/run.h"
#include "lab/process.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/mpi_flavour.h"
#include "util/options.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static const char assignment[] = "LD_PRELOAD=";
enum { ASSIGNMENT = sizeof assignment - 1 };

/* Find our library for an MPI library. @return whether it exists */
static int find_library(const char *mpi, char *path, size_t size)
{
    char name[64];
    int suffix = strcmp(mpi, HS_MPI_FLAVOUR) != 0;
    snprintf(name, sizeof name, ".libs/libheteroslice-preload%s%s.so", suffix ? "-" : "", suffix ? mpi : "");
    return cli_find_library(name, path, size);
}

/* The MPI library of ranks that do not tell: the launcher's, else that of this hs. */
static const char *guess_mpi(hs__launcher_kind kind)
{
    static const char *const theirs[] = {[HS__LAUNCHER_ORTE] = "openmpi",
                                         [HS__LAUNCHER_PRRTE] = "openmpi",
                                         [HS__LAUNCHER_HYDRA] = "mpich",
                                         [HS__LAUNCHER_SRUN] = NULL};
    return theirs[kind] && hs__mpi_of_name(HS_MPI_FLAVOUR) != HS__MPI_NONE ? theirs[kind] : HS_MPI_FLAVOUR;
}

/* "LD_PRELOAD=LIST", our library before the user's. The caller frees it; NULL without memory. */
static char *preload_list(const char *library, const char *users)
{
    char *list = NULL;
    size_t size;
    if (!users)
        users = hs__options_environment("LD_PRELOAD");
    FILE *stream = open_memstream(&list, &size);
    if (stream) {
        fprintf(stream, "%s%s%s%s", assignment, library, users && *users ? ":" : "", users ? users : "");
        fclose(stream);
    }
    return list;
}

/* Make a file for the launcher. TMPDIR, where /tmp cannot be written, comes second: launchers cut the path of an agent at blanks.
 * @param[out] path  RUN_PATH bytes. @return its descriptor; -1 with errno */
static int make_temporary(const char *name, char *path)
{
    const char *second = run_variable("TMPDIR");
    int descriptor = run_temporary("/tmp", name, path);
    return descriptor < 0 && second ? run_temporary(second, name, path) : descriptor;
}

/* Close a file made for the launcher, which is removed when it could not be written whole.
 * @param[in] file  NULL: it could not be opened, for the reason in errno
 * @return its path, owned by the caller; NULL after one line on stderr */
static char *finish(const cli_verb *verb, const char *name, int descriptor, FILE *file)
{
    int whole = file && !ferror(file);
    char *path = file && fclose(file) == 0 && whole ? realpath(name, NULL) : NULL;
    if (path)
        return path;
    cli_bad_value(verb, "cannot write %s: %s", name, strerror(errno));
    if (descriptor >= 0)
        unlink(name);
    return NULL;
}

/* Write a file with every rank's host. @return its path, owned by the caller; NULL after one line on stderr */
static char *write_hosts(const cli_verb *verb, const hs__hosts *hosts, const int64_t *count, const int *order, int used,
                         hs__launcher_kind kind, int keep)
{
    char name[RUN_PATH] = "hs-run-XXXXXX";
    int descriptor = keep ? mkstemp(name) : make_temporary("hs-run", name);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    for (int k = 0; file && k < used; k++) {
        const hs__launch_host host = {hosts->item[order[k]].name, count[order[k]]};
        hs__launch_write_hosts(kind, &host, 1, file);
    }
    return finish(verb, name, descriptor, file);
}

static int is_shared(const hs__hosts *hosts, const int64_t *count, int64_t threads)
{
    int shared = 0;
    for (size_t i = 0; i < hosts->count; i++)
        shared |= count[i] > hosts->item[i].slots / threads;
    return shared;
}

/* The cores that every rank uses, which OpenMP is told unless the user has told it. */
static int64_t set_threads(const cli_verb *verb, const hs__hosts *hosts)
{
    char text[32];
    int64_t threads = hosts->item[0].threads, differ = 0;
    for (size_t i = 1; i < hosts->count; i++) {
        differ |= hosts->item[i].threads != threads;
        threads = hosts->item[i].threads > threads ? hosts->item[i].threads : threads;
    }
    snprintf(text, sizeof text, "%lld", (long long)threads);
    if (run_variable("OMP_NUM_THREADS"))
        return threads;
    if (threads > 1 && !differ)
        setenv("OMP_NUM_THREADS", text, 1);
    if (differ)
        fprintf(stderr, "hs %s: components differ in --cpus-per-task: OMP_NUM_THREADS is not set\n", verb->name);
    return threads;
}

/* Launchers know only one component of a heterogeneous Slurm job. They reach the others by a script of ours.
 * @return its path, owned by the caller; NULL after one line on stderr */
static char *write_agent(const cli_verb *verb, const hs__hosts *hosts)
{
    char name[RUN_PATH];
    int descriptor = make_temporary("hs-agent", name), failed = descriptor < 0 || fchmod(descriptor, 0700) != 0;
    FILE *file = failed ? NULL : fdopen(descriptor, "w");
    if (file)
        hs__slurm_write_agent(hosts, file);
    return finish(verb, name, descriptor, file);
}

/* Our environment variables that are set. */
static void add_variables(hs__words *list)
{
    size_t n;
    const hs__option_row *rows = hs__option_rows(&n);
    for (size_t i = 0; i < n; i++)
        if (hs__options_environment(rows[i].environment))
            hs__words_add(list, rows[i].environment);
}

/* In the child: run the job on the lab or become the launcher. */
static _Noreturn void become(const cli_verb *verb, const char *lab, const hs__launcher *launcher,
                             const hs__launch *launch, char *preload)
{
    hs__command command = {0};
    hs_error error = {0};
    if (lab) {
        lab_job job = {.ranks = (int)launch->ranks,
                       .launcher = launcher,
                       .sequence = launch->sequence,
                       .variables = launch->variables,
                       .options = launch->options,
                       .program = launch->program};
        if (preload) /* the lab gives its own LD_PRELOAD to the ranks */
            putenv(preload);
        _exit(cli_lab_start(verb, lab, NULL, &job));
    }
    if (hs__launch_command(launcher, launch, &command, &error) != HS_OK)
        _exit(cli_fail(verb, NULL, &error));
    hs__command_execute(&command);
    _exit(cli_cannot_start(verb->name, launcher->command));
}

static int start(const cli_verb *verb, const char *lab, const hs__launcher *launcher, const hs__launch *launch,
                 char *preload, int measures)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (measures) /* what others can write is not used again */
            umask(umask(0) | S_IWGRP | S_IWOTH);
        int null_device = measures ? open("/dev/null", O_RDWR) : -1;
        if (null_device >= 0) {
            dup2(null_device, STDIN_FILENO);
            dup2(null_device, STDOUT_FILENO);
        }
        become(verb, lab, launcher, launch, preload);
    }
    if (child > 0)
        return lab_supervise(child, child);
    return cli_bad_value(verb, "cannot start a process: %s", strerror(errno));
}

/* Ranks of this hs measure, so they need a launcher of its own MPI library; one that is meant for the program may be of
 * another: that of a script, of which nothing is known, is taken where it fits. */
static hs_status find_launcher(const run_request *request, int measures, hs__launcher *launcher, hs_error *error)
{
    int other = measures && (!request->mpi || strcmp(request->mpi, HS_MPI_FLAVOUR) != 0);
    const char *asked = other && request->mpi ? NULL : hs__options_environment("MPIEXEC");
    hs_status status = hs__launcher_find(other ? HS_MPI_FLAVOUR : request->launched, asked, launcher, error);
    if (status == HS_ERR_UNSUPPORTED && other && asked)
        status = hs__launcher_find(HS_MPI_FLAVOUR, NULL, launcher, error);
    return status;
}

/* Hand our variables on and start. @return the launcher's exit status; CLI_BAD_INPUT after one line on stderr */
static int launch_ranks(const cli_verb *verb, const char *lab, const hs__launcher *launcher, const hs__launch *launch,
                        char *preload, int measures)
{
    char ranks[32];
    hs__words variables = {0};
    snprintf(ranks, sizeof ranks, "%lld", (long long)launch->ranks);
    if (preload)
        setenv("HS_RANKS", ranks, 1); /* all of them have it */
    if (preload)
        setenv("HS_PARTITION", "on", 0);
    if (preload && !lab)
        hs__words_add(&variables, preload);
    add_variables(&variables);
    if (launch->cores_per_rank > 1 && run_variable("OMP_NUM_THREADS"))
        hs__words_add(&variables, "OMP_NUM_THREADS");
    hs__launch all = *launch;
    all.variables = &variables;
    int code = variables.failed || launch->options->failed ? cli_bad_value(verb, "out of memory")
                                                           : start(verb, lab, launcher, &all, preload, measures);
    hs__words_free(&variables);
    return code;
}

/* The list of libraries to preload, which the caller frees. NULL: a measurement, or ours is not installed. The user's
 * own settings of LD_PRELOAD move from the options into it. */
static char *choose_preload(const cli_verb *verb, const char *mpi, const char *platform, char *options,
                            hs__words *users)
{
    char library[RUN_PATH + 64];
    const char *users_preload = NULL;
    int preloaded = platform && find_library(mpi, library, sizeof library); /* a measurement is not monitored */
    hs__launch_split(options, "LD_PRELOAD", users, preloaded ? &users_preload : NULL);
    char *preload = preloaded ? preload_list(library, users_preload) : NULL;
    if (platform && !preload)
        fprintf(stderr, "hs %s: the preload library for %s is not installed: ranks are placed but not monitored\n",
                verb->name, mpi);
    return preload;
}

static int is_set(const char *name)
{
    const char *value = run_variable(name);
    return value && value[0] == '1';
}

/* Open MPI refuses to start programs of root, and advises an option of its own command, which hs run writes. */
static int check_root(const cli_verb *verb, const run_request *request, const hs__launcher *launcher)
{
    int prrte = launcher->kind == HS__LAUNCHER_PRRTE, refuses = prrte || launcher->kind == HS__LAUNCHER_ORTE;
    int allowed = (is_set("OMPI_ALLOW_RUN_AS_ROOT") && is_set("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM")) ||
                  (prrte && is_set("PRTE_ALLOW_RUN_AS_ROOT") && is_set("PRTE_ALLOW_RUN_AS_ROOT_CONFIRM")) ||
                  (request->mpirun && strstr(request->mpirun, "--allow-run-as-root"));
    if (geteuid() != 0 || !refuses || allowed || request->lab)
        return CLI_OK;
    return cli_bad_value(verb, "Open MPI does not start programs of root: run as another user, or set "
                               "OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 in the environment");
}

int run_find_launcher(const cli_verb *verb, const run_request *request, int measures, hs__launcher *launcher)
{
    hs_error error = {0};
    if (find_launcher(request, measures, launcher, &error) != HS_OK)
        return cli_fail(verb, NULL, &error);
    return check_root(verb, request, launcher);
}

int run_launch(const cli_verb *verb, const run_request *request, const hs__hosts *hosts, const int64_t *count,
               const int *order, int used, const char *platform, char **program)
{
    hs__words users = {0};
    hs__launcher measures = {0};
    const hs__launcher *launcher = platform ? &request->launcher : &measures;
    char *options = hs__text_copy(request->mpirun ? request->mpirun : ""), *preload = NULL, *file = NULL, *agent = NULL;
    int64_t threads = platform ? set_threads(verb, hosts) : 1; /* a measurement has a rank for every core */
    int keep = request->keep && platform, shared = is_shared(hosts, count, threads), code = CLI_BAD_INPUT;
    if (!options) {
        cli_bad_value(verb, "out of memory");
        goto out;
    }
    if (!platform && run_find_launcher(verb, request, 1, &measures) != CLI_OK)
        goto out;
    if (platform)
        setenv("HS_PLATFORM", platform, 1);
    preload = choose_preload(verb, request->mpi ? request->mpi : guess_mpi(launcher->kind), platform, options, &users);
    if (hosts->components > 1 && !(agent = write_agent(verb, hosts)))
        goto out;
    file = write_hosts(verb, hosts, count, order, used, launcher->kind, keep);
    if (!file)
        goto out;
    /* The sequential mapper does not tell ranks that they share cores, so they would spin in MPI_Init. */
    hs__launch launch = {.sequence = file,
                         .agent = agent,
                         .cores_per_rank = threads,
                         .oversubscribe = 1,
                         .unbound = shared,
                         .yield = shared,
                         .options = &users,
                         .program = program};
    for (int k = 0; k < used; k++)
        launch.ranks += count[order[k]];
    HS_ASSERT(launch.ranks > 0);
    code = launch_ranks(verb, request->lab, launcher, &launch, preload, !platform);
    if (keep)
        fprintf(stderr, "hs %s: wrote the host of every rank to %s\n", verb->name, file);
out:
    free(agent);
    free(file);
    free(preload);
    free(options);
    hs__words_free(&users);
    hs__launcher_free(&measures);
    return code;
}
