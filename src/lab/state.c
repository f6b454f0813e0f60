/* SPDX-License-Identifier: BSD-3-Clause */
/* The description of a lab, and its state file (JSON), by which later invocations show, change and remove it. */
#include "config.h"

#include "lab/lab.h"
#include "util/array.h"
#include "util/assert.h"
#include "util/file.h"
#include "util/path.h"
#include "util/status.h"
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Largest part of a real core that an emulated core gets: the lab's own work needs the rest. */
static const double max_core_share = 0.95;

int lab_name_valid(const char *name)
{
    size_t length = strlen(name);
    for (size_t i = 0; i < length; i++)
        if (!isalnum((unsigned char)name[i]) && name[i] != '-' && name[i] != '_')
            return 0;
    return length > 0 && length <= LAB_NAME_MAX;
}

void lab_free(lab_cluster *lab)
{
    if (!lab)
        return;
    for (int i = 0; i < lab->hosts; i++) {
        free(lab->host[i].id);
        free(lab->host[i].name);
    }
    for (int i = 0; i < lab->links; i++) {
        free(lab->link[i].id);
        free(lab->link[i].netns);
        free(lab->link[i].device);
    }
    free(lab->host);
    free(lab->link);
    free(lab->platform);
    free(lab);
}

static lab_cluster *lab_new(const char *name, int hosts, int links)
{
    lab_cluster *made = hs__array_new(1, sizeof *made);
    if (!made)
        return NULL;
    snprintf(made->name, sizeof made->name, "%s", name);
    made->host = hs__array_new((size_t)hosts, sizeof *made->host);
    made->link = hs__array_new((size_t)links, sizeof *made->link);
    if (!made->host || !made->link) {
        lab_free(made);
        return NULL;
    }
    made->hosts = hosts;
    made->links = links;
    made->rate_scale = 1;
    return made;
}

hs_status lab_link_set_device(lab_link *link, const char *netns, const char *device)
{
    char *netns_copy = hs__text_copy(netns), *device_copy = hs__text_copy(device);
    if (!netns_copy || !device_copy) {
        free(netns_copy);
        free(device_copy);
        return HS_ERR_NOMEM;
    }
    free(link->netns);
    free(link->device);
    link->netns = netns_copy;
    link->device = device_copy;
    return HS_OK;
}

int lab_find_host(const lab_cluster *lab, const char *id)
{
    for (int i = 0; i < lab->hosts; i++)
        if (strcmp(lab->host[i].id, id) == 0)
            return i;
    for (int i = 0; i < lab->hosts; i++)
        if (strcmp(lab->host[i].name, id) == 0)
            return i;
    return -1;
}

/* Host name for an id: other characters than letters, digits, '-' and '.' become '-'. An id that had to be changed or
 * cut gets the host's index appended; so does the name that means the own host everywhere. */
static char *name_of_id(const char *id, int index)
{
    char text[64];
    size_t length = 0;
    int changed = strcasecmp(id, "localhost") == 0;
    for (; length < 40 && id[length]; length++) {
        int plain = isalnum((unsigned char)id[length]) || ((id[length] == '-' || id[length] == '.') && length > 0);
        text[length] = plain ? id[length] : '-';
        changed |= !plain;
    }
    text[length] = '\0';
    if (text[0] == '-')
        text[0] = 'h';
    if (changed || id[length] || length == 0)
        snprintf(text + length, sizeof text - length, "-%d", index);
    return hs__text_copy(text);
}

/* Whoever looks a name up does not tell capitals from small letters. */
static hs_status check_names(const lab_cluster *lab, hs_error *error)
{
    for (int i = 1; i < lab->hosts; i++)
        for (int k = 0; k < i; k++)
            if (strcasecmp(lab->host[i].name, lab->host[k].name) == 0)
                return hs_error_set(
                    error, HS_ERR_UNSUPPORTED, 0,
                    "hosts '%.80s' and '%.80s' would both have the host name '%s': change one of the ids",
                    lab->host[k].id, lab->host[i].id, lab->host[i].name);
    return HS_OK;
}

static hs_status check_speeds(const hs_platform *platform, double *sum, double *fastest, hs_error *error)
{
    long long cores = 0;
    *sum = *fastest = 0;
    for (int i = 0; i < hs_platform_hosts(platform); i++) {
        double speed = hs_platform_host_speed(platform, i);
        if (!(speed > 0))
            return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "host '%.80s' has speed 0; a lab needs speeds above 0",
                                hs_platform_node_id(platform, i));
        *sum += speed * hs_platform_host_cores(platform, i);
        *fastest = fmax(*fastest, speed);
        cores += hs_platform_host_cores(platform, i);
    }
    if (cores > LAB_MAX_CORES)
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "a lab has at most %d cores, the platform has %lld",
                            LAB_MAX_CORES, cores);
    return HS_OK;
}

