/* SPDX-License-Identifier: BSD-3-Clause */
#include "interpose/partition/links.h"
#include "plan/hierarchy/hierarchy.h"
#include "runtime/base/backoff.h"
#include "util/array.h"
#include "util/pool.h"
#include <stdlib.h>

/* The process; hosts that have ranks are numbered by their first ranks. */
static struct {
    int hosts;               /* 0: nothing is known, or links are equal */
    int *host;               /* [ranks] */
    unsigned char *distance; /* [hosts * hosts] */
    hs__pool pool;
} self;

void hs__links_stop(void)
{
    hs__pool_free(&self.pool);
    self.hosts = 0;
}

/* Replace the platform's hosts by own numbers.
 * @param[out] node  the platform's host of each number @return how many; 0: memory is out */
static int number_hosts(const hs_platform *platform, const int *host, int ranks, int *node)
{
    int hosts = 0, *number = hs__array_new((size_t)hs_platform_hosts(platform), sizeof *number);
    for (int r = 0; number && r < ranks; r++) {
        if (number[host[r]] == 0) {
            node[hosts++] = host[r];
            number[host[r]] = hosts;
        }
        self.host[r] = number[host[r]] - 1;
    }
    free(number);
    return hosts;
}

/* @return how many hosts; 0: links count as equal */
static int find_distances(const hs_platform *platform, const int *host, int ranks, int *node, unsigned char *distance)
{
    int hosts = number_hosts(platform, host, ranks, node);
    return hs__distances_find(platform, node, hosts, distance) == HS_OK ? hosts : 0;
}

void hs__links_start(MPI_Comm comm, const hs_platform *platform, const int *host)
{
    int rank, ranks, hosts = 0;
    PMPI_Comm_rank(comm, &rank);
    PMPI_Comm_size(comm, &ranks);
    int most = ranks < HS__DISTANCE_HOSTS_MAX ? ranks : HS__DISTANCE_HOSTS_MAX;
    int *node = hs__pool_new(&self.pool, (size_t)ranks, sizeof *node);
    self.host = hs__pool_new(&self.pool, (size_t)ranks, sizeof *self.host);
    self.distance = hs__pool_new(&self.pool, (size_t)most * (size_t)most, 1);
    int ready = hs__all_ok(comm, hs__pool_status(&self.pool) == HS_OK);
    if (ready && rank == 0)
        hosts = find_distances(platform, host, ranks, node, self.distance);
    if (ready)
        PMPI_Bcast(&hosts, 1, MPI_INT, 0, comm);
    if (hosts == 0) {
        hs__links_stop();
        return;
    }
    PMPI_Bcast(self.host, ranks, MPI_INT, 0, comm);
    PMPI_Bcast(self.distance, hosts * hosts, MPI_UNSIGNED_CHAR, 0, comm);
    self.hosts = hosts;
}

int hs__links_farthest(void)
{
    int farthest = 1;
    for (int k = 0; k < self.hosts * self.hosts; k++)
        farthest = self.distance[k] > farthest ? self.distance[k] : farthest;
    return farthest;
}

int hs__links_distance(int a, int b)
{
    return self.distance[self.host[a] * self.hosts + self.host[b]];
}

hs_status hs__links_domains(int parts, const int *world, const double *weight, int *domain)
{
    hs__pool pool = {0};
    int *host = hs__pool_new(&pool, (size_t)parts, sizeof *host);
    for (int p = 0; host && p < parts; p++)
        host[p] = self.host[world[p]];
    hs__domain_parts of = {parts, weight, host, self.hosts, self.distance};
    hs_status status = host ? hs__domains_find(&of, domain) : HS_ERR_NOMEM;
    hs__pool_free(&pool);
    return status;
}
