/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/base/environment.h"
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <unistd.h>

static hs__options options;

static void say_nothing(void *context, const char *line)
{
}

static void say(void *context, const char *line)
{
    fprintf(stderr, "heteroslice: warn: %s\n", line);
}

static void read_once(void)
{
    hs__options_read(&options, hs__options_environment, environ, say_nothing, NULL);
}

static void complain_once(void)
{
    hs__options ignored;
    hs__options_read(&ignored, hs__options_environment, environ, say, NULL);
}

const hs__options *hs__environment(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, read_once);
    return &options;
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
    fprintf(stderr, "heteroslice: %s: %s\n", names[level], line);
}

void hs__environment_complain(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, complain_once);
}
