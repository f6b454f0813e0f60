/* SPDX-License-Identifier: BSD-3-Clause */
#include "util/linker.h"
#include "util/path.h"
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 8, LENGTH = 1024 }; /* of files that include each other; of a path */

typedef struct hearer {
    void (*tell)(const char *folder, void *context);
    void *context;
} hearer;

static void read_file(const char *path, int depth, const hearer *to);

/* A pattern is of the including file's folder where it names none. */
static void include(const char *pattern, const char *from, int depth, const hearer *to)
{
    char whole[LENGTH];
    glob_t found;
    int beside = *pattern == '/' ? 0 : (int)(hs__path_name(from) - from);
    snprintf(whole, sizeof whole, "%.*s%s", beside, from, pattern);
    if (glob(whole, 0, NULL, &found) == 0)
        for (size_t k = 0; k < found.gl_pathc; k++)
            read_file(found.gl_pathv[k], depth + 1, to);
    globfree(&found);
}

static void read_line(char *line, const char *path, int depth, const hearer *to)
{
    static const char blank[] = " \t\r\n";
    char *rest = NULL;
    line[strcspn(line, "#")] = '\0';
    char *word = strtok_r(line, blank, &rest);
    if (!word || strcmp(word, "hwcap") == 0)
        return;
    if (strcmp(word, "include") == 0)
        while ((word = strtok_r(NULL, blank, &rest)))
            include(word, path, depth, to);
    else
        to->tell(word, to->context);
}

static void read_file(const char *path, int depth, const hearer *to)
{
    char *line = NULL;
    size_t room = 0;
    FILE *file = depth < DEPTH ? fopen(path, "re") : NULL;
    while (file && getline(&line, &room, file) >= 0)
        read_line(line, path, depth, to);
    free(line);
    if (file)
        fclose(file);
}

void hs__linker_folders(const char *file, void (*tell)(const char *folder, void *context), void *context)
{
    read_file(file, 0, &(hearer){tell, context});
}
