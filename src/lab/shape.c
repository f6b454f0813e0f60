/* SPDX-License-Identifier: BSD-3-Clause */
/* Rates of links, as queueing disciplines.
 *
 * Each link is one token bucket (htb) over a class per flow, where a flow is all traffic from one host to another. The
 * active flows share the link's rate in equal parts, as in max-min sharing, however many TCP connections each has; a
 * single flow gets the whole rate. A one-way link is shaped where its traffic leaves. One bucket for both directions of
 * a cable, or for all traffic through a hub, is an ifb device over which the traffic is redirected. On a FATPIPE each
 * flow gets the whole rate. A classic packet filter finds the class from the addresses in one step. */
#include "config.h"

#include "lab/lab.h"
#include "util/assert.h"
#include <math.h>

/* Size of a full packet on the wire, and the program's part of it. A platform file's bandwidths are of payload. */
static const double wire_bytes = 1514, payload_bytes = 1448;

/* Depth of a bucket in seconds (at least one packet): how much may be sent at once after a late timer. */
static const double burst_time = 50e-6;

/* Largest segment a host's interface emits, in seconds of its link's rate. */
static const double segment_time = 250e-6;

enum { ROOT_CLASS = 0xffff };

static double wire_bits(double bandwidth)
{
    return fmax(8 * bandwidth * wire_bytes / payload_bytes, 8);
}

static double burst_bytes(double bandwidth)
{
    return fmax(wire_bytes + 86, bandwidth * burst_time);
}

int lab_segment_bytes(const lab_cluster *lab, const lab_topology *topology, const lab_cable *cable, int side)
{
    double slowest = INFINITY;
    int station = cable->end[side];
    for (size_t i = 0; i < topology->crossing_count; i++)
        if (topology->crossings[i].from == station)
            slowest = fmin(slowest, lab->link[topology->crossings[i].link].bandwidth);
    return (int)fmax(wire_bytes, fmin(65536, slowest * segment_time));
}

/* Class of a flow. Hosts count from 1, as in their addresses. */
static unsigned class_of(const lab_crossing *crossing)
{
    return (unsigned)(crossing->from + 1) << 8 | (unsigned)(crossing->to + 1);
}

/* Packets of mpirun's own connections get no class, so they are not shaped; others get the class of their addresses. */
static void write_filter(FILE *out, const char *device)
{
    fprintf(out,
            "filter add dev %s parent 1: protocol ip bpf bytecode '16,"
            "48 0 0 23,"    /*  0: A = protocol */
            "21 0 6 6,"     /*  1: not TCP: to 8 */
            "40 0 0 34,"    /*  2: A = source port */
            "84 0 0 %u,"    /*  3 */
            "21 10 0 %u,"   /*  4: control: to 15 */
            "40 0 0 36,"    /*  5: A = destination port */
            "84 0 0 %u,"    /*  6 */
            "21 7 0 %u,"    /*  7: control: to 15 */
            "48 0 0 29,"    /*  8: A = last byte of the source */
            "100 0 0 8,"    /*  9 */
            "7 0 0 0,"      /* 10: X = A << 8 */
            "48 0 0 33,"    /* 11: A = last byte of the destination */
            "76 0 0 0,"     /* 12: A |= X */
            "68 0 0 65536," /* 13: A |= 1:0 */
            "22 0 0 0,"     /* 14: return A, a class */
            "6 0 0 0'\n",   /* 15: return 0, no class */
            device, (unsigned)LAB_CONTROL_MASK, (unsigned)LAB_CONTROL_PORT, (unsigned)LAB_CONTROL_MASK,
            (unsigned)LAB_CONTROL_PORT);
}

