/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_LAB_H
#define HS_LAB_H

/* An emulated cluster on one machine: a network namespace per host and router, shaped veth links between them, a cpu
 * quota per host. Every part of a lab carries the lab's name (namespaces hs.LAB.*, control groups heteroslice/LAB/...),
 * so a lab can be removed by name alone, even after an interrupted start. */

#include "launch/launch.h"
#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_status.h>
#include <stdio.h>
#include <sys/types.h>

enum {
    LAB_MAX_HOSTS = 254,       /* one address each in 10.77.0.0/24; a flow's class is (from << 8 | to) */
    LAB_MAX_CORES = 1 << 16,   /* of all hosts: a control group each */
    LAB_CONTROL = -1,          /* value of lab_place.host: no host, but mpirun's own processes */
    LAB_NAME_MAX = 32,         /* longest name of a lab */
    LAB_PATH = 4096,           /* longest path built here */
    LAB_CONTROL_PORT = 0xf000, /* first of 1024 ports for mpirun's own traffic, which is not shaped */
    LAB_CONTROL_MASK = 0xfc00,
    LAB_CONTROL_PORTS = 4, /* ports of one run */
    LAB_CONTROL_RUNS = 1024 / LAB_CONTROL_PORTS
};

#define LAB_SUBNET "10.77.0.0/16"

/* Environment variables that hs lab run hands to the processes it starts. */
#define LAB_RUN "HETEROSLICE_LAB_RUN"         /* marks all processes of one run */
#define LAB_MEMBER "HETEROSLICE_LAB"          /* without network: the lab of a process */
#define LAB_PRELOAD "HETEROSLICE_LAB_PRELOAD" /* libraries to preload into ranks only */
#define LAB_PLACES "HETEROSLICE_LAB_PLACES"   /* without network: host index of each rank, comma-separated */

#define LAB_STATE "state.json"  /* in a lab's directory */
#define LAB_HOSTS "hosts"       /* there: what its processes see as /etc/hosts */
#define LAB_KEPT "platform.xml" /* there: the platform, when it came from no file */
#define LAB_AGENT "agent"       /* there: what launchers start as their remote shell */
#define LAB_BUCKET "hub"        /* the device that holds a hub's token bucket */

typedef struct lab_host {
    char *id;     /* the platform's name of the host; owned */
    char *name;   /* the id turned into a valid host name; owned */
    double speed; /* flop/s of one core, from the file */
    int cores;
    double quota;  /* cpu seconds per second at factor 1 */
    double factor; /* current speed / the file's speed */
} lab_host;

/** Where a process runs: on any core of a host (core -1), on one core of it, or on no host (host LAB_CONTROL). */
typedef struct lab_place {
    int host, core;
} lab_place;

/** A link as it was built. hs lab status prints it, for reading the device's counters. */
typedef struct lab_link {
    char *id, *netns, *device; /* name, namespace and shaping device; owned */
    double bandwidth;          /* bytes/s of payload at factor 1 */
    double factor;             /* current bandwidth / that of the lab's beginning */
    hs_sharing sharing;
} lab_link;

typedef struct lab_cluster {
    char name[LAB_NAME_MAX + 1];
    char *platform;    /* path of the file; owned */
    int network;       /* 0: no namespaces, duty cycles instead of quotas */
    int throttled;     /* the throttler enforces speeds at short time scales */
    int ready;         /* 0 until the lab is complete */
    double rate_scale; /* the lab's bandwidths / the file's */
    int hosts, links, routers;
    lab_host *host;
    lab_link *link;
} lab_cluster;

/* ---- lab.c: making and removing ---- */

typedef struct lab_plan {
    const hs_platform *platform;
    const char *path; /* of the platform file; NULL: the lab keeps the platform in a file of its own */
    const char *name; /* of the lab */
    double cpus;      /* sum of all quotas, cores */
    double rate_scale;
    int network; /* 0: no namespaces and no root, duty cycles instead of quotas */
} lab_plan;

/** Make a lab. On failure nothing of it remains.
 * @return HS_OK; HS_ERR_STATE when a lab of that name is up (it is not changed); ... */
hs_status lab_up(const lab_plan *plan, lab_cluster **out, hs_error *error);

/** Remove a lab in any state: its processes, namespaces, groups and files.
 * @return HS_OK; HS_ERR_STATE when there is no such lab; HS_ERR_SYSTEM */
hs_status lab_down(const char *name, hs_error *error);

