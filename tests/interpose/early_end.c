/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank ends while another still looks in MPI_Init for who has the library; linked to it. */
#define _GNU_SOURCE
#include "tests/mpi.h"
#include <dlfcn.h>
#include <heteroslice/hs_version.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>

enum { LATE = 300000 }; /* microseconds */

static int was_late;

/* Names that tell of settings end with .h and their hash: see src/runtime/base/presence.c. */
static int asks_for_settings(const struct sockaddr *address)
{
    const struct sockaddr_un *name = (const struct sockaddr_un *)address;
    const char *text = name->sun_path + 1;
    return address->sa_family == AF_UNIX && strncmp(text, "heteroslice.", 12) == 0 && strrchr(text, '.')[1] == 'h';
}

/* The last rank looks slowly for who is there. */
__attribute__((visibility("default"))) int connect(int descriptor, __CONST_SOCKADDR_ARG address, socklen_t length)
{
    int (*forward)(int, const struct sockaddr *, socklen_t) = NULL;
    *(void **)&forward = dlsym(RTLD_NEXT, "connect");
    if (!was_late && asks_for_settings(address.__sockaddr__) && world_rank() == world_size() - 1) {
        was_late = 1;
        usleep(LATE);
    }
    return forward(descriptor, address.__sockaddr__, length);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int looked = was_late || world_size() == 1 || world_rank() < world_size() - 1;
    REQUIRE(hs_library_version() != NULL && looked);
    MPI_Finalize();
    return 0;
}
