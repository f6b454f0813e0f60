/* SPDX-License-Identifier: BSD-3-Clause */
#include "config.h"

#include "runtime/bind/cores.h"
#ifdef HAVE_HWLOC
#include "util/array.h"
#include <hwloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A kind of cores that hwloc knows to be faster, but not how much. */
#define FASTER 1.5

struct hs__cores {
    hwloc_topology_t topology;
    hwloc_bitmap_t found; /* how the process was bound */
    hwloc_bitmap_t *core; /* processing units of every core */
    double *speed;
    int count;
    int is_bound; /* by hs__cores_bind() */
};

#if HWLOC_API_VERSION >= 0x00020400
/* A number that hwloc knows of a kind; 0: it does not. */
static double kind_number(hwloc_topology_t topology, unsigned kind, const char *name)
{
    struct hwloc_info_s *info;
    unsigned n = 0;
    int efficiency;
    if (hwloc_cpukinds_get_info(topology, kind, NULL, &efficiency, &n, &info, 0) != 0)
        return 0;
    for (unsigned k = 0; k < n; k++)
        if (strcmp(info[k].name, name) == 0)
            return atof(info[k].value);
    return 0;
}

/* Whether all kinds have the number, and at least two of them different ones. */
static int tells_apart(hwloc_topology_t topology, unsigned kinds, const char *name)
{
    double least = INFINITY, most = 0;
    for (unsigned k = 0; k < kinds; k++) {
        least = fmin(least, kind_number(topology, k, name));
        most = fmax(most, kind_number(topology, k, name));
    }
    return least > 0 && least < most;
}

static double kind_speed(hwloc_topology_t topology, int kind, const char *by)
{
    int efficiency = 0;
    if (by)
        return kind_number(topology, (unsigned)kind, by);
    hwloc_cpukinds_get_info(topology, (unsigned)kind, NULL, &efficiency, NULL, NULL, 0);
    return pow(FASTER, efficiency > 0 ? efficiency : 0);
}

static void find_speeds(hs__cores *cores)
{
    static const char *const numbers[] = {"LinuxCapacity", "FrequencyMaxMHz"};
    int kinds = hwloc_cpukinds_get_nr(cores->topology, 0);
    const char *by = NULL;
    double slowest = INFINITY;
    for (int k = 0; k < 2 && !by && kinds > 1; k++)
        by = tells_apart(cores->topology, (unsigned)kinds, numbers[k]) ? numbers[k] : NULL;
    for (int c = 0; c < cores->count; c++) {
        int kind = kinds > 1 ? hwloc_cpukinds_get_by_cpuset(cores->topology, cores->core[c], 0) : -1;
        cores->speed[c] = kind >= 0 ? kind_speed(cores->topology, kind, by) : 1;
        slowest = fmin(slowest, cores->speed[c]);
    }
    for (int c = 0; c < cores->count; c++)
        cores->speed[c] /= slowest;
}
#else
static void find_speeds(hs__cores *cores)
{
    for (int c = 0; c < cores->count; c++)
        cores->speed[c] = 1;
}
#endif

static int can_bind(hwloc_topology_t topology)
{
    const struct hwloc_topology_support *support = hwloc_topology_get_support(topology);
    return support->cpubind->set_thisproc_cpubind && support->cpubind->get_thisproc_cpubind;
}

static hs_status list_cores(hs__cores *cores)
{
    int depth = hwloc_get_type_or_below_depth(cores->topology, HWLOC_OBJ_CORE);
    int n = (int)hwloc_get_nbobjs_by_depth(cores->topology, depth);
    cores->core = hs__array_new((size_t)n, sizeof(hwloc_bitmap_t));
    cores->speed = hs__array_new((size_t)n, sizeof *cores->speed);
    if (!cores->core || !cores->speed)
        return HS_ERR_NOMEM;
    for (int c = 0; c < n; c++) {
        hwloc_obj_t object = hwloc_get_obj_by_depth(cores->topology, depth, (unsigned)c);
        cores->core[c] = hwloc_bitmap_dup(object->cpuset);
        if (!cores->core[c])
            return HS_ERR_NOMEM;
        cores->count++;
    }
    find_speeds(cores);
    return HS_OK;
}

/* What the control group forbids is in as well: it may differ from rank to rank, and all have to see the same cores. */
hs_status hs__cores_load(hs__cores **out)
{
    hs__cores *cores = hs__array_new(1, sizeof *cores);
    hs_status status = HS_ERR_UNSUPPORTED;
    if (!cores)
        return HS_ERR_NOMEM;
    cores->found = hwloc_bitmap_alloc();
    if (hwloc_topology_init(&cores->topology) != 0)
        cores->topology = NULL;
    if (!cores->topology || hwloc_topology_set_flags(cores->topology, HWLOC_TOPOLOGY_FLAG_INCLUDE_DISALLOWED) != 0 ||
        hwloc_topology_load(cores->topology) != 0 || !can_bind(cores->topology) || !cores->found ||
        hwloc_get_cpubind(cores->topology, cores->found, HWLOC_CPUBIND_PROCESS) != 0)
        goto out;
    status = list_cores(cores);
out:
    if (status == HS_OK)
        *out = cores;
    else
        hs__cores_free(cores);
    return status;
}

