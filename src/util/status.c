/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/status.h"
#include "util/printable.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *hs_status_text(hs_status status)
{
    switch (status) {
#define HS_STATUS_CASE(name, value, text) \
    case name:                            \
        return text;
        HS_STATUS_LIST(HS_STATUS_CASE)
#undef HS_STATUS_CASE
    }
    return "unknown status";
}

hs_status hs_error_set(hs_error *error, hs_status status, int line, const char *format, ...)
{
    if (error) {
        va_list arguments;
        va_start(arguments, format);
        error->line = line;
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        hs__make_printable(error->text);
    }
    return status;
}

hs_status hs__error_status(hs_error *error, hs_status status)
{
    return hs_error_set(error, status, 0, "%s", hs_status_text(status));
}

hs_status hs__error_null(hs_error *error, const char *call, const char *argument)
{
    return hs_error_set(error, HS_ERR_ARG, 0, "%s: %s is NULL, expected one that exists", call, argument);
}

hs_status hs__error_path(hs_error *error, const char *what, const char *path, int code)
{
    const char *why = strerror(code);
    size_t length = strlen(path), others = strlen(what) + sizeof " ...: " + strlen(why);
    size_t room = others < sizeof error->text ? sizeof error->text - others : 0;
    if (length <= room)
        return hs_error_set(error, HS_ERR_IO, 0, "%s %s: %s", what, path, why);
    size_t begin = room / 2, end = room - begin;
    return hs_error_set(error, HS_ERR_IO, 0, "%s %.*s...%s: %s", what, (int)begin, path, path + length - end, why);
}
