/* SPDX-License-Identifier: BSD-3-Clause */
/* Starts a test's program, ends it after a time, and leaves none of its processes behind: not those that a launcher
 * forgot, nor those of daemons with sessions of their own. As their subreaper it becomes the parent of all orphans.
 *
 *   start [-t SECONDS] [WORD ...] -n RANKS PROGRAM ... [: -n RANKS PROGRAM ...]
 *                                            an MPI program, by the launcher MPIEXEC names, which also gets the WORDs
 *   start [-t SECONDS] --measured ...        the same for measurements: ranks are bound and poll as the launcher has it
 *   start [-t SECONDS] --preload LIBRARY ... the same with LD_PRELOAD=LIBRARY, from the launcher on
 *   start --which                            prints which launcher that is
 *   start [-t SECONDS] --plain COMMAND ...   a whole test: processes left behind are a failure
 *
 * SECONDS is HS_TEST_TIMEOUT when not given, else 300; 0 is for ever. The exit status is the program's, 124 after that
 * time. */
#include "config.h"

#include "launch/launch.h"
#include "util/path.h"
#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { TIMED_OUT = 124, CANNOT_START = 127 };
/* Seconds for orphans of ranks to end by themselves; of a whole test, where one that is left is a failure; and for a
 * launcher told to end. */
static const double grace = 2, long_grace = 15, patience = 10;
static const double for_ever = 1e9;

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

/* The signals that are waited for; they are blocked. */
static sigset_t watched(void)
{
    sigset_t set;
    sigemptyset(&set);
    const int signals[] = {SIGCHLD, SIGTERM, SIGINT, SIGHUP};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaddset(&set, signals[i]);
    return set;
}

/* Collects every child that has ended. Returns whether `child` is among them, with its exit status. */
static int reap(pid_t child, int *exit_status)
{
    int status, found = 0;
    for (pid_t ended; (ended = waitpid(-1, &status, WNOHANG)) > 0;)
        if (ended == child) {
            *exit_status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
            found = 1;
        }
    return found;
}

/* The parent of a process; -1 when it is gone. Its name may hold anything, so fields are counted from its end. */
static long parent_of(const char *process)
{
    char path[64], text[512];
    long parent = -1;
    snprintf(path, sizeof path, "/proc/%.20s/stat", process);
    FILE *file = fopen(path, "r");
    size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[size] = '\0';
    char *name_end = strrchr(text, ')');
    if (name_end)
        sscanf(name_end + 1, " %*c %ld", &parent);
    if (file)
        fclose(file);
    return parent;
}

static void tell(const char *process)
{
    char path[64], text[200];
    snprintf(path, sizeof path, "/proc/%.20s/cmdline", process);
    FILE *file = fopen(path, "r");
    size_t size = file ? fread(text, 1, sizeof text - 1, file) : 0;
    for (size_t i = 0; i < size; i++)
        text[i] = isprint((unsigned char)text[i]) ? text[i] : ' ';
    text[size] = '\0';
    fprintf(stderr, "start: left behind: %s %s\n", process, text);
    if (file)
        fclose(file);
}

/* Kills the children of this process, saying so the first time. Theirs become ours, so it is called until none is left.
 * Returns how many there were. */
static int kill_children(int quiet)
{
    int found = 0;
    DIR *directory = opendir("/proc");
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (isdigit((unsigned char)entry->d_name[0]) && parent_of(entry->d_name) == (long)getpid()) {
            if (!quiet)
                tell(entry->d_name);
            kill((pid_t)atol(entry->d_name), SIGKILL);
            found++;
        }
    if (directory)
        closedir(directory);
    return found;
}

/* After the program has ended. Returns how many of its processes had to be killed. */
static int end_orphans(double limit)
{
    const struct timespec moment = {0, 5 * 1000 * 1000};
    const double start = now();
    int killed = 0, status, none;
    while ((none = waitpid(-1, &status, WNOHANG)) >= 0) {
        if (none == 0 && now() - start > limit)
            killed += kill_children(killed > 0);
        nanosleep(&moment, NULL);
    }
    return killed;
}

/* Waits for the child, for so many seconds. A signal that ends us is passed on to it. */
static int supervise(pid_t child, double seconds)
{
    sigset_t set = watched();
    double deadline = now() + seconds;
    int told = 0, result = 0, status = 0;
    while (!reap(child, &status)) {
        double left = deadline - now();
        struct timespec time = {(time_t)(left > 0 ? left : 0), left > 0 ? 100 * 1000 * 1000 : 0};
        int signal = sigtimedwait(&set, NULL, &time);
        int expired = signal < 0 && errno == EAGAIN && now() >= deadline;
        if (!expired && (signal == SIGCHLD || signal < 0))
            continue;
        kill(child, told ? SIGKILL : SIGTERM);
        if (expired && !told)
            fprintf(stderr, "start: not at its end within %g s: it is ended\n", seconds);
        result = expired && !told ? TIMED_OUT : !told ? 128 + signal : result;
        told = 1;
        deadline = now() + patience;
    }
    return result ? result : status;
}

static void become(const hs__command *command, char **plain)
{
    sigset_t set = watched();
    sigprocmask(SIG_UNBLOCK, &set, NULL);
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (plain)
        execvp(plain[0], plain);
    else
        hs__command_execute(command);
    fprintf(stderr, "start: cannot start %s: %s\n", plain ? plain[0] : command->words.item[0], strerror(errno));
    _exit(CANNOT_START);
}

