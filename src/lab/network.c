/* SPDX-License-Identifier: BSD-3-Clause */
/* Namespaces, veth pairs, addresses and routes.
 *
 * One `ip -batch` makes all namespaces and cables. Then a child per station enters its namespace and runs one `ip
 * -batch` and one `tc -batch` there; the children run at the same time. Both ends of a cable have the same hardware
 * address and no ARP, so no address has to be resolved and routers need none. */
#include "config.h"

#include "lab/lab.h"
#include "lab/process.h"
#include "util/assert.h"
#include "util/status.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define HARDWARE_ADDRESS "02:00:00:00:00:01"
#define NAMESPACES "/run/netns"

enum { QUEUE_PACKETS = 4000, FIRST_TABLE = 1000 };

/* Settings of every namespace. The TCP window is smaller than a queue, so no packet is ever dropped and congestion
 * control does not make a flow's rate swing. */
static const char *const settings[][2] = {
    {"/proc/sys/net/ipv4/ip_forward", "1"},
    {"/proc/sys/net/ipv4/conf/all/rp_filter", "0"},
    {"/proc/sys/net/ipv4/conf/default/rp_filter", "0"},
    {"/proc/sys/net/ipv4/ip_default_ttl", "255"},
    {"/proc/sys/net/ipv4/tcp_congestion_control", "reno"},
    {"/proc/sys/net/ipv4/tcp_slow_start_after_idle", "0"},
    {"/proc/sys/net/ipv4/tcp_no_metrics_save", "1"},
    {"/proc/sys/net/ipv4/tcp_rmem", "4096 131072 1048576"},
    {"/proc/sys/net/ipv6/conf/all/disable_ipv6", "1"},
};

char *lab_netns_of_host(const char *name, int host, char *text, size_t size)
{
    snprintf(text, size, "hs.%s.h%d", name, host);
    return text;
}

char *lab_netns(const char *name, const lab_topology *topology, int station, char *text, size_t size)
{
    if (station < topology->hosts)
        return lab_netns_of_host(name, station, text, size);
    int router = station - topology->hosts, hub = router - topology->routers;
    snprintf(text, size, "hs.%s.%c%d", name, hub < 0 ? 'r' : 'k', hub < 0 ? router : hub);
    return text;
}

static void write_cables(FILE *out, const lab_cluster *lab, const lab_topology *topology)
{
    char a[64], b[64];
    for (int station = 0; station < topology->stations; station++)
        fprintf(out, "netns add %s\n", lab_netns(lab->name, topology, station, a, sizeof a));
    for (int i = 0; i < topology->cable_count; i++) {
        lab_netns(lab->name, topology, topology->cables[i].end[0], a, sizeof a);
        lab_netns(lab->name, topology, topology->cables[i].end[1], b, sizeof b);
        fprintf(out,
                "link add c%d netns %s txqueuelen %d address " HARDWARE_ADDRESS
                " type veth peer name c%d netns %s txqueuelen %d address " HARDWARE_ADDRESS "\n",
                i, a, QUEUE_PACKETS, i, b, QUEUE_PACKETS);
    }
}

/* A host without a cable has an address, too, for its own ranks to meet at: that of a cable with both ends in it. */
static void write_own_cable(FILE *out, int host)
{
    fprintf(out, "link add own type veth peer name end\naddr add 10.77.0.%d/16 dev own noprefixroute\n", host + 1);
    fputs("link set end up\nlink set own up\n", out);
}

/* Write the commands for the devices of one station: its ends of cables, and the buckets that shape.c configures. */
static void write_devices(FILE *out, const lab_cluster *lab, const lab_topology *topology, int station)
{
    int first = 1;
    fputs("link set lo up\n", out);
    if (station >= topology->hosts + topology->routers)
        fprintf(out, "link add " LAB_BUCKET " txqueuelen %d type ifb\nlink set " LAB_BUCKET " up\n", QUEUE_PACKETS);
    for (int i = 0; i < topology->cable_count; i++) {
        const lab_cable *cable = &topology->cables[i];
        int side = cable->end[0] == station ? 0 : cable->end[1] == station ? 1 : -1;
        if (side < 0)
            continue;
        fprintf(out, "link set c%d arp off up", i);
        if (station < topology->hosts)
            fprintf(out, " gso_max_size %d", lab_segment_bytes(lab, topology, cable, side));
        fputc('\n', out);
        HS_ASSERT(station >= topology->hosts || station < LAB_MAX_HOSTS); /* one address each */
        if (station < topology->hosts && first)
            fprintf(out, "addr add 10.77.0.%d/16 dev c%d noprefixroute\n", station + 1, i);
        if (side == 1 && cable->link[0] >= 0 && cable->link[0] == cable->link[1])
            fprintf(out, "link add b%d txqueuelen %d type ifb\nlink set b%d up\n", i, QUEUE_PACKETS, i);
        first = 0;
    }
    if (first && station < topology->hosts)
        write_own_cable(out, station);
}

/* The cable that most of hops[first .. end) use; all of them have the same station and destination. */
static int usual_cable(const lab_topology *topology, size_t first, size_t end)
{
    int best = -1;
    size_t most = 0;
    for (size_t i = first; i < end; i++) {
        size_t same = 0;
        for (size_t k = first; k < end; k++)
            same += topology->hops[k].cable == topology->hops[i].cable;
        if (same > most) {
            most = same;
            best = topology->hops[i].cable;
        }
    }
    HS_ASSERT(best >= 0 && best < topology->cable_count);
    return best;
}

/* Write a route per destination, and a rule and a table for each flow that leaves by another cable than most flows to
 * its destination. */