/** Give something of a lab `factor` times what it was made with. */
typedef hs_status lab_change_of(lab_cluster *lab, const char *what, double factor, hs_error *error);

/** Change the lab's state, which is locked meanwhile, and save it; nothing is saved when `change` fails. */
hs_status lab_change(const char *name, lab_change_of *change, const char *what, double factor, hs_error *error);

/** Make a host `factor` times as fast as the file says. Takes effect at once, also for running processes. */
hs_status lab_speed(const char *name, const char *host, double factor, hs_error *error);

/* ---- state.c: the state file, which lasts from one invocation to the next ---- */

/** Whether name is 1 to LAB_NAME_MAX letters, digits, '-' or '_'. */
int lab_name_valid(const char *name);

/** Fill a new lab from the platform: hosts, names, quotas adding up to at most cpus cores.
 * @return HS_OK; HS_ERR_UNSUPPORTED (too many hosts, all speeds 0); HS_ERR_NOMEM */
hs_status lab_create(const hs_platform *platform, const char *name, double cpus, lab_cluster **out, hs_error *error);
void lab_free(lab_cluster *lab);

/** Record which device in which namespace shapes a link. @return HS_OK; HS_ERR_NOMEM */
hs_status lab_link_set_device(lab_link *link, const char *netns, const char *device);

/** Index of the host with this id or host name; -1 when there is none. */
int lab_find_host(const lab_cluster *lab, const char *id);

/** Take the lock under which labs are made, changed and removed. */
hs_status lab_lock(int *descriptor, hs_error *error);

/** Release the lock (a descriptor of -1 is ignored) and remove the common directory when no lab is left. */
void lab_unlock(int descriptor);

/** Write the directory of a lab's files to path (LAB_PATH bytes) and return path. The directory need not exist. */
char *lab_directory(const char *name, char *path);

/** The same for a file in it. */
char *lab_file(const char *name, const char *file, char *path);

/** Read a lab from its state file. @return HS_OK; HS_ERR_STATE when there is none of that name or it is damaged */
hs_status lab_load(const char *name, lab_cluster **out, hs_error *error);

/** The same from any file. @return HS_OK; HS_ERR_STATE */
hs_status lab_read(const char *path, lab_cluster **out, hs_error *error);

hs_status lab_save(const lab_cluster *lab, hs_error *error);

/** Remove its folder, with all that is in it. */
void lab_forget(const char *name);

/* ---- topology.c: from a platform to namespaces, cables and routes ---- */

typedef struct lab_cable {
    int end[2];  /* stations */
    int link[2]; /* link that shapes end[0] -> end[1], and the way back; -1: unshaped. Equal: one bucket for both */
} lab_cable;

/** One hop of a route: at a station, traffic from host `from` to host `to` leaves by this cable. */
typedef struct lab_hop {
    int station, from, to, cable;
} lab_hop;

/** A link carries traffic from host `from` to host `to`. */
typedef struct lab_crossing {
    int link, from, to;
} lab_crossing;

/** Stations are the platform's hosts and routers, then one hub for each link that is not a cable between two stations.
 */
typedef struct lab_topology {
    const hs_platform *platform; /* borrowed */
    int hosts, routers, stations;
    int *hub_of_link; /* station of the link's hub, -1 for a cable */
    int *link_of_hub; /* [station - hosts - routers] */
    lab_cable *cables;
    lab_hop *hops;           /* sorted by station, to, from */
    lab_crossing *crossings; /* sorted by link, from, to */
    int cable_count;
    size_t hop_count, crossing_count, cable_room, hop_room, crossing_room, hub_room;
} lab_topology;

/** Lay the platform's fixed routes out as cables.
 *
 * A link that only one edge of the graph uses becomes a cable between two namespaces. Every other link (a cluster's
 * backbone, any link of a Full zone) becomes a hub: a namespace through which all its traffic passes.
 * @return HS_OK; HS_ERR_UNREACHABLE; HS_ERR_UNSUPPORTED (a route meets a link or router twice, or has no link;
 * too many cables) */
hs_status lab_topology_create(const hs_platform *platform, lab_topology **out, hs_error *error);
void lab_topology_free(lab_topology *topology);

/* ---- network.c and shape.c: namespaces, veth pairs, routes, rates ---- */

hs_status lab_network_up(lab_cluster *lab, const lab_topology *topology, hs_error *error);

