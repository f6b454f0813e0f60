/* SPDX-License-Identifier: BSD-3-Clause */
/* Rates of links, as queueing disciplines.
 *
 * Each link is one token bucket (htb) over a class per flow, where a flow is all traffic from one host to another. The
 * flows that want to send share the link's rate in equal parts, as max-min sharing has it, whatever their TCP
 * connections do; a flow alone has all of it. A link with one direction is shaped where its traffic leaves; one bucket
 * for both directions of a cable, or for all that meets at a hub, is an ifb device that traffic is redirected over.
 * FATPIPE gives each flow the whole rate. Classes are found by address, in one step, by a classic packet filter. */
#include "config.h"

#include "lab/lab.h"
#include <math.h>

/* A full packet is 1514 bytes on the wire and carries 1448 of a program's: rates are of payload, as files mean them. */
static const double wire_bytes = 1514, payload_bytes = 1448;

/* A bucket's depth in seconds, and at least one packet: so much may follow a late timer at once. */
static const double burst_time = 50e-6;

/* What a host's interface may emit in one piece, in seconds of its link's rate. */
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

/* Class of a flow; hosts are numbered from 1 as in their addresses. */
static unsigned class_of(const lab_crossing *crossing)
{
    return (unsigned)(crossing->from + 1) << 8 | (unsigned)(crossing->to + 1);
}

/* Packets of mpirun's own connections match nothing and pass; any other's class is read off its two addresses. */
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

/* The link's bucket and classes on a device. */
static void write_bucket(FILE *out, const lab_cluster *lab, const lab_topology *topology, int link, const char *device)
{
    double bandwidth = lab->link[link].bandwidth, rate = wire_bits(bandwidth), burst = burst_bytes(bandwidth);
    size_t first = first_crossing(topology, link), end = first;
    while (end < topology->crossing_count && topology->crossings[end].link == link)
        end++;
    int separate = lab->link[link].sharing == HS_FATPIPE;
    double assured = separate ? rate : fmax(8, floor(rate / (double)(end - first + 1)));
    fprintf(out, "qdisc add dev %s root handle 1: htb default 0\n", device);
    if (!separate)
        fprintf(out, "class add dev %s parent 1: classid 1:%x htb rate %.0fbit burst %.0f cburst %.0f quantum 1514\n",
                device, (unsigned)ROOT_CLASS, rate, burst, burst);
    for (size_t i = first; i < end; i++)
        fprintf(out,
                "class add dev %s parent 1:%x classid 1:%x htb rate %.0fbit ceil %.0fbit burst %.0f cburst %.0f "
                "quantum 1514\n",
                device, separate ? 0u : (unsigned)ROOT_CLASS, class_of(&topology->crossings[i]), assured, rate, burst,
                burst);
    write_filter(out, device);
}

static void redirect(FILE *out, const char *device, const char *side, const char *to)
{
    fprintf(out, "filter add dev %s %s protocol ip u32 match u32 0 0 action mirred egress redirect dev %s\n", device,
            side, to);
}

static hs_status tell(lab_cluster *lab, const lab_topology *topology, int link, int station, const char *device)
{
    char space[64];
    lab_link *told = &lab->link[link];
    lab_netns(lab->name, topology, station, space, sizeof space);
    return lab_link_place(told, space, device);
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
    return tell(lab, topology, link, station, LAB_BUCKET);
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
            status = tell(lab, topology, cable->link[0], station, bucket);
        }
        for (int side = 0; side < 2 && !both && status == HS_OK; side++)
            if (cable->end[side] == station && cable->link[side] >= 0) {
                write_bucket(out, lab, topology, cable->link[side], device);
                status = tell(lab, topology, cable->link[side], station, device);
            }
    }
    return status;
}
