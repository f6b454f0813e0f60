/* SPDX-License-Identifier: BSD-3-Clause */
/* Which launcher there is: each says so when asked for its version. */
#include "config.h"

#include "launch/launch.h"
#include "util/array.h"
#include "util/status.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* For people. */
static const char *name_of(hs__launcher_kind kind)
{
    static const char *const names[] = {[HS__LAUNCHER_ORTE] = "Open MPI's mpirun (ORTE)",
                                        [HS__LAUNCHER_PRRTE] = "Open MPI's mpirun (PRRTE)",
                                        [HS__LAUNCHER_HYDRA] = "MPICH's mpiexec (Hydra)",
                                        [HS__LAUNCHER_SRUN] = "Slurm's srun"};
    return names[kind];
}

/* Whether a kind starts programs of an MPI library, "openmpi" or "mpich". Anything else is taken to fit. */
static int fits(hs__launcher_kind kind, const char *flavour)
{
    int open_mpi = kind == HS__LAUNCHER_ORTE || kind == HS__LAUNCHER_PRRTE;
    return !(open_mpi && strcmp(flavour, "mpich") == 0) &&
           !(kind == HS__LAUNCHER_HYDRA && strcmp(flavour, "openmpi") == 0);
}

/* "mpirun (Open MPI) 4.1.4", "mpiexec (OpenRTE) 4.1.4", "mpirun (Open MPI) 5.0.7", "prterun (PRRTE) 3.0.8",
 * "HYDRA build details:", "slurm-wlm 22.05.8" */
static int read_kind(const char *line, hs__launcher_kind *kind)
{
    const char *version = strstr(line, "(Open MPI)");
    if (version)
        *kind = atoi(version + sizeof "(Open MPI)" - 1) >= 5 ? HS__LAUNCHER_PRRTE : HS__LAUNCHER_ORTE;
    else if (strstr(line, "(OpenRTE)"))
        *kind = HS__LAUNCHER_ORTE;
    else if (strstr(line, "PRRTE"))
        *kind = HS__LAUNCHER_PRRTE;
    else if (strstr(line, "HYDRA"))
        *kind = HS__LAUNCHER_HYDRA;
    else if (strncmp(line, "slurm", 5) == 0)
        *kind = HS__LAUNCHER_SRUN;
    else
        return 0;
    return 1;
}

/* In the child. What is preloaded is meant for ranks. Why the command cannot be started goes to `problem`. */
static _Noreturn void ask(const char *command, int out, int problem)
{
    int nothing = open("/dev/null", O_RDONLY);
    unsetenv("LD_PRELOAD");
    dup2(nothing, STDIN_FILENO);
    dup2(out, STDOUT_FILENO);
    dup2(out, STDERR_FILENO);
    execlp(command, command, "--version", (char *)NULL);
    int why = errno;
    _exit(write(problem, &why, sizeof why) == sizeof why ? 127 : 126);
}

/* @param[out] output   what it writes; NULL: nothing
 * @param[out] problem  errno, where the command cannot be started; else 0 */
static pid_t start(const char *command, FILE **output, int *problem)
{
    int ends[2], why[2];
    *output = NULL;
    *problem = 0;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return -1;
    if (pipe2(why, O_CLOEXEC) != 0) {
        close(ends[0]);
        close(ends[1]);
        return -1;
    }
    pid_t child = fork();
    if (child == 0)
        ask(command, ends[1], why[1]);
    close(ends[1]);
    close(why[1]);
    if (read(why[0], problem, sizeof *problem) != sizeof *problem)
        *problem = 0;
    close(why[0]);
    *output = fdopen(ends[0], "r");
    if (!*output)
        close(ends[0]);
    return child;
}

static int is_launcher(const char *command, hs__launcher_kind *kind, int *problem)
{
    char line[256];
    int known = 0;
    FILE *output;
    pid_t child = start(command, &output, problem);
    while (output && fgets(line, sizeof line, output))
        known = known || read_kind(line, kind);
    if (output)
        fclose(output);
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR)
        ;
    return known;
}

hs_status hs__launcher_find(const char *flavour, const char *asked, hs__launcher *launcher, hs_error *error)
{
    static const char *const usual[] = {"mpirun",          "mpiexec",      "mpirun.openmpi",
                                        "mpiexec.openmpi", "mpirun.mpich", "mpiexec.mpich",
                                        "mpiexec.hydra",   "srun",         NULL};
    int any = !asked || !*asked, known = 0, problem = 0;
    const char *const given[] = {asked, NULL}, *const *candidate = any ? usual : given;
    hs__launcher_kind kind;
    while (*candidate && !((known = is_launcher(*candidate, &kind, &problem)) && (!flavour || fits(kind, flavour))))
        candidate++;
    if (!*candidate && any)
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0,
                            "no mpirun of Open MPI or MPICH and no srun was found (MPIEXEC names one)");
    if (!*candidate && known)
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "%s is %s, which starts no programs of %s", asked,
                            name_of(kind), flavour);
    if (!*candidate && problem)
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0,
                            "cannot start '%s': %s (expected Open MPI's mpirun, MPICH's mpiexec or Slurm's srun, "
                            "without options)",
                            asked, strerror(problem));
    if (!*candidate)
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0,
                            "'%s' --version does not name Open MPI's mpirun, MPICH's mpiexec or Slurm's srun "
                            "(expected one of these programs, without options)",
                            asked);
    char *command = hs__text_copy(*candidate);
    if (!command)
        return hs__error_status(error, HS_ERR_NOMEM);
    *launcher = (hs__launcher){kind, command};
    return HS_OK;
}

void hs__launcher_free(hs__launcher *launcher)
{
    free(launcher->command);
    *launcher = (hs__launcher){0};
}