static size_t first_crossing(const lab_topology *topology, int link)
{
    size_t low = 0, high = topology->crossing_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (topology->crossings[middle].link < link)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Write the classes of a link on a device, to be added or changed. */
static void write_classes(FILE *out, const lab_cluster *lab, const lab_topology *topology, int link, const char *device,
                          const char *how)
{
    double bandwidth = lab->link[link].bandwidth * lab->link[link].factor, rate = wire_bits(bandwidth),
           burst = burst_bytes(bandwidth);
    size_t first = first_crossing(topology, link), end = first;
    while (end < topology->crossing_count && topology->crossings[end].link == link)
        end++;
    HS_ASSERT(first == 0 || topology->crossings[first - 1].link < link);
    HS_ASSERT(end == topology->crossing_count || topology->crossings[end].link > link);
    int separate = lab->link[link].sharing == HS_FATPIPE;
    double assured = separate ? rate : fmax(8, floor(rate / (double)(end - first + 1)));
    HS_ASSERT(assured > 0 && assured <= rate && burst >= wire_bytes);
    if (!separate)
        fprintf(out, "class %s dev %s parent 1: classid 1:%x htb rate %.0fbit burst %.0f cburst %.0f quantum 1514\n",
                how, device, (unsigned)ROOT_CLASS, rate, burst, burst);
    for (size_t i = first; i < end; i++)
        fprintf(out,
                "class %s dev %s parent 1:%x classid 1:%x htb rate %.0fbit ceil %.0fbit burst %.0f cburst %.0f "
                "quantum 1514\n",
                how, device, separate ? 0u : (unsigned)ROOT_CLASS, class_of(&topology->crossings[i]), assured, rate,
                burst, burst);
}

/* Write the bucket and the classes of a link, on a device. */
static void write_bucket(FILE *out, const lab_cluster *lab, const lab_topology *topology, int link, const char *device)
{
    fprintf(out, "qdisc add dev %s root handle 1: htb default 0\n", device);
    write_classes(out, lab, topology, link, device, "add");
    write_filter(out, device);
}

void lab_shape_again(const lab_cluster *lab, const lab_topology *topology, int link, FILE *out)
{
    write_classes(out, lab, topology, link, lab->link[link].device, "change");
}

static void redirect(FILE *out, const char *device, const char *side, const char *to)
{
    fprintf(out, "filter add dev %s %s protocol ip u32 match u32 0 0 action mirred egress redirect dev %s\n", device,
            side, to);
}

static hs_status record_device(lab_cluster *lab, const lab_topology *topology, int link, int station,
                               const char *device)
{
    char netns[64];
    lab_netns(lab->name, topology, station, netns, sizeof netns);
    return lab_link_set_device(&lab->link[link], netns, device);
}

static hs_status shape_hub(lab_cluster *lab, const lab_topology *topology, int station, FILE *out)
{
    int link = topology->link_of_hub[station - topology->hosts - topology->routers];
    write_bucket(out, lab, topology, link, LAB_BUCKET);
    for (int i = 0; i < topology->cable_count; i++) {
        const lab_cable *cable = &topology->cables[i];
        char device[16];
        if (cable->end[0] != station && cable->end[1] != station)
            continue;
        snprintf(device, sizeof device, "c%d", i);
        fprintf(out, "qdisc add dev %s clsact\n", device);
        redirect(out, device, "ingress", LAB_BUCKET);
    }
    return record_device(lab, topology, link, station, LAB_BUCKET);
}

hs_status lab_shape(lab_cluster *lab, const lab_topology *topology, int station, FILE *out)
{
    hs_status status = HS_OK;
    if (station >= topology->hosts + topology->routers)
        return shape_hub(lab, topology, station, out);
    for (int i = 0; i < topology->cable_count && status == HS_OK; i++) {
        const lab_cable *cable = &topology->cables[i];
        char device[16], bucket[16];
        snprintf(device, sizeof device, "c%d", i);
        snprintf(bucket, sizeof bucket, "b%d", i);
        int both = cable->link[0] >= 0 && cable->link[0] == cable->link[1];
        if (both && cable->end[1] == station) {
            write_bucket(out, lab, topology, cable->link[0], bucket);
            fprintf(out, "qdisc add dev %s clsact\n", device);
            redirect(out, device, "ingress", bucket);
            redirect(out, device, "egress", bucket);
            status = record_device(lab, topology, cable->link[0], station, bucket);
        }
        for (int side = 0; side < 2 && !both && status == HS_OK; side++)
            if (cable->end[side] == station && cable->link[side] >= 0) {
                write_bucket(out, lab, topology, cable->link[side], device);
                status = record_device(lab, topology, cable->link[side], station, device);
            }
    }
    return status;
}
