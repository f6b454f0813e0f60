/* SPDX-License-Identifier: BSD-3-Clause */
/* What targets share. */
#include "config.h"

#include "tests/fuzz/fuzz.h"
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

const char *fuzz_file(const uint8_t *data, size_t size)
{
    static int file = -1;
    static char path[40];
    if (file < 0)
        file = memfd_create("input", MFD_CLOEXEC);
    FUZZ_CHECK(file >= 0 && ftruncate(file, 0) == 0 && pwrite(file, data, size, 0) == (ssize_t)size);
    snprintf(path, sizeof path, "/proc/self/fd/%d", file);
    return path;
}

char *fuzz_text(const uint8_t *data, size_t size)
{
    char *text = malloc(size + 1);
    FUZZ_CHECK(text);
    memcpy(text, data, size);
    text[size] = '\0';
    return text;
}

void fuzz_settings(char *text, void (*setting)(const char *name, const char *value))
{
    for (char *rest, *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *value = strchr(line, '=');
        if (!value)
            continue;
        *value = '\0';
        setting(line, value + 1);
    }
}

void fuzz_check_error(const hs_error *error)
{
    FUZZ_CHECK(error->text[0] && error->line >= 0);
    for (const char *c = error->text; *c; c++)
        FUZZ_CHECK((unsigned char)*c >= ' ' && *c != 127);
}