/* Whether quotas are in proportion to the hosts' speeds, and neither all cores nor one core get more than there is. */
static int keeps_shares(const lab_cluster *lab, double cpus)
{
    const lab_host *first = &lab->host[0];
    double all = 0, quota_per_speed = first->quota / (first->speed * first->cores);
    for (int i = 0; i < lab->hosts; i++) {
        const lab_host *host = &lab->host[i];
        double expected = host->speed * host->cores * quota_per_speed;
        all += host->quota;
        if (fabs(host->quota - expected) > 1e-9 * expected || host->quota > host->cores * max_core_share * (1 + 1e-9))
            return 0;
    }
    return all <= cpus * (1 + 1e-9);
}

hs_status lab_create(const hs_platform *platform, const char *name, double cpus, lab_cluster **out, hs_error *error)
{
    int hosts = hs_platform_hosts(platform), links = hs_platform_links(platform);
    double fastest, sum;
    if (hosts < 1 || hosts > LAB_MAX_HOSTS)
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "a lab has 1 to %d hosts, the platform has %d", LAB_MAX_HOSTS,
                            hosts);
    hs_status status = check_speeds(platform, &sum, &fastest, error);
    if (status != HS_OK)
        return status;
    lab_cluster *made = lab_new(name, hosts, links);
    if (!made)
        return hs__error_status(error, HS_ERR_NOMEM);
    double scale = fmin(cpus / sum, max_core_share / fastest);
    int complete = 1;
    for (int i = 0; i < hosts; i++) {
        lab_host *host = &made->host[i];
        host->id = hs__text_copy(hs_platform_node_id(platform, i));
        host->name = host->id ? name_of_id(host->id, i) : NULL;
        host->speed = hs_platform_host_speed(platform, i);
        host->cores = hs_platform_host_cores(platform, i);
        host->quota = host->speed * host->cores * scale;
        host->factor = 1;
        complete &= host->name != NULL;
    }
    for (int i = 0; i < links; i++) {
        lab_link *link = &made->link[i];
        link->id = hs__text_copy(hs_platform_link_id(platform, i));
        link->netns = hs__text_copy("");
        link->device = hs__text_copy("");
        link->bandwidth = hs_platform_link_bandwidth(platform, i);
        link->factor = 1;
        link->sharing = hs_platform_link_sharing(platform, i);
        complete &= link->id && link->netns && link->device;
    }
    status = complete ? check_names(made, error) : hs__error_status(error, HS_ERR_NOMEM);
    if (status != HS_OK) {
        lab_free(made);
        return status;
    }
    made->routers = hs_platform_routers(platform);
    HS_ASSERT(keeps_shares(made, cpus));
    *out = made;
    return HS_OK;
}

/* Directory of all labs: in /run for root, else one in /tmp that belongs to the user. */
static char *state_root(char *path)
{
    if (geteuid() == 0)
        snprintf(path, LAB_PATH, "/run/heteroslice");
    else
        snprintf(path, LAB_PATH, "/tmp/heteroslice-%ld", (long)geteuid());
    return path;
}

char *lab_directory(const char *name, char *path)
{
    size_t used = strlen(state_root(path));
    snprintf(path + used, LAB_PATH - used, "/%s", name);
    return path;
}

char *lab_file(const char *name, const char *file, char *path)
{
    size_t used = strlen(lab_directory(name, path));
    snprintf(path + used, LAB_PATH - used, "/%s", file);
    return path;
}

/* Others may plant directories and links in /tmp. Only what this user made himself, and nobody else can write to, is
 * read or written. */
static hs_status check_directory(const char *path, hs_error *error)
{
    struct stat facts;
    if (lstat(path, &facts) != 0)
        return hs_error_set(error, errno == ENOENT ? HS_ERR_STATE : HS_ERR_SYSTEM, 0, "cannot read %s: %s", path,
                            strerror(errno));
    if (!S_ISDIR(facts.st_mode) || facts.st_uid != geteuid() || (facts.st_mode & (S_IWGRP | S_IWOTH)))
        return hs_error_set(error, HS_ERR_SYSTEM, 0, "%s is not a directory of this user alone", path);
    return HS_OK;
}

