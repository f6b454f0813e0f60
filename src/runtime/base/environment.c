/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/environment.h"
#include "util/message.h"
#include <mpi.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* The process's options, and what has been done once. Options are too large for the stack of a thread that initialises MPI, which
 * the program may have made small: others than these are static as well. */
static struct {
    hs__options options;
    char folder[4096]; /* that was the process's then; "": not known */
    char platform[sizeof((hs__options *)0)->platform + 4096];
    pthread_once_t read, complained;
} self = {.read = PTHREAD_ONCE_INIT, .complained = PTHREAD_ONCE_INIT};

static void say(void *context, const char *line)
{
    hs__message("warn: %s", line);
}

static void make_absolute(const char *path, char *absolute, size_t size)
{
    int as_given = path[0] == '/' || strcmp(path, "-") == 0 || !self.folder[0];
    snprintf(absolute, size, "%s%s%s", as_given ? "" : self.folder, as_given ? "" : "/", path);
}

static void find_platform(void)
{
    self.platform[0] = '\0';
    if (self.options.platform[0])
        make_absolute(self.options.platform, self.platform, sizeof self.platform);
}

static void read_once(void)
{
    if (!getcwd(self.folder, sizeof self.folder))
        self.folder[0] = '\0';
    hs__options_read(&self.options, hs__options_environment, NULL, NULL, NULL);
    find_platform();
}

static void complain_once(void)
{
    static hs__options ignored;
    hs__options_read(&ignored, hs__options_environment, environ, say, NULL);
}

const hs__options *hs__environment(void)
{
    pthread_once(&self.read, read_once);
    return &self.options;
}

void hs__environment_path(const char *path, char *absolute, size_t size)
{
    hs__environment();
    make_absolute(path, absolute, size);
}

void hs__environment_name_spawned(char *path, size_t size)
{
    char extension[256] = "";
    char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (dot && dot > slash + 1 && strlen(dot) < sizeof extension) {
        snprintf(extension, sizeof extension, "%s", dot);
        *dot = '\0';
    }
    size_t used = strlen(path);
    snprintf(path + used, size - used, "-spawned-%ld%s", (long)getpid(), extension);
}

const char *hs__environment_platform(void)
{
    hs__environment();
    return self.platform[0] ? self.platform : NULL;
}

/* What may differ from rank to rank. */
static void copy_own(hs__options *to, const hs__options *from)
{
    to->disable = from->disable;
    to->forward = from->forward;
    to->log = from->log;
    to->check = from->check;
    memcpy(to->lab_host, from->lab_host, sizeof to->lab_host);
}

void hs__environment_blank(hs__options *values)
{
    static const hs__options zeros;
    copy_own(values, &zeros);
}

void hs__environment_adopt(const hs__options *others)
{
    static hs__options own;
    own = *hs__environment();
    self.options = *others;
    copy_own(&self.options, &own);
    find_platform();
}

void hs__environment_share(MPI_Comm comm)
{
    static hs__options settings;
    settings = *hs__environment();
    PMPI_Bcast(&settings, sizeof settings, MPI_BYTE, 0, comm);
    hs__environment_adopt(&settings);
}

void hs__environment_log(hs__log_level level, const char *format, ...)
{
    static const char *const names[] = {HS__CHOICES_LOG};
    char line[512];
    if ((int)level > hs__environment()->log)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    hs__message("%s: %s", names[level], line);
}

void hs__environment_complain(void)
{
    pthread_once(&self.complained, complain_once);
}
