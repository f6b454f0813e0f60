/* SPDX-License-Identifier: BSD-3-Clause */
/* Run iproute2's tools on scripts; wait for children. */
#include "config.h"

#include "lab/lab.h"
#include "lab/process.h"
#include "util/assert.h"
#include "util/options.h"
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

int lab_script_open(lab_script *script)
{
    script->stream = open_memstream(&script->text, &script->size);
    return script->stream ? 0 : -1;
}

int lab_script_close(lab_script *script)
{
    int failed = fclose(script->stream);
    script->stream = NULL;
    return failed ? -1 : 0;
}

void lab_script_free(lab_script *script)
{
    if (script->stream)
        fclose(script->stream);
    free(script->text);
    *script = (lab_script){0};
}

int lab_write(const char *path, const char *text)
{
    int descriptor = open(path, O_WRONLY | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    ssize_t written = write(descriptor, text, strlen(text));
    int code = errno;
    close(descriptor);
    errno = code;
    return written == (ssize_t)strlen(text) ? 0 : -1;
}

int lab_wait_child(pid_t child)
{
    int status;
    pid_t ended;
    do
        ended = waitpid(child, &status, 0);
    while (ended < 0 && errno == EINTR);
    if (ended < 0)
        return -1;
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* The process that gets the signals of this one; a handler of signals can reach nothing but such a variable. */
static volatile sig_atomic_t supervised;

/* A terminal, for which the kernel sends, sends SIGINT to its whole foreground group, so a child in our group has received
 * it already. A second one would have mpirun give up without ending its ranks. */
static void pass_on(int signal, siginfo_t *info, void *context)
{
    int code = errno, received = supervised > 0 && signal == SIGINT && info->si_code == SI_KERNEL;
    if (supervised && !received)
        kill((pid_t)supervised, signal);
    errno = code;
}

int lab_supervise(pid_t child, pid_t target)
{
    static const int signals[] = {SIGINT, SIGQUIT, SIGTERM, SIGHUP, SIGUSR1, SIGUSR2};
    enum { SIGNALS = sizeof signals / sizeof *signals };
    struct sigaction action = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO}, before[SIGNALS];
    HS_ASSERT(supervised == 0 && target != 0);
    supervised = target;
    for (int i = 0; i < SIGNALS; i++)
        sigaction(signals[i], &action, &before[i]);
    int status = lab_wait_child(child);
    supervised = 0;
    for (int i = 0; i < SIGNALS; i++)
        if (before[i].sa_handler == SIG_IGN) /* by nohup: a child to come ignores it, too */
            sigaction(signals[i], &before[i], NULL);
    return status;
}

FILE *lab_scratch_file(void)
{
    int descriptor = memfd_create("hs-lab", MFD_CLOEXEC);
    FILE *file = descriptor < 0 ? NULL : fdopen(descriptor, "w+");
    if (!file && descriptor >= 0)
        close(descriptor);
    return file;
}

/* The tools are in folders that a shell of root's need not search: Debian's su leaves the PATH of the user. */
static void find_tools(void)
{
    char folders[LAB_PATH];
    const char *path = hs__options_environment("PATH");
    int length = snprintf(folders, sizeof folders, "%s:/usr/sbin:/sbin", path ? path : "/usr/bin:/bin");
    if (length < (int)sizeof folders)
        setenv("PATH", folders, 1);
}

int lab_script_run(const lab_script *script, const char *tool, lab_on_error on_error, FILE *output)
{
    if (script->size == 0)
        return 0;
    FILE *input = lab_scratch_file();
    if (!input || fwrite(script->text, 1, script->size, input) != script->size || fflush(input) != 0) {
        dprintf(fileno(output), "cannot write a file in memory: %s\n", strerror(errno));
        if (input)
            fclose(input);
        return -1;
    }
    rewind(input);
    fflush(output);
    pid_t child = fork();
    if (child == 0) {
        dup2(fileno(input), STDIN_FILENO);
        dup2(fileno(output), STDOUT_FILENO);
        dup2(fileno(output), STDERR_FILENO);
        find_tools();
        if (on_error == LAB_GO_ON)
            execlp(tool, tool, "-force", "-batch", "-", (char *)NULL);
        else
            execlp(tool, tool, "-batch", "-", (char *)NULL);
        dprintf(STDERR_FILENO, "cannot start %s (package iproute2): %s\n", tool, strerror(errno));
        _exit(127);
    }
    fclose(input);
    return child < 0 ? -1 : lab_wait_child(child);
}

void lab_error_from_output(FILE *output, hs_status status, hs_error *error)
{
    char line[200] = "";
    rewind(output);
    if (fgets(line, sizeof line, output))
        line[strcspn(line, "\n")] = '\0';
    hs_error_set(error, status, 0, "%s", line[0] ? line : "ip or tc failed and did not say why");
}

int lab_enter_netns(const char *netns)
{
    char path[128];
    snprintf(path, sizeof path, "/run/netns/%s", netns);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    int failed = setns(descriptor, CLONE_NEWNET);
    int code = errno;
    close(descriptor);
    errno = code;
    return failed ? -1 : 0;
}

int lab_enter_or_tell(const char *netns, FILE *output)
{
    int failed = lab_enter_netns(netns);
    if (failed)
        dprintf(fileno(output), "cannot enter namespace %s: %s\n", netns, strerror(errno));
    return failed;
}

int lab_process_identify(pid_t process, lab_identity *identity)
{
    char path[64], line[1024] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
    int descriptor = open(path, O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return -1;
    /* The name in parentheses may hold anything. The group is the third field after it, the start the twentieth. */
    const char *fields = read(descriptor, line, sizeof line - 1) > 0 ? strrchr(line, ')') : NULL;
    close(descriptor);
    return fields && sscanf(fields + 1,
                            " %*c %*d %d %*d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d %llu",
                            &identity->group, &identity->start) == 2
               ? 0
               : -1;
}

int lab_process_marked(pid_t process, const char *mark)
{
    char path[64], *entry = NULL;
    size_t room = 0;
    int marked = 0;
    snprintf(path, sizeof path, "/proc/%ld/environ", (long)process);
    FILE *file = fopen(path, "r");
    while (file && !marked && getdelim(&entry, &room, '\0', file) > 0)
        marked = strcmp(entry, mark) == 0;
    free(entry);
    if (file)
        fclose(file);
    return marked;
}