void hs__cores_free(hs__cores *cores)
{
    if (!cores)
        return;
    for (int c = 0; c < cores->count; c++)
        hwloc_bitmap_free(cores->core[c]);
    free(cores->core);
    free(cores->speed);
    hwloc_bitmap_free(cores->found);
    if (cores->topology)
        hwloc_topology_destroy(cores->topology);
    free(cores);
}

int hs__cores_pus(const hs__cores *cores)
{
    return hwloc_get_nbobjs_by_type(cores->topology, HWLOC_OBJ_PU);
}

static unsigned pu_index(const hs__cores *cores, int pu)
{
    return hwloc_get_obj_by_type(cores->topology, HWLOC_OBJ_PU, (unsigned)pu)->os_index;
}

void hs__cores_look(const hs__cores *cores, char *pus)
{
    hwloc_const_cpuset_t allowed = hwloc_topology_get_allowed_cpuset(cores->topology);
    for (int k = 0; k < hs__cores_pus(cores); k++) {
        unsigned pu = pu_index(cores, k);
        int bound = hwloc_bitmap_isset(cores->found, pu), has = hwloc_bitmap_isset(allowed, pu);
        pus[k] = (char)((bound ? HS__PU_BOUND : 0) | (has ? HS__PU_ALLOWED : 0));
    }
}

int hs__cores_keep(hs__cores *cores, const char *pus)
{
    int kept = 0;
    for (int k = 0; k < hs__cores_pus(cores); k++)
        for (int c = 0; c < cores->count && !(pus[k] & HS__PU_BOUND); c++)
            hwloc_bitmap_clr(cores->core[c], pu_index(cores, k));
    for (int c = 0; c < cores->count; c++) {
        if (hwloc_bitmap_iszero(cores->core[c])) {
            hwloc_bitmap_free(cores->core[c]);
            continue;
        }
        cores->core[kept] = cores->core[c];
        cores->speed[kept++] = cores->speed[c];
    }
    return cores->count = kept;
}

void hs__cores_with(const hs__cores *cores, const char *pus, int bit, char *set)
{
    memset(set, 0, (size_t)cores->count);
    for (int k = 0; k < hs__cores_pus(cores); k++)
        for (int c = 0; c < cores->count && (pus[k] & bit); c++)
            set[c] |= (char)hwloc_bitmap_isset(cores->core[c], pu_index(cores, k));
}

const double *hs__cores_speed(const hs__cores *cores)
{
    return cores->speed;
}

static hwloc_bitmap_t units_of(const hs__cores *cores, const char *set)
{
    hwloc_bitmap_t units = hwloc_bitmap_alloc();
    for (int c = 0; units && c < cores->count; c++)
        if (set[c])
            hwloc_bitmap_or(units, units, cores->core[c]);
    return units;
}

int hs__cores_is_uniform(const hs__cores *cores)
{
    hwloc_bitmap_t present = hwloc_bitmap_alloc();
    int flags = HWLOC_CPUBIND_PROCESS | HWLOC_CPUBIND_STRICT;
    int is_uniform = present && hwloc_get_cpubind(cores->topology, present, flags) == 0;
    hwloc_bitmap_free(present);
    return is_uniform;
}

hs_status hs__cores_bind(hs__cores *cores, const char *set)
{
    hwloc_bitmap_t units = units_of(cores, set);
    hs_status status = units ? HS_OK : HS_ERR_NOMEM;
    if (units && hwloc_set_cpubind(cores->topology, units, HWLOC_CPUBIND_PROCESS) != 0)
        status = HS_ERR_UNSUPPORTED;
    cores->is_bound |= status == HS_OK;
    hwloc_bitmap_free(units);
    return status;
}

void hs__cores_restore(hs__cores *cores)
{
    if (cores->is_bound)
        hwloc_set_cpubind(cores->topology, cores->found, HWLOC_CPUBIND_PROCESS);
    cores->is_bound = 0;
}

char *hs__cores_text(const hs__cores *cores, const char *set, char *text, int size)
{
    hwloc_bitmap_t units = units_of(cores, set);
    text[0] = '\0';
    if (units)
        hwloc_bitmap_list_snprintf(text, (size_t)size, units);
    hwloc_bitmap_free(units);
    return text;
}
#endif
