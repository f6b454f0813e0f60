/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/session/kept.h"
#include "cache/cache.h"
#include "runtime/base/environment.h"
#include "runtime/base/host_names.h"
#include "runtime/base/named_platform.h"
#include "runtime/probe/rounds.h"
#include "runtime/probe/spot.h"
#include "runtime/session/context.h"
#include "util/array.h"
#include <heteroslice/hs_probe.h>
#include <stdlib.h>

static const double long_enough = 0.5; /* seconds: what is measured in less is rough, see hs_probe_params */

static hs_probe_params probe_params_of(const hs_params *params, double timeout)
{
    hs_probe_params p;
    hs_probe_params_init(&p);
    p.every_kernel = 0;
    p.budget = params->probe_budget;
    p.host_name = params->host;
    p.timeout = timeout;
    return p;
}

/* ---- Rank 0's file ---- */

/* The hosts of the ranks. @return how many; 0 without memory */
static size_t list_hosts(const char *names, int ranks, hs__cache_host *host)
{
    int *host_of = hs__array_new((size_t)ranks, sizeof *host_of), *first = hs__array_new((size_t)ranks, sizeof *first);
    int hosts = host_of && first ? hs__group_hosts(names, HS__HOST_NAME_SIZE, ranks, host_of, first) : 0;
    for (int i = 0; i < hosts; i++)
        host[i] = (hs__cache_host){names + (size_t)first[i] * HS__HOST_NAME_SIZE, 0};
    for (int r = 0; r < ranks && hosts > 0; r++)
        host[host_of[r]].ranks++;
    free(host_of);
    free(first);
    return hosts > 0 ? (size_t)hosts : 0;
}

/* Read the file of these hosts. @param[out] path  "" where nothing may be kept. @param[out] platform  NULL when there is none */
static void look(const char *names, int ranks, char *path, hs_platform **platform)
{
    char why[HS__CACHE_WHY] = "", age[48];
    hs__cache_host *host = hs__array_new((size_t)ranks, sizeof *host);
    size_t n = host && hs__environment()->cache != HS__CACHE_OFF ? list_hosts(names, ranks, host) : 0;
    if (n == 0 || hs__cache_file(host, n, path, HS__CACHE_PATH) != 0)
        path[0] = '\0';
    hs__cache_state state = HS__CACHE_ABSENT;
    if (path[0])
        state = hs__cache_look(path, host, n, platform, why, sizeof why);
    free(host);
    if (why[0])
        hs__environment_log(HS__LOG_WARN, "the measurement in %.200s is not used: %.200s", path, why);
    if (state != HS__CACHE_USABLE || hs__cache_age(path) <= HS__CACHE_MAX_AGE)
        return;
    hs__environment_log(HS__LOG_INFO, "the measurement of %s ago in %.300s is too old",
                        hs__cache_age_text(hs__cache_age(path), age, sizeof age), path);
    hs_platform_free(*platform);
    *platform = NULL;
}

static void keep(const char *path, const hs_platform *platform)
{
    char why[HS__CACHE_WHY] = "";
    if (hs__cache_write(path, platform, why, sizeof why) == 0)
        hs__environment_log(HS__LOG_INFO, "the measurement is kept in %.300s", path);
    else
        hs__environment_log(HS__LOG_INFO, "the measurement is not kept in %.200s: %.200s", path, why);
}

/* ---- All ranks ---- */

static hs_status measure(hs__peers *peers, const hs_probe_params *params, hs_platform **platform, hs_error *error)
{
    hs_probe_result *result = NULL;
    hs_status status = hs_probe_run(peers->comm, params, &result, error);
    if (status == HS_OK)
        status = hs_probe_platform(result, platform, error);
    hs_probe_result_free(result);
    return status;
}

/* Speeds are those of now, links those of the file. */
static void keep_speeds(const char *path, const hs_platform *platform, const char *what)
{
    char why[HS__CACHE_WHY] = "";
    hs__environment_log(HS__LOG_INFO, "%s: speeds are refreshed", what);
    if (hs__cache_refresh(path, platform, why, sizeof why) != 0)
        hs__environment_log(HS__LOG_INFO, "they are not kept in %.200s: %.200s", path, why);
}

/* Whether rank 0's platform, if it has one, still holds, or does with other speeds: the same on all ranks.
 * @param[out] why  on rank 0, one line when it does not, else "" */
static hs_status check(hs__peers *peers, const hs_probe_params *params, hs_platform *platform, const char *path,
                       hs__holds *holds, char *why, size_t size, hs_error *error)
{
    int there = platform != NULL, rank;
    *why = '\0';
    PMPI_Comm_rank(peers->comm, &rank);
    hs_status status = hs__peers_share(peers, 0, &there, sizeof there);
    if (status == HS_OK && there)
        status = hs__probe_holds(peers->comm, params, platform, path, holds, why, size, error);
    if (status == HS_OK && rank == 0 && *holds == HS__HOLDS_REFRESHED)
        keep_speeds(path, platform, why);
    return status;
}

static void tell_used(const char *path)
{
    char age[48];
    hs__environment_log(HS__LOG_INFO, "using the measurement of %s ago in %.300s (HS_CACHE=off makes a new one)",
                        hs__cache_age_text(hs__cache_age(path), age, sizeof age), path);
}

hs_status hs__kept_find(hs__peers *peers, const hs_params *params, const char *names, hs_platform **platform,
                        hs_error *error)
{
    const hs_probe_params probe_params = probe_params_of(params, peers->timeout);
    char path[HS__CACHE_PATH] = "", why[HS__CACHE_WHY];
    int rank, ranks;
    hs__holds holds = HS__HOLDS_NOT;
    hs_platform *kept = NULL;
    PMPI_Comm_rank(peers->comm, &rank);
    PMPI_Comm_size(peers->comm, &ranks);
    if (rank == 0)
        look(names, ranks, path, &kept);
    hs_status status = check(peers, &probe_params, kept, path, &holds, why, sizeof why, error);
    if (status == HS_OK && holds != HS__HOLDS_NOT) {
        if (rank == 0)
            tell_used(path);
        *platform = kept;
        return HS_OK;
    }
    hs_platform_free(kept);
    if (status == HS_OK && why[0])
        hs__environment_log(HS__LOG_INFO, "%s: measuring anew", why);
    if (status == HS_OK)
        status = measure(peers, &probe_params, platform, error);
    peers->broken |= status == HS_ERR_TIMEOUT || status == HS_ERR_MPI; /* other ranks do not come any more */
    if (status == HS_OK && path[0] && params->probe_budget >= long_enough)
        keep(path, *platform);
    return status;
}

void hs__kept_check(MPI_Comm comm)
{
    const hs_params params = hs__complete_params(NULL, hs__environment());
    const hs_probe_params probe_params = probe_params_of(&params, params.timeout);
    const char *path = hs__environment_platform();
    char why[HS__CACHE_WHY];
    hs__peers peers;
    hs__holds holds = HS__HOLDS_NOT;
    int rank;
    PMPI_Comm_rank(comm, &rank);
    hs_platform *platform = rank == 0 ? hs__named_platform_to_correct() : NULL;
    (void)hs__peers_open(&peers, comm, params.timeout, 1);
    hs_status status = check(&peers, &probe_params, platform, path, &holds, why, sizeof why, NULL);
    if (status == HS_OK && holds == HS__HOLDS_NOT && why[0])
        hs__environment_log(HS__LOG_WARN, "%s%s", why, hs__cache_mark(path) ? ": the next hs run measures anew" : "");
    hs__peers_close(&peers);
}
