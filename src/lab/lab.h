/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_LAB_H
#define HS_LAB_H

/* An emulated cluster on one machine: a network namespace per host and router, shaped veth links between them, a cpu
 * quota per host. Everything a lab makes carries its name (namespaces hs.LAB.*, control groups heteroslice/LAB/...), so
 * that it can be removed by name alone, whatever happened while it was made. */

#include <heteroslice/hs_platform.h>
#include <heteroslice/hs_status.h>
#include <stdio.h>
#include <sys/types.h>

enum {
    LAB_MAX_HOSTS = 254,       /* one address each in 10.77.0.0/24; a flow's class is (from << 8 | to) */
    LAB_CONTROL = -1,          /* as a place's host: no host */
    LAB_NAME_MAX = 32,         /* longest name of a lab */
    LAB_PATH = 4096,           /* longest path built here */
    LAB_CONTROL_PORT = 0xf000, /* 1024 ports from here on belong to mpirun's own traffic: not shaped */
    LAB_CONTROL_MASK = 0xfc00,
    LAB_CONTROL_PORTS = 4, /* of one run */
    LAB_CONTROL_RUNS = 1024 / LAB_CONTROL_PORTS
};

#define LAB_SUBNET "10.77.0.0/16"

/* Environment between the parts of a run: which one it is, and what is preloaded into ranks only. */
#define LAB_RUN "HETEROSLICE_LAB_RUN"
#define LAB_PRELOAD "HETEROSLICE_LAB_PRELOAD"
#define LAB_PLACES "HETEROSLICE_LAB_PLACES" /* without network: host index of each rank, comma-separated */

#define LAB_BUCKET "hub" /* the device of a hub's bucket */

typedef struct lab_host {
    char *id;     /* the platform's name of the host; owned */
    char *name;   /* the same made fit for a host name; owned */
    double speed; /* flop/s of one core, as the file says */
    int cores;
    double quota;  /* cores' worth of time per second at factor 1 */
    double factor; /* of the file's speed, now */
} lab_host;

/** Where a process runs: on a host as a whole (core -1), on one of its cores, or beside them for mpirun's own. */
typedef struct lab_place {
    int host, core;
} lab_place;

/** A link as it was built; for people and benches that look at counters. */
typedef struct lab_link {
    char *id, *space, *device; /* name, namespace and shaping device; owned */
    double bandwidth;          /* bytes/s of payload */
    hs_sharing sharing;
} lab_link;

typedef struct lab_cluster {
    char name[LAB_NAME_MAX + 1];
    char *platform;    /* path of the file; owned */
    int network;       /* 0: no namespaces, duty cycles instead of quotas */
    int steady;        /* a keeper holds the speeds at short time scales */
    int ready;         /* 0 while it is being made or when that was interrupted */
    double rate_scale; /* lab's bandwidths / the file's */
    int hosts, links, routers;
    lab_host *host;
    lab_link *link;
} lab_cluster;

/* ---- lab.c: making and removing ---- */

typedef struct lab_plan {
    const hs_platform *platform;
    const char *path, *name; /* of the platform file, of the lab */
    double cpus;             /* sum of all quotas, cores */
    double rate_scale;
    int network; /* 0: no namespaces and no root, duty cycles instead of quotas */
} lab_plan;

/** Make a lab; on failure nothing is left of it. @return HS_ERR_STATE when one of that name is up, untouched */
hs_status lab_up(const lab_plan *plan, lab_cluster **out, hs_error *error);

/** Remove a lab, whatever state it is in: its processes, namespaces, groups and files. HS_ERR_STATE: there is none. */
hs_status lab_down(const char *name, hs_error *error);

/** Make a host `factor` times as fast as the file says, at once. */
hs_status lab_speed(const char *name, const char *host, double factor, hs_error *error);

/* ---- state.c: what is remembered between invocations ---- */

/** Whether name is 1 to LAB_NAME_MAX letters, digits, '-' or '_'. */
int lab_name_valid(const char *name);

/** Fill a new lab from the platform: hosts, names, quotas adding up to at most cpus cores.
 * @return HS_OK; HS_ERR_UNSUPPORTED (too many hosts, all speeds 0); HS_ERR_NOMEM */
hs_status lab_create(const hs_platform *platform, const char *name, double cpus, lab_cluster **out, hs_error *error);
void lab_free(lab_cluster *lab);

/** Remember where a link is shaped. @return HS_OK; HS_ERR_NOMEM */
hs_status lab_link_place(lab_link *link, const char *space, const char *device);

/** Index of the host with this id or host name; -1 when there is none. */
int lab_find_host(const lab_cluster *lab, const char *id);

/** Take the lock under which labs are made, changed and removed. */
hs_status lab_lock(int *descriptor, hs_error *error);

/** Give it back; -1 is fine. The common directory goes with the last lab. */
void lab_unlock(int descriptor);

