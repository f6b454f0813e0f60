/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/base/speeds.h"
#include "util/array.h"
#include "util/status.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct speeds {
    double *value;
    size_t n, capacity;
} speeds;

/* Reads a speed as work, since a speed of 0 is allowed here. */
static hs_status add_speed(const char *text, int line, speeds *s, hs_error *error)
{
    double value;
    hs_status status = hs_quantity_parse(text, HS_UNIT_WORK, HS_BARE_ALLOWED, &value, error);
    if (status != HS_OK) {
        error->line = line;
        return status;
    }
    if (hs__array_reserve(&s->value, &s->capacity, s->n + 1, sizeof value) != 0)
        return hs__error_status(error, HS_ERR_NOMEM);
    s->value[s->n++] = value;
    return HS_OK;
}

static hs_status read_line(char *text, size_t length, int number, speeds *s, hs_error *error)
{
    hs_status status = HS_OK;
    if (strlen(text) < length)
        return hs_error_set(error, HS_ERR_PARSE, number, "a byte 0 is in no number");
    text[strcspn(text, "#")] = '\0';
    char *save, *item = strtok_r(text, ", \t\r\n", &save);
    for (; item && status == HS_OK; item = strtok_r(NULL, ", \t\r\n", &save))
        status = add_speed(item, number, s, error);
    return status;
}

static hs_status read_file(const char *path, speeds *s, hs_error *error)
{
    char *line = NULL;
    size_t size = 0;
    hs_status status = HS_OK;
    ssize_t length;
    FILE *stream = cli_open(path, error);
    if (!stream)
        return HS_ERR_IO;
    errno = 0;
    for (int number = 1; status == HS_OK && (length = getline(&line, &size, stream)) >= 0; number++)
        status = read_line(line, (size_t)length, number, s, error);
    if (status == HS_OK && ferror(stream))
        status = hs_error_set(error, HS_ERR_IO, 0, "%s", strerror(errno));
    if (status == HS_OK && s->n == 0)
        status = hs_error_set(error, HS_ERR_PARSE, 0, "no speeds");
    free(line);
    cli_close(stream);
    return status;
}

int cli_check_speeds(const cli_verb *verb, const char *list, const char *path)
{
    if (list && path)
        return cli_usage(verb, "--speeds and --speeds-file exclude each other");
    return CLI_OK;
}

int cli_read_speeds(const cli_verb *verb, const char *list, const char *path, double **speed, int *hosts)
{
    speeds s = {NULL, 0, 0};
    hs_error error;
    int code = CLI_OK;
    if (list)
        code = cli_quantity_list(verb, "--speeds", list, HS_UNIT_WORK, &s.value, &s.n);
    else if (read_file(path, &s, &error) != HS_OK)
        code = cli_fail(verb, path, &error);
    if (code == CLI_OK && s.n > INT_MAX)
        code = cli_bad_value(verb, "%s: too many speeds", list ? "--speeds" : path);
    if (code != CLI_OK) {
        free(s.value);
        return code;
    }
    *speed = s.value;
    *hosts = (int)s.n;
    return CLI_OK;
}