static void write_routes(FILE *out, const lab_topology *topology, int station)
{
    size_t first = 0;
    while (first < topology->hop_count && topology->hops[first].station < station)
        first++;
    while (first < topology->hop_count && topology->hops[first].station == station) {
        size_t end = first;
        int to = topology->hops[first].to;
        while (end < topology->hop_count && topology->hops[end].station == station && topology->hops[end].to == to)
            end++;
        int usual = usual_cable(topology, first, end);
        fprintf(out, "route add 10.77.0.%d/32 dev c%d", to + 1, usual);
        if (station < topology->hosts)
            fprintf(out, " src 10.77.0.%d", station + 1);
        fputc('\n', out);
        for (; first < end; first++) {
            const lab_hop *hop = &topology->hops[first];
            if (hop->cable == usual)
                continue;
            fprintf(out, "route replace default dev c%d table %d\n", hop->cable, FIRST_TABLE + hop->cable);
            fprintf(out, "rule add from 10.77.0.%d/32 to 10.77.0.%d/32 lookup %d\n", hop->from + 1, to + 1,
                    FIRST_TABLE + hop->cable);
        }
    }
}

static void write_settings(void)
{
    /* A setting that this kernel lacks makes the lab a little less exact, not wrong. */
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        lab_write(settings[i][0], settings[i][1]);
}

/* In the child of a station: configure its namespace. @return the child's exit status, 0 on success */
static int configure(const char *netns, const lab_script *devices, const lab_script *rates, FILE *output)
{
    if (lab_enter_or_tell(netns, output) != 0)
        return 1;
    write_settings();
    if (lab_script_run(devices, "ip", LAB_STOP, output) != 0)
        return 1;
    return lab_script_run(rates, "tc", LAB_STOP, output) != 0;
}

static hs_status configure_station(lab_cluster *lab, const lab_topology *topology, int station, FILE *output,
                                   pid_t *child, hs_error *error)
{
    char netns[64];
    lab_script devices = {0}, rates = {0};
    hs_status status = HS_ERR_NOMEM;
    if (lab_script_open(&devices) != 0 || lab_script_open(&rates) != 0)
        goto out;
    write_devices(devices.stream, lab, topology, station);
    write_routes(devices.stream, topology, station);
    status = lab_shape(lab, topology, station, rates.stream);
    if (status == HS_OK && (lab_script_close(&devices) != 0 || lab_script_close(&rates) != 0))
        status = HS_ERR_NOMEM;
    if (status != HS_OK)
        goto out;
    lab_netns(lab->name, topology, station, netns, sizeof netns);
    *child = fork();
    if (*child == 0)
        _exit(configure(netns, &devices, &rates, output));
    if (*child < 0)
        status = hs_error_set(error, HS_ERR_SYSTEM, 0, "cannot start a process: %s", strerror(errno));
out:
    lab_script_free(&devices);
    lab_script_free(&rates);
    return status == HS_ERR_NOMEM ? hs__error_status(error, status) : status;
}

static hs_status configure_stations(lab_cluster *lab, const lab_topology *topology, FILE *output, hs_error *error)
{
    hs_status status = HS_OK;
    int failed = 0, at_once = 0;
    for (int station = 0; station < topology->stations && status == HS_OK; station++) {
        pid_t child;
        status = configure_station(lab, topology, station, output, &child, error);
        at_once += status == HS_OK;
        if (at_once >= 16) {
            failed |= lab_wait_child(-1) != 0;
            at_once--;
        }
    }
    while (at_once-- > 0)
        failed |= lab_wait_child(-1) != 0;
    return status == HS_OK && failed ? HS_ERR_SYSTEM : status;
}

hs_status lab_network_up(lab_cluster *lab, const lab_topology *topology, hs_error *error)
{
    lab_script cables = {0};
    FILE *output = lab_scratch_file();
    if (!output || lab_script_open(&cables) != 0) {
        if (output)
            fclose(output);
        return hs__error_status(error, HS_ERR_NOMEM);
    }
    error->text[0] = '\0';
    write_cables(cables.stream, lab, topology);
    hs_status status = lab_script_close(&cables) == 0 ? HS_OK : HS_ERR_NOMEM;
    if (status == HS_OK && lab_script_run(&cables, "ip", LAB_STOP, output) != 0)
        status = HS_ERR_SYSTEM;
    if (status == HS_OK)
        status = configure_stations(lab, topology, output, error);
    if (status != HS_OK && !error->text[0])
        lab_error_from_output(output, status, error);
    lab_script_free(&cables);
    fclose(output);
    return status;
}

/* Write the commands that remove the lab's namespaces. @return how many there are */
static int write_removal(FILE *out, const char *name)
{
    char prefix[64];
    int count = 0;
    DIR *directory = opendir(NAMESPACES);
    snprintf(prefix, sizeof prefix, "hs.%s.", name);
    for (struct dirent *entry; directory && (entry = readdir(directory));)
        if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0) {
            fprintf(out, "netns del %s\n", entry->d_name);
            count++;
        }
    if (directory)
        closedir(directory);
    return count;
}

hs_status lab_network_down(const char *name, int *found, hs_error *error)
{
    lab_script script = {0};
    FILE *output = lab_scratch_file();
    hs_status status = HS_ERR_NOMEM;
    if (!output || lab_script_open(&script) != 0)
        goto out;
    *found |= write_removal(script.stream, name) > 0;
    if (lab_script_close(&script) != 0)
        goto out;
    status = HS_OK;
    if (lab_script_run(&script, "ip", LAB_GO_ON, output) != 0) {
        status = HS_ERR_SYSTEM;
        lab_error_from_output(output, status, error);
    }
out:
    lab_script_free(&script);
    if (output)
        fclose(output);
    return status == HS_ERR_NOMEM ? hs__error_status(error, status) : status;
}
