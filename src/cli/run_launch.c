/* SPDX-License-Identifier: BSD-3-Clause */
/* Start the ranks of a plan. Open MPI's mpirun gets a file with one line per rank for its sequential mapper. This sets
 * the number of ranks of each host and their order, and does not change binding. */
#include "config.h"

#include "cli/run.h"
#include "lab/process.h"
#include "util/array.h"
#include "util/options.h"
#include "util/words.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char assignment[] = "LD_PRELOAD=";
enum { ASSIGNMENT = sizeof assignment - 1 };

/* Add the user's options, split at blanks. With take_preload, "-x LD_PRELOAD=LIST" is left out, because it would replace
 * our own. @return LIST, a part of options; NULL when there is none */
static char *add_split(hs__words *list, char *options, int take_preload)
{
    char *rest = NULL, *users = NULL;
    for (char *word = strtok_r(options, " \t\n", &rest); word; word = strtok_r(NULL, " \t\n", &rest)) {
        char *value = strcmp(word, "-x") == 0 ? strtok_r(NULL, " \t\n", &rest) : NULL;
        int is_list = value && strncmp(value, assignment, ASSIGNMENT) == 0;
        if (take_preload && (is_list || (value && strcmp(value, "LD_PRELOAD") == 0))) {
            users = is_list ? value + ASSIGNMENT : users;
            continue;
        }
        hs__words_add(list, word);
        if (value)
            hs__words_add(list, value);
    }
    return users;
}

static int find_self(char *path, size_t size)
{
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    path[length > 0 ? length : 0] = '\0';
    return length > 0 ? 0 : -1;
}

/* Find our library: in the build tree of this hs, else where it was installed. @return whether it exists */
static int find_library(char *path, size_t size)
{
    char self[RUN_PATH];
    if (find_self(self, sizeof self) != 0)
        return 0;
    snprintf(path, size, "%.*s/.libs/libheteroslice-preload.so", (int)(strrchr(self, '/') - self), self);
    if (access(path, R_OK) != 0)
        snprintf(path, size, "%s/libheteroslice-preload.so", HS_PKGLIBDIR);
    return access(path, R_OK) == 0;
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

/* Write a file with every rank's host. @return its path, owned by the caller; NULL after one line on stderr */
static char *write_hosts(const cli_verb *verb, const run_hosts *hosts, const int64_t *count, const int *order, int used,
                         int keep)
{
    char path[] = "hs-run-XXXXXX", temporary[] = "/tmp/hs-run-XXXXXX", *name = keep ? path : temporary;
    int descriptor = mkstemp(name);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    for (int k = 0; file && k < used; k++)
        for (int64_t r = 0; r < count[order[k]]; r++)
            fprintf(file, "%s\n", hosts->item[order[k]].name);
    if (!file || fclose(file) != 0) {
        fprintf(stderr, "hs %s: cannot write %s: %s\n", verb->name, name, strerror(errno));
        if (descriptor >= 0)
            unlink(name);
        return NULL;
    }
    return realpath(name, NULL);
}

static int is_shared(const run_hosts *hosts, const int64_t *count)
{
    int shared = 0;
    for (size_t i = 0; i < hosts->count; i++)
        shared |= count[i] > hosts->item[i].slots;
    return shared;
}

/* Add "-x NAME" for our environment variables, so that mpirun passes them to the ranks. */
static void add_variables(hs__words *list)
{
    size_t n;
    const hs__option_row *rows = hs__option_rows(&n);
    for (size_t i = 0; i < n; i++)
        if (hs__options_environment(rows[i].environment)) {
            hs__words_add(list, "-x");
            hs__words_add(list, rows[i].environment);
        }
}

/* Add the options common to mpirun and hs lab run. */
static void add_mapping(hs__words *list, const hs__words *users, const char *file, const char *preload)
{
    hs__words_add(list, "--map-by");
    hs__words_add(list, "seq");
    hs__words_add(list, "--hostfile");
    hs__words_add(list, file);
    if (preload) {
        hs__words_add(list, "-x");
        hs__words_add(list, preload);
    }
    add_variables(list);
    for (size_t i = 0; i < users->count; i++)
        hs__words_add(list, users->item[i]);
}

static void build_mpirun(hs__words *list, const hs__words *users, const run_hosts *hosts, const int64_t *count,
                         const char *ranks, const char *file, const char *preload)
{
    const char *mpiexec = hs__options_environment("MPIEXEC");
    hs__words_add(list, mpiexec && *mpiexec ? mpiexec : "mpirun");
    hs__words_add(list, "-np");
    hs__words_add(list, ranks);
    hs__words_add(list, "--oversubscribe");
    if (is_shared(hosts, count)) {
        hs__words_add(list, "--bind-to");
        hs__words_add(list, "none");
        /* The sequential mapper does not tell ranks that they share cores, so they would spin in MPI_Init. */
        setenv("OMPI_MCA_mpi_yield_when_idle", "1", 0);
    }
    add_mapping(list, users, file, preload);
}

/* hs lab run sets LD_PRELOAD for the ranks from its own LD_PRELOAD. */
static void build_lab_run(hs__words *list, const hs__words *users, const char *lab, const char *ranks, const char *file)
{
    char self[RUN_PATH] = "", *text = NULL;
    size_t size;
    hs__words options = {0};
    list->failed |= find_self(self, sizeof self) != 0;
    add_mapping(&options, users, file, NULL);
    FILE *stream = open_memstream(&text, &size);
    for (size_t i = 0; stream && i < options.count; i++)
        fprintf(stream, "%s ", options.item[i]);
    list->failed |= !stream || fclose(stream) != 0 || options.failed;
    const char *const fixed[] = {self, "lab", "run", "--name", lab, "-n", ranks, "--mpirun"};
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        hs__words_add(list, fixed[i]);
    hs__words_add(list, text ? text : "");
    hs__words_add(list, "--");
    free(text);
    hs__words_free(&options);
}

static int start(const cli_verb *verb, char **command, char *preload, int discard_output)
{
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        if (preload)
            putenv(preload);
        int null_device = discard_output ? open("/dev/null", O_WRONLY) : -1;
        if (null_device >= 0)
            dup2(null_device, STDOUT_FILENO);
        execvp(command[0], command);
        fprintf(stderr, "hs %s: cannot start %s: %s\n", verb->name, command[0], strerror(errno));
        _exit(127);
    }
    if (child > 0)
        return lab_supervise(child, child);
    fprintf(stderr, "hs %s: cannot start a process: %s\n", verb->name, strerror(errno));
    return CLI_BAD_INPUT;
}

