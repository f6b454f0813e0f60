/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/file.h"
#include "config.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/clock.h"
#include "util/hash.h"
#include "util/path.h"
#include "util/status.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <sys/stat.h>
#include <unistd.h>

struct hs__file {
    FILE *stream;
    char *path;      /* NULL when the stream is standard output */
    char *temporary; /* NULL where the stream writes in place */
};

static void file_free(hs__file *file)
{
    free(file->path);
    free(file->temporary);
    free(file);
}

static int open_in_place(hs__file *file, const char *path)
{
    file->path = hs__text_copy(path);
    if (!file->path)
        return ENOMEM;
    file->stream = fopen(path, "we");
    return file->stream ? 0 : errno;
}

/* Where a symbolic link leads, as the shell's > has it, so that the link stays and what it leads to is written, be it there or not.
 * @param[in,out] name  room for PATH_MAX bytes. @return 0, or an errno */
static int follow_links(char *name)
{
    char target[PATH_MAX];
    for (int links = 0; links < MAXSYMLINKS; links++) {
        ssize_t length = readlink(name, target, sizeof target);
        if (length < 0)
            return 0; /* no link, or what open() will complain of */
        size_t folder = target[0] == '/' ? 0 : (size_t)(hs__path_name(name) - name);
        if (folder + (size_t)length >= PATH_MAX)
            return ENAMETOOLONG;
        memcpy(name + folder, target, (size_t)length);
        name[folder + (size_t)length] = '\0';
    }
    return ELOOP;
}

/* Like mkstemp(), but for the mode, which open() takes from the umask: reading it would change it for a moment, for all threads of
 * the process. */
static int create_beside(char *name)
{
    enum { TRIES = 100, LETTERS = 6 };
    static const char letters[] = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    static _Atomic uint64_t files;
    for (int tries = 0; tries < TRIES; tries++) {
        uint64_t bits = hs__hash_spread((uint64_t)hs__clock_ns() + ((uint64_t)getpid() << 40) + files++);
        for (char *end = name + strlen(name), *c = end - LETTERS; c < end; c++, bits /= sizeof letters - 1)
            *c = letters[bits % (sizeof letters - 1)];
        int descriptor = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (descriptor >= 0 || errno != EEXIST)
            return descriptor;
    }
    return -1;
}

static int open_temporary(hs__file *file, const char *path)
{
    size_t size = strlen(path) + sizeof ".XXXXXX";
    file->path = hs__text_copy(path);
    file->temporary = malloc(size);
    if (!file->path || !file->temporary)
        return ENOMEM;
    snprintf(file->temporary, size, "%s.XXXXXX", path);
    int descriptor = create_beside(file->temporary);
    if (descriptor < 0)
        return errno;
    file->stream = fdopen(descriptor, "w");
    if (file->stream)
        return 0;
    int code = errno;
    close(descriptor);
    unlink(file->temporary);
    return code;
}

/* A device such as /dev/stdout is written in place: renaming onto it would replace the device. What the kernel does not
 * follow, such as another user's link in /tmp, is not followed here either. */
static int open_file(hs__file *file, const char *path)
{
    struct stat facts;
    char target[PATH_MAX];
    int is_there = stat(path, &facts) == 0;
    if (!is_there && errno != ENOENT)
        return errno;
    if (is_there && !S_ISREG(facts.st_mode))
        return open_in_place(file, path);
    if (is_there && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return errno; /* as open() would say: to rename onto a file asks its folder alone */
    snprintf(target, sizeof target, "%s", path);
    int code = follow_links(target);
    if (!code)
        code = open_temporary(file, target);
    if (!code && is_there)
        fchmod(fileno(file->stream), facts.st_mode & 0777); /* nothing is lost where the file system has no modes */
    return code;
}

hs_status hs__file_create(const char *path, hs__file **out, hs_error *error)
{
    hs__file *file = hs__array_new(1, sizeof *file);
    if (!file)
        return hs__error_status(error, HS_ERR_NOMEM);
    int code = 0;
    if (strcmp(path, "-") == 0)
        file->stream = stdout;
    else if (!path[0])
        code = ENOENT;
    else
        code = open_file(file, path);
    if (code) {
        file_free(file);
        return hs__error_path(error, "cannot write", path[0] ? path : "''", code);
    }
    *out = file;
    return HS_OK;
}

FILE *hs__file_stream(hs__file *file)
{
    return file->stream;
}

hs_status hs__file_commit(hs__file *file, hs_error *error)
{
    HS_ASSERT((!file->temporary || file->path) && (file->stream != stdout || !file->path));
    int flushed = fflush(file->stream) == 0;
    int failed = !flushed || ferror(file->stream);
    int code = flushed ? EIO : errno; /* of a write that failed before, errno is gone */
    if (file->stream != stdout && fclose(file->stream) != 0 && !failed) {
        failed = 1;
        code = errno;
    }
    if (!failed && file->temporary && rename(file->temporary, file->path) != 0) {
        failed = 1;
        code = errno;
    }
    hs_status status = HS_OK;
    if (failed) {
        if (file->temporary)
            unlink(file->temporary);
        status = hs__error_path(error, "cannot write", file->path ? file->path : "standard output", code);
    }
    file_free(file);
    return status;
}

void hs__file_discard(hs__file *file)
{
    if (!file)
        return;
    if (file->stream != stdout)
        fclose(file->stream);
    if (file->temporary)
        unlink(file->temporary);
    file_free(file);
}

/* A pipe is not opened: who reads from it would take the end of trying for the end of all. */
hs_status hs__file_try(const char *path, hs_error *error)
{
    struct stat facts;
    hs__file *file = NULL;
    if (stat(path, &facts) == 0 && S_ISFIFO(facts.st_mode) && faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) == 0)
        return HS_OK;
    hs_status status = hs__file_create(path, &file, error);
    hs__file_discard(file);
    return status;
}
