/* SPDX-License-Identifier: BSD-3-Clause */
/* Bandwidths that a lab can have, and links whose bandwidth changes while it is up. */
#include "config.h"

#include "lab/lab.h"
#include "lab/process.h"
#include "util/status.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Bytes per second that tc can be told: its numbers of bits and bytes would be too small, or overflow. */
static const double least = 1, most = 8e13;

static int can_shape(double bandwidth)
{
    return bandwidth >= least && bandwidth <= most;
}

hs_status lab_links_check(const lab_cluster *lab, const lab_topology *topology, hs_error *error)
{
    for (size_t i = 0; i < topology->crossing_count; i++) {
        const lab_link *link = &lab->link[topology->crossings[i].link];
        if (!can_shape(link->bandwidth))
            return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "link '%.80s' would carry %g Bps: expected %g to %g Bps",
                                link->id, link->bandwidth, least, most);
    }
    return HS_OK;
}

static hs_status set_factor(lab_link *link, double factor, hs_error *error)
{
    double bandwidth = link->bandwidth * factor;
    if (!can_shape(bandwidth))
        return hs_error_set(error, HS_ERR_ARG, 0, "FACTOR %g gives link '%.80s' %g Bps: expected %g to %g Bps", factor,
                            link->id, bandwidth, least, most);
    link->factor = factor;
    return HS_OK;
}

/* The link of an id, or both halves of the SPLITDUPLEX link of that id. @return how many */
static int find_links(const hs_platform *platform, const char *id, int link[2])
{
    size_t length = strlen(id);
    if ((link[0] = hs_platform_find_link(platform, id)) >= 0)
        return 1;
    for (int up = 0; up < hs_platform_links(platform); up++) {
        const char *half = hs_platform_link_id(platform, up);
        link[0] = up;
        link[1] = hs_platform_link_twin(platform, up);
        if (link[1] > up && strncmp(half, id, length) == 0 && strcmp(half + length, "_UP") == 0)
            return 2;
    }
    return 0;
}

/* Which flows cross which links is in no file of the lab. */
static hs_status find_flows(const lab_cluster *lab, hs_platform **platform, lab_topology **topology, hs_error *error)
{
    hs_error reason = {0};
    hs_status status = hs_platform_read(lab->platform, platform, &reason);
    if (status != HS_OK && reason.line > 0)
        return hs_error_set(error, status, 0, "%.100s:%d: %.140s", lab->platform, reason.line, reason.text);
    if (status != HS_OK)
        return hs_error_set(error, status, 0, "%.100s: %.140s", lab->platform, reason.text);
    status = lab_topology_create(*platform, topology, error);
    int same = status == HS_OK && hs_platform_links(*platform) == lab->links;
    for (int i = 0; same && i < lab->links; i++)
        same = strcmp(hs_platform_link_id(*platform, i), lab->link[i].id) == 0;
    if (status == HS_OK && !same)
        status =
            hs_error_set(error, HS_ERR_STATE, 0, "%.100s is not the file that the lab was made from", lab->platform);
    return status;
}

/* In a child: @return its exit status */
static int shape(const char *netns, const lab_script *rates, FILE *output)
{
    return lab_enter_or_tell(netns, output) != 0 || lab_script_run(rates, "tc", LAB_STOP, output) != 0;
}

static hs_status shape_link(const lab_cluster *lab, const lab_topology *topology, int link, hs_error *error)
{
    lab_script rates = {0};
    FILE *output = lab_scratch_file();
    hs_status status = HS_OK;
    if (!output || lab_script_open(&rates) != 0)
        status = HS_ERR_NOMEM;
    if (status == HS_OK) {
        lab_shape_again(lab, topology, link, rates.stream);
        status = lab_script_close(&rates) == 0 ? HS_OK : HS_ERR_NOMEM;
    }
    if (status == HS_OK) {
        pid_t child = fork();
        if (child == 0)
            _exit(shape(lab->link[link].netns, &rates, output));
        if (child < 0)
            status = hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot start a process: %s", strerror(errno));
        else if (lab_wait_child(child) != 0) {
            status = HS_ERR_SYSTEM;
            lab_error_from_output(output, status, error);
        }
    }
    if (status == HS_ERR_NOMEM)
        hs__error_status(error, status);
    lab_script_free(&rates);
    if (output)
        fclose(output);
    return status;
}

static hs_status change_link(lab_cluster *lab, const char *id, double factor, hs_error *error)
{
    hs_platform *platform = NULL;
    lab_topology *topology = NULL;
    int link[2], n = 0;
    if (!lab->network)
        return hs_error_set(error, HS_ERR_UNSUPPORTED, 0, "the lab has no network, whose links could change");
    hs_status status = find_flows(lab, &platform, &topology, error);
    if (status == HS_OK && (n = find_links(platform, id, link)) == 0)
        status = hs_error_set(error, HS_ERR_ARG, 0, "the lab has no link '%.80s'", id);
    for (int k = 0; k < n && status == HS_OK; k++)
        status = set_factor(&lab->link[link[k]], factor, error);
    for (int k = 0; k < n && status == HS_OK; k++)
        if (lab->link[link[k]].device[0]) /* links that nothing crosses have none */
            status = shape_link(lab, topology, link[k], error);
    lab_topology_free(topology);
    hs_platform_free(platform);
    return status;
}

hs_status lab_link_change(const char *name, const char *link, double factor, hs_error *error)
{
    return lab_change(name, change_link, link, factor, error);
}
