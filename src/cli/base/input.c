/* SPDX-License-Identifier: BSD-3-Clause */
/* Files that verbs read: "-" is standard input for each of them. */
#include "cli/base/cli.h"
#include "platform/xml_read.h"
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int cli_is_standard(const char *path)
{
    return path && strcmp(path, "-") == 0;
}

int cli_is_stream(const char *path)
{
    struct stat facts;
    return cli_is_standard(path) || (path && stat(path, &facts) == 0 && S_ISFIFO(facts.st_mode));
}

/* Some editors begin a text with a byte order mark, which is no part of it. */
static void skip_mark(FILE *stream)
{
    static const int mark[] = {0xEF, 0xBB, 0xBF};
    int n = 0, c = EOF;
    while (n < 3 && (c = getc(stream)) == mark[n])
        n++;
    if (n == 3)
        return;
    ungetc(c, stream);
    while (n > 0)
        ungetc(mark[--n], stream);
}

FILE *cli_open(const char *path, hs_error *error)
{
    struct stat facts;
    FILE *stream = cli_is_standard(path) ? stdin : fopen(path, "r");
    if (stream && stream != stdin && fstat(fileno(stream), &facts) == 0 && S_ISDIR(facts.st_mode)) {
        fclose(stream);
        stream = NULL;
        errno = EISDIR;
    }
    if (stream)
        skip_mark(stream);
    else
        hs_error_set(error, HS_ERR_IO, 0, "cannot read it: %s", strerror(errno));
    return stream;
}

void cli_close(FILE *stream)
{
    if (stream && stream != stdin)
        fclose(stream);
}

const char *cli_find_log(const char *file, char *other, size_t size)
{
    enum { MOST_RANKS = 1 << 16 };
    if (cli_is_standard(file) || access(file, F_OK) == 0)
        return file;
    for (int r = 1; r < MOST_RANKS; r++) {
        snprintf(other, size, "%s.%d", file, r);
        if (access(other, F_OK) == 0)
            return other;
    }
    return file;
}

hs_status cli_read_platform(const char *path, hs_platform **platform, hs_error *error)
{
    FILE *stream = cli_open(path, error);
    hs_status status = stream ? hs__platform_read_stream(stream, platform, error) : HS_ERR_IO;
    cli_close(stream);
    return status;
}

json_t *cli_read_json(const char *path, hs_error *error)
{
    json_error_t where;
    FILE *stream = cli_open(path, error);
    json_t *root = stream ? json_loadf(stream, JSON_REJECT_DUPLICATES, &where) : NULL;
    if (stream && !root)
        hs_error_set(error, HS_ERR_PARSE, where.line, "not JSON: %s", where.text);
    cli_close(stream);
    return root;
}