/** Directory of a lab's own files, whether it exists or not; returns path (LAB_PATH bytes). */
char *lab_directory(const char *name, char *path);

/** HS_ERR_STATE when no lab of that name is recorded. */
hs_status lab_load(const char *name, lab_cluster **out, hs_error *error);
hs_status lab_save(const lab_cluster *lab, hs_error *error);
void lab_forget(const char *name);

/* ---- topology.c: from a platform to namespaces, cables and routes ---- */

typedef struct lab_cable {
    int end[2];  /* stations */
    int link[2]; /* link that shapes end[0] -> end[1] and back; -1 when unshaped. The same twice: one bucket for both */
} lab_cable;

/** At a station, traffic from host `from` to host `to` leaves by a cable. */
typedef struct lab_turn {
    int station, from, to, cable;
} lab_turn;

/** Over a link, traffic from host `from` to host `to`. */
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
    lab_turn *turns;         /* sorted by station, to, from */
    lab_crossing *crossings; /* sorted by link, from, to */
    int cable_count;
    size_t turn_count, crossing_count, cable_room, turn_room, crossing_room, hub_room;
} lab_topology;

/** Lay the platform's fixed routes out as cables.
 *
 * A graph's edge over a link of its own becomes a cable between two namespaces. Every other link (a cluster's backbone,
 * any link of a Full zone) becomes a hub: a namespace all its traffic passes.
 * @return HS_OK; HS_ERR_UNREACHABLE; HS_ERR_UNSUPPORTED (a route that meets a link or router twice, or has no link) */
hs_status lab_topology_create(const hs_platform *platform, lab_topology **out, hs_error *error);
void lab_topology_free(lab_topology *topology);

/* ---- network.c and shape.c: namespaces, veth pairs, routes, rates ---- */

hs_status lab_network_up(lab_cluster *lab, const lab_topology *topology, hs_error *error);

/** Remove all namespaces of that name and what is in them. @return 1 when there were some, else 0 */
int lab_network_down(const char *name);

/** Name of a station's namespace; returns text. */
char *lab_netns(const char *name, const lab_topology *topology, int station, char *text, size_t size);
char *lab_netns_of_host(const char *name, int host, char *text, size_t size);

/** Write the tc commands that shape what leaves a station, and tell lab->link where each shaper lives. */
hs_status lab_shape(lab_cluster *lab, const lab_topology *topology, int station, FILE *commands);

/** Largest segment a host hands to its cable: about a quarter of a millisecond, at least one packet. */
int lab_segment_bytes(const lab_cluster *lab, const lab_topology *topology, const lab_cable *cable, int side);

/* ---- cpu.c: control groups, version 1 or 2 ---- */

/** Make a group per host with its quota, and one without quota for what is not a host's work. */
hs_status lab_cpu_up(const lab_cluster *lab, hs_error *error);
hs_status lab_cpu_set(const lab_cluster *lab, int host, hs_error *error);

/** Move the calling process into the group of a place. */
hs_status lab_cpu_join(const lab_cluster *lab, lab_place place, hs_error *error);

/** Make the groups in which the keeper stops processes. HS_ERR_SYSTEM when this system has no such groups. */
hs_status lab_freezer_up(const lab_cluster *lab, hs_error *error);

/** Kill every process of the lab and remove its groups; *found becomes 1 when there were some. HS_ERR_SYSTEM when some
 * would not go. */
hs_status lab_cpu_down(const char *name, int *found, hs_error *error);

/** Kill those of the lab's processes whose environment holds "variable=value". */
void lab_cpu_kill_marked(const char *name, const char *mark);

/* ---- enter.c: becoming a process of a host ---- */

/** Come under the quota of a place, or among the lab's own processes. Without network there are no places for cores,
 * and the latter changes nothing. */
hs_status lab_join(const lab_cluster *lab, lab_place place, hs_error *error);

/** Take on host's network, name and hosts file; without network the name, where the system lets us. HS_LAB_HOST is set.
 * The quota is lab_join()'s. */
hs_status lab_enter(const lab_cluster *lab, int host, hs_error *error);

/* ---- run.c ---- */

typedef struct lab_job {
    const lab_cluster *lab;
    const int *selected; /* hosts in the order ranks are placed; borrowed */
    int selected_count;
    int ranks;            /* 0: one a core of the selected hosts */
    const char *mpiexec;  /* mpirun to use; NULL: the first found */
    char *const *options; /* further options of mpirun, option_count of them */
    int option_count;
    char *const *program; /* argv, NULL-terminated */
    const char *self;     /* path of hs */
    const char *preload;  /* path of hs-lab-preload.so; NULL: there is none */
} lab_job;

/** Start the job, wait for it, clean up what it left. *exit_status is mpirun's. */
hs_status lab_run(const lab_job *job, int *exit_status, hs_error *error);

#endif
