/* SPDX-License-Identifier: BSD-3-Clause */
/* Algorithm EP (reduction-schedule, section 3): the i-th sender of P starts as soon as two hosts are free, one to send
 * and one to receive; a message that completes frees its receiver.
 *
 * EP says when each host sends, not to whom. Receivers are found by running the same events backwards: un-completing a
 * message takes a host out of those that are free (its receiver), un-starting it gives back both. The number of free
 * hosts is the same as on the way forward, so there always is one. The last one given back is taken, which makes a
 * host's messages follow each other closely. */
#include "plan/reduction/reduction.h"
#include "util/assert.h"
#include "util/heap.h"

typedef struct completion {
    double end;
    int k; /* place in P */
} completion;

/* Active messages, a heap by completion time, then place in P. */
typedef struct messages {
    completion *item;
    size_t count;
} messages;

static int is_before(const completion *a, const completion *b)
{
    return a->end < b->end || (a->end == b->end && a->k < b->k);
}

HS__HEAP(heap, completion, is_before)

static hs_transfer start(const double *time, int host, double now)
{
    return (hs_transfer){.from = host, .start = now, .end = now + time[host]};
}

/* The next completion. @return when it is */
static double complete(messages *active, int *done, int *completed)
{
    completion next = heap_pop(active->item, &active->count);
    HS_ASSERT(active->count == 0 || !is_before(&active->item[0], &next)); /* completions come in order */
    done[(*completed)++] = next.k;
    return next.end;
}

/* Forward: starts and ends. done[j] is the place in P of the j-th completion, before[k] how many came before the start
 * of place k. Half of the hosts can send at once; if P is slowest-node-first, the heap takes their messages best from
 * the last one on, which is over first: none has to be moved up. */
static double run_forward(const double *time, int hosts, const int *senders, hs_transfer *transfer, messages *active,
                          int *done, int *before)
{
    double now = 0.0;
    int at_once = hosts / 2, free_hosts = hosts - 2 * at_once, completed = 0;
    for (int k = at_once - 1; k >= 0; k--) {
        before[k] = 0;
        transfer[k] = start(time, senders[k], now);
        heap_push(active->item, &active->count, (completion){transfer[k].end, k});
    }
    for (int k = at_once; k < hosts - 1; k++) {
        for (; free_hosts < 2; free_hosts++)
            now = complete(active, done, &completed);
        free_hosts -= 2;
        before[k] = completed;
        transfer[k] = start(time, senders[k], now);
        heap_push(active->item, &active->count, (completion){transfer[k].end, k});
    }
    while (active->count > 0)
        now = complete(active, done, &completed);
    HS_ASSERT(completed == hosts - 1);
    return now;
}

/* Backward: receivers. */
static void run_backward(int hosts, int root, const int *done, const int *before, hs_transfer *transfer, int *free_host)
{
    int count = 0, k = hosts - 2;
    free_host[count++] = root;
    for (int j = hosts - 2; j >= 0; j--) {
        for (; k >= 0 && before[k] > j; k--) {
            free_host[count++] = transfer[k].from;
            free_host[count++] = transfer[k].to;
        }
        HS_ASSERT(count > 0);
        transfer[done[j]].to = free_host[--count];
    }
    HS_ASSERT(k == hosts / 2 - 1); /* only the messages that start at once are left */
}

hs_status hs__reduction_earliest(const double *time, int hosts, int root, const int *senders, hs_transfer *transfer,
                                 double *makespan)
{
    size_t n = (size_t)hosts;
    hs__pool pool = {0};
    messages active = {.item = hs__pool_new(&pool, n, sizeof *active.item)};
    int *done = hs__pool_new(&pool, n, sizeof *done), *before = hs__pool_new(&pool, n, sizeof *before);
    int *free_host = hs__pool_new(&pool, n, sizeof *free_host);
    hs_status status = hs__pool_status(&pool);
    if (status == HS_OK) {
        *makespan = run_forward(time, hosts, senders, transfer, &active, done, before);
        run_backward(hosts, root, done, before, transfer, free_host);
    }
    hs__pool_free(&pool);
    return status;
}
