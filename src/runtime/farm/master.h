/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_RUNTIME_FARM_MASTER_H
#define HS_RUNTIME_FARM_MASTER_H

#include "runtime/farm/run.h"

/** Items given to a rank in one message; the root's own need none. */
typedef struct hs__chunk {
    int rank;
    int64_t first, count;
} hs__chunk;

/** What the root knows of each rank. */
typedef struct hs__worker {
    int64_t sent, done;    /* items; sent: also those that are still to leave */
    int64_t leaving, left; /* of the last chunk: the next item to leave, and how many are still here */
    double computing_s;    /* that it has reported, in all */
    double alive_s; /* of the run: when it last reported, took a message, or got something after it had nothing */
    double seen_s;  /* of the run: when it last reported, or got something to do */
    double items, seconds; /* its speed: evidence, older one fading */
} hs__worker;

/** The root of hs_farm_run(). Arrays are of the farm's size. */
typedef struct hs__master {
    hs_farm *farm;
    const hs_farm_job *job;
    hs__items item, result;
    int64_t next; /* first item not yet given */
    hs__worker *hand;
    hs__chunk *chunks; /* in the order given */
    size_t chunk_count, chunk_capacity;
    int round, at; /* next in the plan: installment, place in the send order; not used when sending to all at once */
    int64_t begun_ns, event_ns, told_ns;

    MPI_Request *listening; /* for reports */
    hs__farm_report *report;
    int *heard;
    hs__pieces *out;       /* what is under way to each rank */
    hs__farm_order *order; /* the last one to each rank */
    int ended;             /* all have been told so */
    double corrected_s;    /* when the rest was last looked at */
    double sent_s;         /* when the last item had left */
    hs__pieces in;         /* from the rank collect[collected] */
    int collected, collecting;

    hs__batch batch;
    size_t own;              /* chunks[own] is looked at for the root's own items */
    int64_t own_done;        /* of that chunk */
    double idle_s;           /* when the root last had nothing to compute, or ended a batch */
    double looked_s, away_s; /* when it last looked at messages; and when it last did after not looking for too long */
    int64_t corrections;
    int *by_comm_time;
    double *busy, *cycle_time, *share; /* for corrections */
    int64_t *count;
} hs__master;

/** Seconds since the run began. */
double hs__master_now(const hs__master *m);

/** Send what the plan has next, and tell the workers the end. Never waits. */
hs_status hs__master_send(hs__master *m);

/** The lowest rank that items are still to leave for, or a message is under way to; -1: none. */
int hs__master_sending_to(const hs__master *m);

/** Seconds that rank still computes what it was given, by its speed so far. */
double hs__master_backlog(const hs__master *m, int rank, double now_s);

/** Share the items not yet given out anew if that ends sooner; changes the plan's further installments. */
void hs__master_correct(hs__master *m, double now_s);

/** Take a report as evidence of a rank's speed. */
void hs__master_hear(hs__master *m, int rank, const hs__farm_report *report, double now_s);

#endif
