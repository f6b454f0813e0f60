/* SPDX-License-Identifier: BSD-3-Clause */
/* Runs a target on the inputs that are checked in for it, or on the files given. */
#include "config.h"

#include "tests/fuzz/fuzz.h"
#include <dirent.h>
#include <errno.h>
#include <string.h>

enum { MOST_BYTES = 1 << 20 };

static void run(const char *path)
{
    static uint8_t data[MOST_BYTES];
    FILE *file = fopen(path, "rb");
    FUZZ_CHECK(file);
    size_t size = fread(data, 1, sizeof data, file);
    FUZZ_CHECK(size < sizeof data && !ferror(file));
    fclose(file);
    printf("%s\n", path);
    fflush(stdout); /* so that a log ends with the input that crashes */
    uint8_t *exact = malloc(size ? size : 1);
    FUZZ_CHECK(exact);
    memcpy(exact, data, size);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
}

int main(int argc, char **argv)
{
    char folder[4096], path[8192];
    const char *name = strrchr(argv[0], '/'), *source = getenv("HS_TEST_SRCDIR");
    int inputs = 0;
    for (int i = 1; i < argc; i++)
        run(argv[i]);
    if (argc > 1)
        return 0;
    name = name ? name + 1 : argv[0];
    name += strncmp(name, "lt-", 3) == 0 ? 3 : 0;
    snprintf(folder, sizeof folder, "%s/tests/fuzz/corpus/%.*s", source ? source : ".", (int)strcspn(name, "."), name);
    DIR *directory = opendir(folder);
    if (!directory) {
        fprintf(stderr, "%s: %s\n", folder, strerror(errno));
        return 1;
    }
    for (struct dirent *entry; (entry = readdir(directory));) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
        run(path);
        inputs++;
    }
    closedir(directory);
    FUZZ_CHECK(inputs > 0);
    return 0;
}
