/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "cli/report/source.h"
#include "util/assert.h"
#include "util/path.h"
#include <fcntl.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 32, FIXED_WORDS = 5 };

/* Whether the file is the one that ran: untouched since. */
static int is_as_it_ran(const char *path, const report_run *run)
{
    struct stat facts;
    struct tm started = {0};
    const char *date = json_string_value(json_object_get(json_object_get(run->root, "program"), "started"));
    return date && strptime(date, "%Y-%m-%dT%H:%M:%SZ", &started) && stat(path, &facts) == 0 &&
           S_ISREG(facts.st_mode) && facts.st_ctime <= timegm(&started);
}

/* Start a program whose standard output is to be read. @return NULL where it cannot be started */
static FILE *start(char *const *words, pid_t *child)
{
    extern char **environ;
    int ends[2], failed;
    FILE *stream = NULL;
    posix_spawn_file_actions_t actions;
    if (pipe2(ends, O_CLOEXEC) != 0)
        return NULL;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    failed = posix_spawnp(child, words[0], &actions, NULL, words, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    if (!failed)
        stream = fdopen(ends[0], "r");
    if (!stream)
        close(ends[0]);
    return stream;
}

/* A line without its end; a longer one is cut. */
static int read_line(FILE *in, char *line, size_t size)
{
    if (!fgets(line, (int)size, in))
        return 0;
    if (!strchr(line, '\n'))
        for (int c = getc(in); c != EOF && c != '\n';)
            c = getc(in);
    line[strcspn(line, "\n")] = '\0';
    return 1;
}

/* addr2line answers with two lines a place: the function or ??, and FILE:LINE, with ? or 0 for what it does not know. */
static void read_answer(FILE *in, report_source *source)
{
    char function[sizeof source->function], line[4096];
    if (!read_line(in, function, sizeof function) || !read_line(in, line, sizeof line))
        return;
    line[strcspn(line, " ")] = '\0'; /* (discriminator 3) */
    const char *file = hs__path_name(line), *number = strrchr(file, ':');
    if (strcmp(function, "??") != 0)
        memcpy(source->function, function, sizeof function);
    if (file[0] != '?' && number && number[1] > '0' && number[1] <= '9')
        snprintf(source->line, sizeof source->line, "%.*s", (int)sizeof source->line - 1, file);
}

/* The places that are in the same file as the first. */
static void ask(report_source *const *place, int n)
{
    char number[MOST][24], *words[FIXED_WORDS + MOST + 1] = {"addr2line", "-f", "-C", "-e", (char *)place[0]->object};
    pid_t child;
    for (int k = 0; k < n; k++) {
        snprintf(number[k], sizeof number[k], "0x%llx", (long long)place[k]->offset);
        words[FIXED_WORDS + k] = number[k];
    }
    FILE *in = start(words, &child);
    if (!in)
        return;
    for (int k = 0; k < n; k++)
        read_answer(in, place[k]);
    fclose(in);
    waitpid(child, NULL, 0);
}

void report_find_sources(report_source *source, int n, const report_run *run)
{
    char asked[MOST] = {0};
    HS_ASSERT(n <= MOST);
    for (int i = 0; i < n; i++) {
        report_source *same[MOST];
        int count = 0;
        for (int k = i; k < n; k++)
            if (!asked[k] && strcmp(source[k].object, source[i].object) == 0) {
                asked[k] = 1;
                same[count++] = &source[k];
            }
        if (count > 0 && is_as_it_ran(same[0]->object, run))
            ask(same, count);
    }
}
