/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "apps/common.h"
#include "util/plural.h"
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int app_require(int status)
{
    int rank;
    if (status >= 0)
        return status;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0)
        sleep(1); /* what other ranks say arrives before all end */
    MPI_Abort(MPI_COMM_WORLD, 1);
    return status;
}

static void *require_memory(void *memory, int64_t count, size_t bytes)
{
    if (!memory) {
        fprintf(stderr, "%s: no memory for %" PRId64 " x %zu bytes\n", program_invocation_short_name, count, bytes);
        MPI_Abort(MPI_COMM_WORLD, 1);
    }
    return memory;
}

void *app_allocate(int64_t count, size_t bytes)
{
    return require_memory(calloc((size_t)count + 1, bytes), count, bytes);
}

void *app_resize(void *memory, int64_t count, size_t bytes)
{
    return require_memory(realloc(memory, ((size_t)count + 1) * bytes), count, bytes);
}

uint64_t app_hash(uint64_t bits, uint64_t place)
{
    bits = (bits ^ place) * 0x9e3779b97f4a7c15u;
    return (bits ^ (bits >> 29)) * 0xbf58476d1ce4e5b9u;
}

double app_efficiency(MPI_Comm comm, double speed, double work, double seconds)
{
    double mine[2] = {speed, work}, all[2];
    MPI_Allreduce(mine, all, 2, MPI_DOUBLE, MPI_SUM, comm);
    return all[0] > 0 && seconds > 0 ? all[1] / all[0] / seconds : 0;
}

static int is_first(MPI_Comm comm)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    return rank == 0;
}

void app_print_result(MPI_Comm comm, const app_result *r, int json)
{
    const char *verified = r->verified ? "true" : "false";
    if (!is_first(comm))
        return;
    if (json)
        printf("{\"time\":%.6f,\"iterations\":%" PRId64 ",\"verified\":%s,\"checksum\":\"%016" PRIx64
               "\",\"rebalances\":%" PRId64 ",\"moved_bytes\":%" PRId64 ",\"efficiency\":%.4f",
               r->seconds, r->iterations, verified, r->checksum, r->moves, r->moved_bytes, r->efficiency);
    else
        printf("time %.3f s, %" PRId64 " iteration%s, verified %s, checksum %016" PRIx64 ", %" PRId64
               " rebalance%s, %" PRId64 " bytes moved, efficiency %.3f",
               r->seconds, r->iterations, hs__plural(r->iterations), verified, r->checksum, r->moves,
               hs__plural(r->moves), r->moved_bytes, r->efficiency);
}

void app_print_counts(MPI_Comm comm, const char *name, int64_t mine, int json)
{
    int size;
    MPI_Comm_size(comm, &size);
    int64_t *all = app_allocate(size, sizeof *all);
    MPI_Gather(&mine, 1, MPI_INT64_T, all, 1, MPI_INT64_T, 0, comm);
    if (is_first(comm)) {
        printf(json ? ",\"%s\":[" : ", %s", name);
        for (int r = 0; r < size; r++)
            printf("%s%" PRId64, json ? (r ? "," : "") : " ", all[r]);
        printf(json ? "]" : "");
    }
    free(all);
}

void app_print_end(MPI_Comm comm, int json)
{
    if (is_first(comm))
        printf(json ? "}\n" : "\n");
}

int app_end(int code)
{
    int written = fflush(stdout) == 0 && !ferror(stdout);
    if (!written)
        fprintf(stderr, "%s: cannot write standard output: %s\n", program_invocation_short_name, strerror(errno));
    MPI_Finalize();
    return written || code != 0 ? code : 1;
}