/** Remove all namespaces of a lab and everything in them; *found becomes 1 when there were some.
 * @return HS_OK; HS_ERR_SYSTEM when one cannot be removed; HS_ERR_NOMEM */
hs_status lab_network_down(const char *name, int *found, hs_error *error);

/** Name of a station's namespace; returns text. */
char *lab_netns(const char *name, const lab_topology *topology, int station, char *text, size_t size);
char *lab_netns_of_host(const char *name, int host, char *text, size_t size);

/** Write the tc commands that shape the traffic leaving a station, and record in lab->link which device shapes it. */
hs_status lab_shape(lab_cluster *lab, const lab_topology *topology, int station, FILE *commands);

/** Write the tc commands that give a link that is shaped its present bandwidth, in the namespace that lab->link names. */
void lab_shape_again(const lab_cluster *lab, const lab_topology *topology, int link, FILE *commands);

/** Largest segment a host hands to its cable: about a quarter of a millisecond, at least one packet. */
int lab_segment_bytes(const lab_cluster *lab, const lab_topology *topology, const lab_cable *cable, int side);

/* ---- link.c: bandwidths ---- */

/** Whether the lab can have the bandwidths of all links that are in use. @return HS_OK; HS_ERR_UNSUPPORTED */
hs_status lab_links_check(const lab_cluster *lab, const lab_topology *topology, hs_error *error);

/** Give a link `factor` times the bandwidth it had when the lab was made, both directions of a SPLITDUPLEX link that is named
 * as the file names it. Takes effect at once. Reads the platform file again, which must be as it was then.
 * @return HS_OK; HS_ERR_ARG: there is no such link; HS_ERR_UNSUPPORTED: the lab has no network; ... */
hs_status lab_link_change(const char *name, const char *link, double factor, hs_error *error);

/* ---- cpu.c: control groups, version 1 or 2 ---- */

/** Make a group per host with its quota, and one without quota for mpirun's own processes. */
hs_status lab_cpu_up(const lab_cluster *lab, hs_error *error);
hs_status lab_cpu_set(const lab_cluster *lab, int host, hs_error *error);

/** Move the calling process into the group of a place. */
hs_status lab_cpu_join(const lab_cluster *lab, lab_place place, hs_error *error);

/** Make the groups in which the throttler stops processes.
 * @return HS_OK; HS_ERR_SYSTEM when no control groups of version 2 are mounted */
hs_status lab_freezer_up(const lab_cluster *lab, hs_error *error);

/** Kill every process of the lab and remove its groups; *found becomes 1 when there were some.
 * @return HS_OK; HS_ERR_SYSTEM when a group cannot be removed */
hs_status lab_cpu_down(const char *name, int *found, hs_error *error);

/** Kill the lab's processes that have `mark`, a "variable=value", in their environment. */
void lab_cpu_kill_marked(const char *name, const char *mark);

/* ---- enter.c: becoming a process of a host ---- */

/** Move the calling process under the quota of a place. Without network, cores have no quota of their own and
 * LAB_CONTROL changes nothing. */
hs_status lab_join(const lab_cluster *lab, lab_place place, hs_error *error);

/** Set HS_LAB and HS_LAB_HOST for what the calling process starts. */
hs_status lab_name_place(const lab_cluster *lab, int host, hs_error *error);

/** Give the calling process a host's network, host name and hosts file, and lab_name_place(). Without network it gets
 * only the host name, if the system allows that. Quotas: lab_join(). */
hs_status lab_enter(const lab_cluster *lab, int host, hs_error *error);

/* ---- run.c ---- */

typedef struct lab_job {
    const lab_cluster *lab;
    const int *selected; /* hosts in the order ranks are placed; borrowed */
    int selected_count;
    int ranks; /* 0: one per core of the selected hosts */
    const hs__launcher *launcher;
    const char *sequence;       /* file of hs__launch_write_hosts(); NULL: a rank per core, hosts in order */
    const hs__words *variables; /* NAME or NAME=VALUE for the ranks; may be NULL */
    const hs__words *options;   /* further words for the launcher; may be NULL */
    char *const *program;       /* argv, NULL-terminated */
    const char *self;           /* path of hs */
    const char *preload;        /* path of hs-lab-preload.so; NULL: there is none */
} lab_job;

/** Start the job, wait for it, kill processes it left. *exit_status is the launcher's. HS_ERR_UNSUPPORTED when this
 * launcher cannot start it. */
hs_status lab_run(const lab_job *job, int *exit_status, hs_error *error);

#endif