static hs_status make_directory(const char *path, hs_error *error)
{
    if (mkdir(path, 0755) != 0 && errno != EEXIST)
        return hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot make %s: %s", path, strerror(errno));
    return check_directory(path, error);
}

hs_status lab_lock(int *out, hs_error *error)
{
    char path[LAB_PATH];
    state_root(path);
    for (;;) {
        struct stat opened, named;
        hs_status status = make_directory(path, error);
        if (status == HS_ERR_STATE)
            continue; /* it was there, and went with another process's last lab */
        if (status != HS_OK)
            return status;
        /* No O_CLOEXEC: if this process is killed, the tools it started hold the lock until they end. */
        int descriptor = open(path, O_RDONLY | O_DIRECTORY);
        if (descriptor < 0 && errno == ENOENT)
            continue;
        if (descriptor < 0 || flock(descriptor, LOCK_EX) != 0) {
            int code = errno;
            if (descriptor >= 0)
                close(descriptor);
            return hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot lock %s: %s", path, strerror(code));
        }
        /* Removing the last lab removes the directory, in which case this lock is on a directory that is gone. */
        if (fstat(descriptor, &opened) == 0 && stat(path, &named) == 0 && opened.st_ino == named.st_ino) {
            *out = descriptor;
            return HS_OK;
        }
        close(descriptor);
    }
}

void lab_unlock(int descriptor)
{
    char path[LAB_PATH];
    if (descriptor < 0)
        return;
    rmdir(state_root(path));
    close(descriptor);
}

static json_t *host_to_json(const lab_host *host)
{
    return json_pack("{s:s, s:s, s:f, s:i, s:f, s:f}", "id", host->id, "name", host->name, "speed", host->speed,
                     "cores", host->cores, "quota", host->quota, "factor", host->factor);
}

static json_t *link_to_json(const lab_link *link)
{
    return json_pack("{s:s, s:s, s:s, s:f, s:f, s:i}", "id", link->id, "netns", link->netns, "device", link->device,
                     "bandwidth", link->bandwidth, "factor", link->factor, "sharing", (int)link->sharing);
}

static json_t *lab_to_json(const lab_cluster *lab)
{
    json_t *hosts = json_array(), *links = json_array();
    for (int i = 0; i < lab->hosts; i++)
        json_array_append_new(hosts, host_to_json(&lab->host[i]));
    for (int i = 0; i < lab->links; i++)
        json_array_append_new(links, link_to_json(&lab->link[i]));
    return json_pack("{s:s, s:s, s:b, s:b, s:f, s:b, s:i, s:o, s:o}", "name", lab->name, "platform", lab->platform,
                     "network", lab->network, "ready", lab->ready, "rate_scale", lab->rate_scale, "throttled",
                     lab->throttled, "routers", lab->routers, "hosts", hosts, "links", links);
}

static int host_from_json(json_t *object, lab_host *host)
{
    const char *id, *name;
    if (json_unpack(object, "{s:s, s:s, s:F, s:i, s:F, s:F}", "id", &id, "name", &name, "speed", &host->speed, "cores",
                    &host->cores, "quota", &host->quota, "factor", &host->factor) != 0)
        return -1;
    host->id = hs__text_copy(id);
    host->name = hs__text_copy(name);
    return host->id && host->name ? 0 : -1;
}

static int link_from_json(json_t *object, lab_link *link)
{
    const char *id, *netns, *device;
    int sharing;
    if (json_unpack(object, "{s:s, s:s, s:s, s:F, s:F, s:i}", "id", &id, "netns", &netns, "device", &device,
                    "bandwidth", &link->bandwidth, "factor", &link->factor, "sharing", &sharing) != 0)
        return -1;
    link->id = hs__text_copy(id);
    link->netns = hs__text_copy(netns);
    link->device = hs__text_copy(device);
    link->sharing = (hs_sharing)sharing;
    return link->id && link->netns && link->device ? 0 : -1;
}

