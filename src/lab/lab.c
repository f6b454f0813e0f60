/* SPDX-License-Identifier: BSD-3-Clause */
/* Make and remove a lab. The state file is written first and every part carries the lab's name, so a lab can be removed
 * wherever its start was interrupted. */
#include "config.h"

#include "lab/cpu.h"
#include "lab/lab.h"
#include "lab/throttle.h"
#include "util/array.h"
#include "util/file.h"
#include "util/status.h"
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Remove everything of a lab that exists; *found tells whether anything did. What is left, because something could not be
 * removed, is found by the lab's name the next time. */
static hs_status remove_all(const char *name, int *found, hs_error *error)
{
    char path[LAB_PATH];
    hs_error second;
    *found = access(lab_directory(name, path), F_OK) == 0;
    hs_status status = HS_OK, network = HS_OK;
    lab_throttle_down(name);
    if (geteuid() == 0) {
        status = lab_cpu_down(name, found, error);
        network = lab_network_down(name, found, status == HS_OK ? error : &second);
    }
    lab_forget(name);
    return status == HS_OK ? network : status;
}

/* Write the hosts file that processes on the lab see as /etc/hosts. */
static hs_status write_hosts(const lab_cluster *lab, hs_error *error)
{
    char path[LAB_PATH];
    hs__file *file;
    hs_status status = hs__file_create(lab_file(lab->name, LAB_HOSTS, path), &file, error);
    if (status != HS_OK)
        return status;
    fputs("127.0.0.1 localhost\n", hs__file_stream(file));
    for (int i = 0; i < lab->hosts; i++)
        fprintf(hs__file_stream(file), "10.77.0.%d %s\n", i + 1, lab->host[i].name);
    return hs__file_commit(file, error);
}

static hs_status make(const lab_plan *plan, lab_cluster *lab, const lab_topology *topology, hs_error *error)
{
    hs_status status = lab_save(lab, error);
    if (status == HS_OK && !plan->path)
        status = hs_platform_write(plan->platform, lab->platform, error);
    if (status == HS_OK && lab->network)
        status = lab_cpu_up(lab, error);
    if (status == HS_OK && lab->network && lab->throttled)
        status = lab_freezer_up(lab, error);
    if (status == HS_OK && lab->throttled)
        status = lab_throttle_up(lab, error);
    if (status == HS_OK && lab->network)
        status = lab_network_up(lab, topology, error);
    if (status == HS_OK && lab->network)
        status = write_hosts(lab, error);
    if (status != HS_OK)
        return status;
    lab->ready = 1;
    return lab_save(lab, error);
}

/* Remove what an interrupted start left of a lab of this name. Fails when the lab is up. */
static hs_status clear_old_lab(const char *name, hs_error *error)
{
    hs_error ignored;
    lab_cluster *old = NULL;
    int found, up = lab_load(name, &old, &ignored) == HS_OK && old->ready;
    lab_free(old);
    if (up)
        return hs_error_set(error, HS_ERR_STATE, 0, "lab '%s' is up already ('hs lab down --name %s' removes it)", name,
                            name);
    return remove_all(name, &found, error);
}

hs_status lab_up(const lab_plan *plan, lab_cluster **out, hs_error *error)
{
    lab_cluster *made = NULL;
    lab_topology *topology = NULL;
    int lock = -1, found;
    char kept[LAB_PATH];
    hs_error ignored;
    lab_cpu freezer;
    hs_status status = lab_create(plan->platform, plan->name, plan->cpus, &made, error);
    if (status != HS_OK)
        return status;
    made->platform = plan->path ? realpath(plan->path, NULL) : NULL; /* valid in any working directory */
    if (!made->platform)
        made->platform = hs__text_copy(plan->path ? plan->path : lab_file(plan->name, LAB_KEPT, kept));
    made->network = plan->network;
    made->throttled = !plan->network || lab_freezer_find(LAB_MOUNTS, &freezer);
    made->rate_scale = plan->rate_scale;
    for (int i = 0; i < made->links; i++)
        made->link[i].bandwidth *= plan->rate_scale;
    if (!made->platform)
        status = hs__error_status(error, HS_ERR_NOMEM);
    if (status == HS_OK && plan->network)
        status = lab_topology_create(plan->platform, &topology, error);
    if (status == HS_OK && plan->network)
        status = lab_links_check(made, topology, error);
    if (status == HS_OK)
        status = lab_lock(&lock, error);
    if (status == HS_OK)
        status = clear_old_lab(made->name, error);
    if (status == HS_OK && (status = make(plan, made, topology, error)) != HS_OK)
        remove_all(made->name, &found, &ignored);
    lab_unlock(lock);
    lab_topology_free(topology);
    if (status != HS_OK) {
        lab_free(made);
        return status;
    }
    *out = made;
    return HS_OK;
}

hs_status lab_down(const char *name, hs_error *error)
{
    int lock, found;
    hs_status status = lab_lock(&lock, error);
    if (status != HS_OK)
        return status;
    status = remove_all(name, &found, error);
    lab_unlock(lock);
    if (status == HS_OK && !found)
        return hs_error_set(error, HS_ERR_STATE, 0, "no lab '%s' is up", name);
    return status;
}

hs_status lab_change(const char *name, lab_change_of *change, const char *what, double factor, hs_error *error)
{
    lab_cluster *lab = NULL;
    int lock;
    hs_status status = lab_lock(&lock, error);
    if (status != HS_OK)
        return status;
    status = lab_load(name, &lab, error);
    if (status == HS_OK)
        status = change(lab, what, factor, error);
    if (status == HS_OK)
        status = lab_save(lab, error);
    lab_free(lab);
    lab_unlock(lock);
    return status;
}

/* Cores that a host may get: the kernel refuses larger quotas. */
static const double most_cores = 1e6;

static hs_status change_speed(lab_cluster *lab, const char *host, double factor, hs_error *error)
{
    int index = lab_find_host(lab, host);
    if (index < 0)
        return hs_error_set(error, HS_ERR_ARG, 0, "the lab has no host '%s'", host);
    double cores = lab->host[index].quota * factor;
    if (!(cores <= most_cores))
        return hs_error_set(error, HS_ERR_ARG, 0, "FACTOR %g gives host '%.80s' %g cores: expected at most %g", factor,
                            lab->host[index].id, cores, most_cores);
    lab->host[index].factor = factor;
    /* The throttler reads the new state file on its own. */
    return lab->network ? lab_cpu_set(lab, index, error) : HS_OK;
}

hs_status lab_speed(const char *name, const char *host, double factor, hs_error *error)
{
    return lab_change(name, change_speed, host, factor, error);
}
