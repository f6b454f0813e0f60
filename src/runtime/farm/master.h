/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_FARM_MASTER_H
#define HS_RUNTIME_FARM_MASTER_H

#include "runtime/farm/run.h"

/** Items assigned to a rank in one message; the root's own need none. */
typedef struct hs__chunk {
    int rank;
    int64_t first, count;
} hs__chunk;

/** What the root knows of a rank. Times are seconds since the run began. */
typedef struct hs__worker {
    int64_t assigned, done; /* items */
    int64_t next_out,
        unsent;            /* of its last chunk: the first item that MPI has not got, and how many of these there are */
    double alive_s;        /* when it last reported, took a message, or got items when it had none */
    double busy_from_s;    /* since when it computes what it has, as far as reports tell */
    double items, seconds; /* computed: evidence of its speed, fading with age */
    double busy_s;         /* that computing took in all */
} hs__worker;

/** What is on its way to the ranks. Arrays here and below are of the farm's size. */
typedef struct hs__sending {
    int round, place; /* next in the plan: installment, place in the send order; not used when sending to all at once */
    hs__pieces *out;  /* what is under way to each rank */
    hs__farm_order *order; /* the last one to each rank */
    int ended;             /* all ranks have been sent the end */
} hs__sending;

/** What the ranks say of themselves. */
typedef struct hs__reports {
    MPI_Request *request;
    hs__farm_report *report;
    int *ready; /* scratch: whose reports have arrived */
} hs__reports;

/** What comes back, from one rank after the other in the planned order. */
typedef struct hs__results {
    hs__pieces in;
    int next;      /* place in that order */
    int under_way; /* of the rank there */
} hs__results;

/** The root's own items. */
typedef struct hs__own_items {
    hs__batch batch;
    size_t chunk;  /* which of all chunks is looked at for them */
    int64_t done;  /* of that chunk */
    double idle_s; /* when the root last had nothing to compute, or ended a batch */
} hs__own_items;

/** New shares for the items that are still at the root. */
typedef struct hs__correction {
    int64_t made;
    double last_s;                     /* when */
    int *by_comm_time;                 /* ranks, the cheapest messages first */
    double *busy, *cycle_time, *share; /* scratch */
    int64_t *count;                    /* likewise */
} hs__correction;

/** The root of hs_farm_run(). */
typedef struct hs__master {
    hs__pool pool; /* of the arrays, but chunks and what MPI may write to after a failure: orders, reports */
    hs_farm *farm;
    const hs_farm_job *job;
    hs__items item, result;
    int64_t next; /* first item not yet assigned */
    hs__worker *worker;
    hs__chunk *chunks; /* in the order of their items */
    size_t chunk_count, chunk_capacity;
    hs__sending sending;
    hs__reports reports;
    hs__results results;
    hs__own_items own;
    hs__correction correction;
    int failed;                              /* a rank has reported that it cannot go on */
    int64_t begun_ns, event_ns, progress_ns; /* clock: begin, last event, last call of job->progress */
    double polled_s, away_s; /* when it last polled; and when it last did so after a pause that was too long */
} hs__master;

/** Seconds since the run began. */
double hs__master_now(const hs__master *m);

/** Send what the plan has next, or the end to all workers. Never waits. @return HS_OK; HS_ERR_NOMEM; HS_ERR_MPI */
hs_status hs__master_send(hs__master *m);

/** Whether items or messages have still to leave. */
int hs__master_is_sending(const hs__master *m);

/** Seconds for which a rank will compute what it has, by its speed so far. */
double hs__master_backlog(const hs__master *m, int rank, double now_s);

/** Items of a rank in this installment and those that follow. */
int64_t hs__master_planned(const hs__master *m, int rank);

/** Share the items not yet assigned anew if that ends sooner: changes the plan's further installments. */
void hs__master_correct(hs__master *m, double now_s);

/** Take a report as evidence of a rank's speed. */
void hs__master_take_report(hs__master *m, int rank, const hs__farm_report *report, double now_s);

/** Whether the chunks follow each other without gaps, add up to what each rank was assigned, and the plan has all other
 * items. @return HS_OK; HS_ERR_INTERNAL with the defect in *error */
hs_status hs__master_check(const hs__master *m, hs_error *error);

#endif
