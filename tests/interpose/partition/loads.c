/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that loads the rest of itself late, with RTLD_LOCAL, as Python does: loads LIBRARY WAY... calls its part(). */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void *library = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    int (*part)(int, char **) = library ? (int (*)(int, char **))dlsym(library, "part") : NULL;
    if (part)
        return part(argc - 1, argv + 1);
    fprintf(stderr, "%s\n", dlerror());
    return 1;
}
