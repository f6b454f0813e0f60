/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/probe/facts.h"
#include "config.h"
#include "runtime/base/quota.h"
#include <math.h>
#include <unistd.h>
#ifdef HAVE_HWLOC
#include <hwloc.h>

static int64_t cache_bytes(hwloc_topology_t topology, hwloc_obj_type_t type)
{
    hwloc_obj_t cache = hwloc_get_next_obj_by_type(topology, type, NULL);
    return cache ? (int64_t)cache->attr->cache.size : 0;
}

static int count(hwloc_topology_t topology, hwloc_obj_type_t type)
{
    int n = hwloc_get_nbobjs_by_type(topology, type);
    return n > 0 ? n : 0;
}

/* Of all caches of a level. */
static double cache_part(hwloc_topology_t topology, hwloc_obj_type_t type, int ranks)
{
    double bytes = (double)cache_bytes(topology, type);
    int caches = count(topology, type);
    return caches < ranks ? bytes * caches / ranks : bytes;
}

static int count_bound(hwloc_topology_t topology)
{
    int n = 0;
    hwloc_cpuset_t set = hwloc_bitmap_alloc();
    if (set && hwloc_get_cpubind(topology, set, HWLOC_CPUBIND_THREAD) == 0)
        n = hwloc_bitmap_weight(set);
    hwloc_bitmap_free(set);
    return n > 0 ? n : 0;
}

static int count_kinds(hwloc_topology_t topology)
{
#if HWLOC_API_VERSION >= 0x00020400
    int n = hwloc_cpukinds_get_nr(topology, 0);
    return n > 0 ? n : 0;
#else
    return 0;
#endif
}

static void ask_hwloc(hs_probe_host *host, hs__room *room)
{
    hwloc_topology_t topology;
    if (hwloc_topology_init(&topology) != 0)
        return;
    if (hwloc_topology_load(topology) == 0) {
        host->cores = count(topology, HWLOC_OBJ_CORE);
        host->cpus = count(topology, HWLOC_OBJ_PU);
        host->cpu_kinds = count_kinds(topology);
        host->bound_cpus = count_bound(topology);
        host->cache[0] = cache_bytes(topology, HWLOC_OBJ_L1CACHE);
        host->cache[1] = cache_bytes(topology, HWLOC_OBJ_L2CACHE);
        host->cache[2] = cache_bytes(topology, HWLOC_OBJ_L3CACHE);
        host->memory = (int64_t)hwloc_get_root_obj(topology)->total_memory;
        room->second = cache_part(topology, HWLOC_OBJ_L2CACHE, host->ranks);
        room->last = host->cache[2] > 0 ? cache_part(topology, HWLOC_OBJ_L3CACHE, host->ranks) : room->second;
    }
    hwloc_topology_destroy(topology);
}
#else
static void ask_hwloc(hs_probe_host *host, hs__room *room)
{
    (void)host;
    (void)room;
}
#endif

void hs__facts_read(hs_probe_host *host, hs__room *room)
{
    ask_hwloc(host, room);
    long cpus = sysconf(_SC_NPROCESSORS_ONLN), pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    long unused = sysconf(_SC_AVPHYS_PAGES);
    if (host->cpus == 0 && cpus > 0)
        host->cpus = (int)cpus;
    if (host->memory == 0 && pages > 0 && page > 0)
        host->memory = (int64_t)pages * page;
    double limit = hs__quota_memory();
    room->memory = host->memory > 0 ? fmin((double)host->memory, limit) : 0;
    room->unused = unused > 0 && page > 0 ? fmin((double)unused * (double)page, limit) / host->ranks : 0;
}
