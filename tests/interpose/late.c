/* SPDX-License-Identifier: BSD-3-Clause */
/* A program that is not linked to MPI and loads what is: late OBJECT */
#include <dlfcn.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    void (*part)(int *);
    int ranks = 0;
    void *object = dlopen(argc > 1 ? argv[1] : "", RTLD_NOW | RTLD_LOCAL);
    if (!object) {
        printf("%s\n", dlerror());
        return 1;
    }
    *(void **)&part = dlsym(object, "late_part");
    part(&ranks);
    printf("of %d: 2 calls\n", ranks);
    return 0;
}