int run_launch(const cli_verb *verb, const run_request *request, const run_hosts *hosts, const int64_t *count,
               const int *order, int used, const char *platform, char **program, int discard_output)
{
    hs__words command = {0}, users = {0};
    char ranks[32], library[RUN_PATH + 64], *options = hs__text_copy(request->mpirun ? request->mpirun : "");
    int64_t total = 0;
    int code = CLI_BAD_INPUT;
    for (int k = 0; k < used; k++)
        total += count[order[k]];
    snprintf(ranks, sizeof ranks, "%lld", (long long)total);
    if (platform)
        setenv("HS_PLATFORM", platform, 1);
    int preloaded = platform && find_library(library, sizeof library); /* a measurement is not monitored */
    char *users_preload = options ? add_split(&users, options, preloaded) : NULL;
    char *preload = preloaded ? preload_list(library, users_preload) : NULL;
    char *file = write_hosts(verb, hosts, count, order, used, request->keep && !discard_output);
    if (!file)
        goto out;
    if (preload)
        setenv("HS_RANKS", ranks, 1); /* all of them have it */
    if (platform && !preload)
        fprintf(stderr, "hs %s: libheteroslice-preload.so is not installed: ranks are placed but not monitored\n",
                verb->name);
    if (request->lab)
        build_lab_run(&command, &users, request->lab, ranks, file);
    else
        build_mpirun(&command, &users, hosts, count, ranks, file, preload);
    for (char **word = program; *word; word++)
        hs__words_add(&command, *word);
    if (command.failed || users.failed || !options)
        fprintf(stderr, "hs %s: out of memory\n", verb->name);
    else
        code = start(verb, command.item, request->lab ? preload : NULL, discard_output);
    if (request->keep && !discard_output)
        fprintf(stderr, "hs %s: wrote the host of every rank to %s\n", verb->name, file);
    else
        unlink(file);
out:
    free(file);
    free(preload);
    free(options);
    hs__words_free(&users);
    hs__words_free(&command);
    return code;
}
