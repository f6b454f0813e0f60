/* SPDX-License-Identifier: BSD-3-Clause */
/* Not by MPI_Win_allocate_shared(): where /dev/shm is full, Open MPI's returns on the first rank, and never on the others. */
#include "config.h"

#include "runtime/base/backoff.h"
#include "runtime/base/node_memory.h"
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Makes a file that has room for all bytes. @return its descriptor; -1: there is none */
static int make_file(char *name, size_t bytes)
{
    int file = mkostemp(name, O_CLOEXEC);
    if (file < 0 || posix_fallocate(file, 0, (off_t)bytes) == 0)
        return file;
    close(file);
    unlink(name);
    return -1;
}

static void *map(int file, size_t bytes)
{
    void *memory = file < 0 ? MAP_FAILED : mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (file >= 0)
        close(file);
    return memory == MAP_FAILED ? NULL : memory;
}

hs_status hs__node_memory_get(MPI_Comm node, size_t bytes, void **base)
{
    char name[] = "/dev/shm/heteroslice-XXXXXX";
    int rank;
    PMPI_Comm_rank(node, &rank);
    int file = rank == 0 ? make_file(name, bytes) : -1;
    if (!hs__all_ok(node, rank > 0 || file >= 0))
        return HS_ERR_NOMEM;
    if (PMPI_Bcast(name, sizeof name, MPI_CHAR, 0, node) == MPI_SUCCESS && rank > 0)
        file = open(name, O_RDWR | O_CLOEXEC);
    void *memory = map(file, bytes);
    int shared = hs__all_ok(node, memory != NULL);
    if (rank == 0)
        unlink(name);
    if (shared)
        *base = memory;
    else
        hs__node_memory_free(memory, bytes);
    return shared ? HS_OK : HS_ERR_NOMEM;
}

void hs__node_memory_free(void *base, size_t bytes)
{
    if (base)
        munmap(base, bytes);
}