static lab_cluster *lab_from_json(json_t *object)
{
    const char *name, *platform;
    json_t *hosts, *links;
    if (json_unpack(object, "{s:s, s:s, s:o, s:o}", "name", &name, "platform", &platform, "hosts", &hosts, "links",
                    &links) != 0)
        return NULL;
    lab_cluster *made = lab_new(name, (int)json_array_size(hosts), (int)json_array_size(links));
    if (!made)
        return NULL;
    int complete =
        json_unpack(object, "{s:b, s:b, s:F, s:b, s:i}", "network", &made->network, "ready", &made->ready, "rate_scale",
                    &made->rate_scale, "throttled", &made->throttled, "routers", &made->routers) == 0;
    made->platform = hs__text_copy(platform);
    for (int i = 0; i < made->hosts; i++)
        complete &= host_from_json(json_array_get(hosts, (size_t)i), &made->host[i]) == 0;
    for (int i = 0; i < made->links; i++)
        complete &= link_from_json(json_array_get(links, (size_t)i), &made->link[i]) == 0;
    if (complete && made->platform)
        return made;
    lab_free(made);
    return NULL;
}

/* Whether a lab that is read from this is written the same way. */
static int reads_the_same(json_t *object)
{
    lab_cluster *read = lab_from_json(object);
    json_t *again = read ? lab_to_json(read) : NULL;
    int same = !read || !again || json_equal(object, again); /* without memory nothing is known */
    json_decref(again);
    lab_free(read);
    return same;
}

hs_status lab_save(const lab_cluster *lab, hs_error *error)
{
    char path[LAB_PATH];
    hs__file *file;
    hs_status status = make_directory(lab_directory(lab->name, path), error);
    if (status != HS_OK)
        return status;
    json_t *object = lab_to_json(lab);
    if (!object)
        return hs_error_set(error, HS_ERR_ARG, 0,
                            "no state in JSON, which is UTF-8: the path of the file is not, or memory ran out");
    HS_ASSERT(reads_the_same(object));
    status = hs__file_create(lab_file(lab->name, LAB_STATE, path), &file, error);
    if (status == HS_OK) {
        json_dumpf(object, hs__file_stream(file), JSON_INDENT(1) | JSON_REAL_PRECISION(17));
        status = hs__file_commit(file, error);
    }
    json_decref(object);
    return status;
}

/* Whether everything lies where this program itself would have put it. */
static int is_sound(const lab_cluster *lab)
{
    int sound = lab_name_valid(lab->name) && lab->hosts >= 1 && lab->hosts <= LAB_MAX_HOSTS && lab->rate_scale > 0 &&
                lab->routers >= 0;
    for (int i = 0; i < lab->hosts && sound; i++) {
        const lab_host *host = &lab->host[i];
        sound = host->id[0] && host->name[0] && host->speed > 0 && host->cores >= 1 && host->quota > 0 &&
                host->factor > 0 && strpbrk(host->name, "/\n") == NULL;
    }
    for (int i = 0; i < lab->links && sound; i++)
        sound = lab->link[i].bandwidth > 0 && lab->link[i].factor > 0 &&
                (lab->link[i].sharing == HS_SHARED || lab->link[i].sharing == HS_FATPIPE);
    return sound;
}

hs_status lab_read(const char *path, lab_cluster **out, hs_error *error)
{
    json_error_t reason;
    json_t *object = json_load_file(path, 0, &reason);
    lab_cluster *loaded = object ? lab_from_json(object) : NULL;
    json_decref(object);
    if (loaded && is_sound(loaded)) {
        *out = loaded;
        return HS_OK;
    }
    lab_free(loaded);
    return hs_error_set(error, HS_ERR_STATE, 0, "it is no state of a lab");
}

hs_status lab_load(const char *name, lab_cluster **out, hs_error *error)
{
    char path[LAB_PATH];
    struct stat facts;
    if (lstat(state_root(path), &facts) != 0 || lstat(lab_directory(name, path), &facts) != 0)
        return hs_error_set(error, HS_ERR_STATE, 0, "no lab '%s' is up ('hs lab up PLATFORM' makes one)", name);
    hs_status status = check_directory(state_root(path), error);
    if (status == HS_OK)
        status = check_directory(lab_directory(name, path), error);
    if (status != HS_OK)
        return status;
    if (access(lab_file(name, LAB_STATE, path), F_OK) != 0)
        return hs_error_set(error, HS_ERR_STATE, 0, "no lab '%s' is up ('hs lab up PLATFORM' makes one)", name);
    if (lab_read(path, out, error) == HS_OK)
        return HS_OK;
    return hs_error_set(error, HS_ERR_STATE, 0, "%.160s is damaged ('hs lab down --name %s' removes the lab)", path,
                        name);
}

void lab_forget(const char *name)
{
    char path[LAB_PATH];
    hs__path_remove(lab_directory(name, path));
}
