/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "util/message.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* What fprintf() makes for an unbuffered stream, glibc since 2.37 writes in pieces of 128 bytes; fputs() writes at once. */
void hs__message(const char *format, ...)
{
    char line[640] = "heteroslice: ";
    size_t used = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(line + used, sizeof line - used - 1, format, arguments);
    va_end(arguments);
    memcpy(line + strlen(line), "\n", 2);
    fputs(line, stderr);
}