static int run(const hs__command *command, char **plain, double seconds)
{
    sigset_t set = watched();
    sigprocmask(SIG_BLOCK, &set, NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1ul);
    pid_t child = fork();
    if (child == 0)
        become(command, plain);
    if (child < 0)
        return CANNOT_START;
    int status = supervise(child, seconds > 0 ? seconds : for_ever);
    int killed = end_orphans(plain ? long_grace : grace);
    return plain && killed && (status == 0 || status == 77) ? 1 : status;
}

/* Open MPI 5 names its shared memory by 16 bits of a sum over the launcher's process number, so that one run of all tests in
 * some ten had two jobs with the same memory at once: one crashed, the other did not end. */
static int take_own_memory(char *folder)
{
    static const char *const names[] = {"OMPI_MCA_btl_sm_backing_directory", "OMPI_MCA_osc_sm_backing_directory",
                                        "OMPI_MCA_osc_rdma_backing_directory", "OMPI_MCA_osc_ucx_backing_directory"};
    if (getenv(names[0]) || !mkdtemp(folder))
        return 0;
    chmod(folder, 01777); /* a test may start ranks as another user */
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        setenv(names[i], folder, 1);
    return 1;
}

/* A third of what a rank needs to start is spent on devices that tests do not use: hwloc loads plugins that ask graphics cards and
 * displays, and Open MPI's components of network adapters wait for these a fifth of a second, which here are not there. */
static void leave_devices_out(void)
{
    setenv("HWLOC_PLUGINS_PATH", "/dev/null", 0);
    if (access("/sys/class/infiniband", F_OK) != 0)
        setenv("OMPI_MCA_mtl", "^psm,psm2,ofi", 0);
}

/* Any number of ranks is fine on any machine, for root too. Those of tests may spawn others, and poll politely. Launchers
 * that begin and end at once fail in a folder that they share. */
static int run_ranks(char **program, double seconds, int test)
{
    char folder[] = "/tmp/hs-start-XXXXXX";
    const hs__launch job = {.slots = test ? 64 : 0,
                            .oversubscribe = 1,
                            .unbound = test,
                            .as_root = 1,
                            .yield = test,
                            .scratch = test ? mkdtemp(folder) : NULL,
                            .program = program};
    hs__launcher launcher = {0};
    hs__command command = {0};
    hs_error error = {0};
    hs_status status = hs__launcher_find(NULL, getenv("MPIEXEC"), &launcher, &error);
    if (test) {
        setenv("OMPI_MCA_btl_tcp_if_include", "lo", 0); /* between parents and children of Open MPI 5 */
        leave_devices_out();
    }
    if (status == HS_OK)
        status = hs__launch_command(&launcher, &job, &command, &error);
    int result = CANNOT_START;
    if (status == HS_OK)
        result = run(&command, NULL, seconds);
    else
        fprintf(stderr, "start: %s\n", error.text);
    if (job.scratch)
        hs__path_remove(job.scratch);
    hs__command_free(&command);
    hs__launcher_free(&launcher);
    return result;
}

static int print_launcher(void)
{
    static const char *const words[] = {[HS__LAUNCHER_ORTE] = "orte",
                                        [HS__LAUNCHER_PRRTE] = "prrte",
                                        [HS__LAUNCHER_HYDRA] = "hydra",
                                        [HS__LAUNCHER_SRUN] = "srun"};
    hs__launcher launcher = {0};
    hs_error error = {0};
    if (hs__launcher_find(NULL, getenv("MPIEXEC"), &launcher, &error) != HS_OK) {
        fprintf(stderr, "start: %s\n", error.text);
        return 1;
    }
    puts(words[launcher.kind]);
    hs__launcher_free(&launcher);
    return 0;
}

/* Launchers lose what ranks say when a standard stream is closed. */
static void open_standard_streams(void)
{
    int descriptor;
    do
        descriptor = open("/dev/null", O_RDWR);
    while (descriptor >= 0 && descriptor <= STDERR_FILENO);
    close(descriptor);
}

int main(int argc, char **argv)
{
    open_standard_streams();
    setenv("HS_CACHE", "off", 0); /* nothing of the developer's own is read or written; a test may ask for it */
    const char *limit = getenv("HS_TEST_TIMEOUT");
    int first = 1;
    if (first + 1 < argc && strcmp(argv[first], "-t") == 0) {
        limit = argv[first + 1];
        first += 2;
    }
    if (first < argc && strcmp(argv[first], "--which") == 0)
        return print_launcher();
    double seconds = limit ? atof(limit) : 300;
    int plain = first < argc && strcmp(argv[first], "--plain") == 0;
    int measured = first < argc && strcmp(argv[first], "--measured") == 0;
    first += plain + measured;
    if (first + 1 < argc && !plain && strcmp(argv[first], "--preload") == 0) {
        setenv("LD_PRELOAD", argv[first + 1], 1);
        first += 2;
    }
    if (first >= argc) {
        fprintf(
            stderr,
            "usage: start [-t SECONDS] [--measured] [--preload LIBRARY] -n RANKS PROGRAM ... | --plain COMMAND ...\n");
        return 2;
    }
    char memory[] = "/dev/shm/hs-start-XXXXXX";
    int own_memory = !measured && take_own_memory(memory);
    int status = plain ? run(NULL, argv + first, seconds) : run_ranks(argv + first, seconds, !measured);
    if (own_memory)
        hs__path_remove(memory);
    return status;
}
