/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HETEROSLICE_HS_DIVISIBLE_H
#define HETEROSLICE_HS_DIVISIBLE_H

/* Divisible loads: a master holds many independent items, sends each worker its part over a star (or bus) network, the
 * workers compute, and the results, if any, come back. How many items go to whom, in which order they are sent and in
 * which order the results are collected (divisible-load-notes-2012, sport). */

#include <heteroslice/hs_status.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What the master can do at the same time. It sends one message at a time and receives one at a time in both models,
 * and computes meanwhile. */
typedef enum hs_divisible_port {
    HS_DIVISIBLE_ONE_PORT, /* it never sends and receives at once */
    HS_DIVISIBLE_DUPLEX    /* it may send one message while it receives another (the model of sport) */
} hs_divisible_port;

typedef enum hs_divisible_order {
    HS_DIVISIBLE_BEST,  /* what a user wants: never worse than the three below; optimal where hs_divisible_optimal() */
    HS_DIVISIBLE_GIVEN, /* params.send_order and params.collect_order */
    HS_DIVISIBLE_FIFO,  /* sent by decreasing bandwidth, results collected in the same order */
    HS_DIVISIBLE_LIFO,  /* sent by decreasing bandwidth, results collected in the reverse order */
    HS_DIVISIBLE_SPORT, /* the sequences of sport, Algorithm 1 */
    HS_DIVISIBLE_EXACT  /* the optimum over all pairs of orders, by search, for at most HS_DIVISIBLE_EXACT_MAX workers;
                           whole items with results are apportioned for the best orders of real loads */
} hs_divisible_order;

typedef enum hs_divisible_items {
    HS_DIVISIBLE_REAL,   /* loads are real numbers */
    HS_DIVISIBLE_INTEGER /* loads are whole numbers of items */
} hs_divisible_items;

enum {
    HS_DIVISIBLE_EXACT_MAX = 8,    /* most workers (hosts with c > 0) of an exact search */
    HS_DIVISIBLE_GIVEN_MAX = 512,  /* most hosts when arbitrary orders, or results with latencies, are solved */
    HS_DIVISIBLE_ROUNDS_MAX = 1000 /* most installments */
};

/** What to plan for. Start from hs_divisible_params_init(). All arrays are borrowed during the call. The size of the
 * struct never changes: later versions take new fields from `reserved`, where 0 is the default. */
typedef struct hs_divisible_params {
    int hosts;                /* p >= 1 */
    const double *cycle_time; /* w_i, seconds per item, each > 0; this and all other numbers are 0 or 1e-100 to 1e100 */
    const double *comm_time; /* c_i, seconds to send one item to host i, each >= 0 and finite; 0: the host is the master
                                (or shares its memory): it needs no messages and computes from the start */
    const double *latency;   /* seconds per message to or from host i, each >= 0; not used where c_i = 0; NULL: all 0 */
    const double *startup;   /* seconds before a computation of host i starts, each >= 0; NULL: all 0 */
    double load;             /* W_total, items, > 0; with HS_DIVISIBLE_INTEGER a whole number up to 2^53 */
    double results;          /* D >= 0, size of the results of an item over the size of the item */
    hs_divisible_port port;
    hs_divisible_order order;
    hs_divisible_items items;
    const int *send_order;    /* HS_DIVISIBLE_GIVEN: every host once; NULL: 0, 1, ..., p - 1 */
    const int *collect_order; /* HS_DIVISIBLE_GIVEN: every host once; NULL: as sent */
    int rounds;               /* most installments the load may be sent in, >= 1; results return in one message a host,
                                 after the last installment */
    int64_t budget;           /* HS_DIVISIBLE_BEST: most schedules the search evaluates; 0: a default by size */
    int64_t reserved[8];      /* all 0 */
} hs_divisible_params;

/** Defaults: one-port, best, real, D = 0, one round, no latency, no start-up; hosts, arrays and load unset. */
HS_API void hs_divisible_params_init(hs_divisible_params *params);

/** A plan; freed with hs_divisible_free(). */
typedef struct hs_divisible hs_divisible;

/** Plan the distribution of a divisible load.
 *
 * Model:      messages one at a time in send order; a host starts to compute when its message has arrived whole, and
 *             computes an installment while the next one arrives; results are received one at a time in collect
 *             order, each when its host is ready. Sending n items to host i takes latency_i + c_i n seconds, computing
 *             them startup_i + w_i n, receiving their results latency_i + c_i D n. In the one-port model all sends go
 *             before all returns: nothing gains from mixing them.
 * Source:     divisible-load-notes-2012, sections 2 to 4; sport, Algorithm 1. See doc/algorithms/divisible.md for what
 *             differs.
 * Guarantee:  loads are >= 0 and add up to the load; the makespan is that of carrying the plan out. Hosts that would
 *             make it longer are left out. Without results, latencies and start-ups, real loads: optimal. Whole items,
 *             latencies or start-ups without results: exact for the send order chosen. Whole items with results:
 *             apportioned, at most 1 + p / load times the makespan of real loads. hs_divisible_optimal() tells.
 *             Deterministic; ties go to the lowest host index.
 * Cost:       without results O(p log p), times 64 for whole items; FIFO, LIFO and SPORT O(p log p) above
 *             HS_DIVISIBLE_GIVEN_MAX hosts, O(p^3) up to it (a linear program decides who stays out); best adds a
 *             search within params.budget.
 *
 * @param[out] plan   on HS_OK a new plan that does not refer to params; else untouched
 * @param[out] error  on failure one line; may be NULL
 * @return HS_OK; HS_ERR_ARG (a bound above is broken); HS_ERR_UNSUPPORTED (exact or given orders on too many hosts);
 *         HS_ERR_NOMEM */
HS_API hs_status hs_divisible_create(const hs_divisible_params *params, hs_divisible **plan, hs_error *error);

/** Free a plan; NULL is fine. */
HS_API void hs_divisible_free(hs_divisible *plan);

/** Check a plan against the parameters it was made with: the loads add up, its events keep to the model (one message at
 * a time, nothing before it has arrived), do what the loads say, and end at the makespan.
 * @return HS_OK; HS_ERR_INTERNAL with *error saying what is wrong; HS_ERR_NOMEM */
HS_API hs_status hs_divisible_check(const hs_divisible_params *params, const hs_divisible *plan, hs_error *error);

/* ---- Accessors ---- */

/** What a plan says, by host, or by place in an order, 0 <= k < hosts. */
HS_API int hs_divisible_hosts(const hs_divisible *plan);
HS_API double hs_divisible_makespan(const hs_divisible *plan);         /* seconds */
HS_API double hs_divisible_load(const hs_divisible *plan, int host);   /* items, all installments */
HS_API int64_t hs_divisible_count(const hs_divisible *plan, int host); /* the same, rounded to a whole number */
HS_API int hs_divisible_send_host(const hs_divisible *plan, int k);    /* the k-th host served; hosts with load 0 are
                                                                          last */
HS_API int hs_divisible_collect_host(const hs_divisible *plan, int k); /* the k-th host collected from; likewise */
HS_API int hs_divisible_rounds(const hs_divisible *plan);              /* installments, >= 1 */
HS_API double hs_divisible_installment(const hs_divisible *plan, int round, int host); /* items */

/** 1 when no schedule of this model is shorter (for HS_DIVISIBLE_GIVEN, _FIFO, _LIFO and _SPORT: none with these
 * orders), 0 when that is not known. */
HS_API int hs_divisible_optimal(const hs_divisible *plan);

/** Seconds: no schedule with one installment is shorter, whatever its orders. */
HS_API double hs_divisible_lower_bound(const hs_divisible *plan);

typedef enum hs_divisible_what {
    HS_DIVISIBLE_SEND,    /* the master sends to the host */
    HS_DIVISIBLE_COMPUTE, /* the host computes */
    HS_DIVISIBLE_RETURN   /* the master receives the host's results */
} hs_divisible_what;

/** Something that the plan does, in seconds from the start. */
typedef struct hs_divisible_event {
    hs_divisible_what what;
    int host, round;
    double start, end;
    double items;
} hs_divisible_event;

/** All events of the plan: sends in their order, then computations, then returns in their order. Hosts with load 0 have
 * none; hosts with c = 0 have computations only. The array is borrowed until the plan is freed. */
HS_API const hs_divisible_event *hs_divisible_events(const hs_divisible *plan, int *count);

/* ---- Around it ---- */

/** Choose which host should hold the data. comm_time[i] is then the seconds per item over host i's own link: with host
 * m as the master, an item reaches host i in max(comm_time[m], comm_time[i]) seconds (on a bus: in the bus's time).
 *
 * Source:     divisible-load-notes-2012, section 3, "Choice of the master processor": on a bus the fastest host, for
 *             real loads; here every host is tried, which also serves whole items, stars and results.
 * Guarantee:  *master gives the shortest makespan of hs_divisible_create() with these parameters; ties go to the
 *             lowest index.
 * Cost:       p plans.
 *
 * @param[out] master     host index
 * @param[out] comm_time  array of length hosts: the comm_time to plan with for that master; may be NULL
 * @return as hs_divisible_create() */
HS_API hs_status hs_divisible_choose_master(const hs_divisible_params *params, int *master, double *comm_time,
                                            hs_error *error);

/** SPORT as published: its sequences and the loads that let every worker finish without idle time, in O(m log m)
 * instead of O(m^3). Loads may come out negative: then this is no schedule, see HS_DIVISIBLE_SPORT for the valid one.
 *
 * Model:      duplex; linear costs; no computing master.
 * Source:     sport, Algorithm 1, as published; the loads by undoing steps 2(c) and 2(d) from the last worker to the
 *             first instead of solving step 4's linear system. Ties among equal comm_time go to the lowest index.
 *
 * @param[in]  cycle_time  E_k, seconds per unit load, array of length m, each > 0
 * @param[in]  comm_time   C_k, seconds per unit load, array of length m, each > 0
 * @param[in]  results     delta >= 0
 * @param[out] send_order, collect_order  arrays of length m
 * @param[out] share       array of length m, adds up to 1
 * @param[out] makespan    seconds for a load of 1; may be NULL
 * @return HS_OK; HS_ERR_ARG; HS_ERR_INFEASIBLE (the system is singular); HS_ERR_NOMEM */
HS_API hs_status hs_divisible_sport(const double *cycle_time, const double *comm_time, int m, double results,
                                    int *send_order, int *collect_order, double *share, double *makespan);

#ifdef __cplusplus
}
#endif
#endif
