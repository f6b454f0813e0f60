/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/traffic.h"
#include "runtime/base/world_handle.h"
#include "runtime/watch/handles.h"
#include "util/array.h"
#include "util/assert.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* The process. */
static struct {
    pthread_mutex_t lock; /* of what follows, but to find handles and to count */
    int counting;
    int together;         /* threads may count at the same moment */
    hs__traffic **all;    /* owned */
    size_t count, room;   /* of these */
    hs__handles comms;    /* to their traffic */
    hs__handles requests; /* persistent sends: to the counter, and the bytes of a message */
    int freed;            /* communicators that were freed and are kept apart */
    hs__traffic *others;  /* those freed later; one of all, or NULL */
} self = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Of the thread: a type of MPI's own with its size, and one that was none when it was last seen. */
static __thread struct {
    MPI_Datatype type, derived;
    int64_t size;
} recent __attribute__((tls_model("initial-exec")));

/* ---- The traffic of a communicator ---- */

static void free_traffic(hs__traffic *t)
{
    if (!t)
        return;
    free(t->world);
    free(t->sent);
    free(t);
}

/* Of the ranks of a group, nothing sent as yet. */
static hs__traffic *new_traffic(MPI_Group group)
{
    hs__traffic *t = hs__array_new(1, sizeof *t);
    if (!t)
        return NULL;
    PMPI_Group_size(group, &t->size);
    t->world = hs__array_new((size_t)t->size, sizeof *t->world);
    t->sent = hs__array_new((size_t)t->size, sizeof *t->sent);
    if (t->world && t->sent && hs__world_ranks(group, t->world) == HS_OK)
        return t;
    free_traffic(t);
    return NULL;
}

static hs__traffic *describe(MPI_Comm comm)
{
    int inter = 0, length;
    MPI_Group group;
    PMPI_Comm_test_inter(comm, &inter);
    if (inter)
        PMPI_Comm_remote_group(comm, &group);
    else
        PMPI_Comm_group(comm, &group);
    hs__traffic *t = new_traffic(group);
    PMPI_Group_free(&group);
    if (t) {
        PMPI_Comm_get_name(comm, t->name, &length);
        PMPI_Comm_rank(comm, &t->rank);
    }
    return t;
}

/* Takes it over, freed when memory is out. */
static hs__traffic *keep(hs__traffic *t)
{
    if (t && hs__array_reserve(&self.all, &self.room, self.count + 1, sizeof *self.all) == 0)
        return self.all[self.count++] = t;
    free_traffic(t);
    return NULL;
}

/* The first use of a communicator, or another thread was faster. */
static hs__traffic *find_or_add(MPI_Comm comm)
{
    pthread_mutex_lock(&self.lock);
    const hs__handle *known = hs__handles_find(&self.comms, (uintptr_t)comm);
    hs__traffic *t = known ? known->kept : keep(describe(comm));
    if (t && !known && hs__handles_put(&self.comms, &(hs__handle){(uintptr_t)comm, t, 0}) != 0) {
        self.count--;
        free_traffic(t);
        t = NULL;
    }
    pthread_mutex_unlock(&self.lock);
    return t;
}

static hs__traffic *traffic_of(MPI_Comm comm)
{
    const hs__handle *known = hs__handles_find(&self.comms, (uintptr_t)comm);
    if (known)
        return known->kept;
    return comm == MPI_COMM_NULL ? NULL : find_or_add(comm);
}

/* ---- Counting ---- */

/* A type of the program's own may be freed, and another one have its handle then. */
static int keeps_its_size(MPI_Datatype type)
{
    int integers, addresses, types, combiner = MPI_COMBINER_DUP;
    if (type == recent.derived) /* perhaps another one by now, but then it is only not remembered */
        return 0;
    PMPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner);
    if (combiner != MPI_COMBINER_NAMED)
        recent.derived = type;
    return combiner == MPI_COMBINER_NAMED;
}

static int64_t size_of(MPI_Datatype type)
{
    MPI_Count size = 0; /* an int holds less than one element may have */
    if (type == recent.type)
        return recent.size;
    if (type == MPI_DATATYPE_NULL)
        return 0;
    PMPI_Type_size_x(type, &size);
    size = size > 0 ? size : 0;
    if (keeps_its_size(type)) {
        recent.type = type;
        recent.size = size;
    }
    return size;
}

static hs__traffic_counter *counter(hs__traffic *t, int to)
{
    if (to == HS__TO_ALL)
        return &t->collective;
    return to < t->size ? &t->sent[to] : NULL;
}

static void count(hs__traffic_counter *sent, int64_t bytes)
{
    if (self.together) {
        __atomic_fetch_add(&sent->messages, 1, __ATOMIC_RELAXED);
        __atomic_fetch_add(&sent->bytes, bytes, __ATOMIC_RELAXED);
    } else {
        sent->messages++;
        sent->bytes += bytes;
    }
}

void hs__traffic_send(MPI_Comm comm, int to, int64_t elements, MPI_Datatype type)
{
    if (!self.counting || (to < 0 && to != HS__TO_ALL))
        return;
    hs__traffic *t = traffic_of(comm);
    hs__traffic_counter *sent = t ? counter(t, to) : NULL;
    if (sent)
        count(sent, elements * size_of(type));
}

void hs__traffic_persistent(MPI_Request request, MPI_Comm comm, int to, int64_t elements, MPI_Datatype type)
{
    hs__traffic *t = self.counting && (to >= 0 || to == HS__TO_ALL) ? traffic_of(comm) : NULL;
    hs__traffic_counter *sent = t ? counter(t, to) : NULL;
    if (!sent)
        return;
    pthread_mutex_lock(&self.lock);
    t->persistent = 1;
    hs__handles_put(&self.requests, &(hs__handle){(uintptr_t)request, sent, elements * size_of(type)});
    pthread_mutex_unlock(&self.lock);
}

void hs__traffic_start_request(MPI_Request request)
{
    const hs__handle *known = self.counting ? hs__handles_find(&self.requests, (uintptr_t)request) : NULL;
    if (known)
        count(known->kept, known->bytes);
}

/* ---- Handles that are freed ---- */

/* What went over all communicators that were freed later, by the ranks of the world; NULL when memory is out. */
static hs__traffic *others(void)
{
    MPI_Group world;
    if (self.others)
        return self.others;
    PMPI_Comm_group(hs__world.comm, &world);
    self.others = keep(new_traffic(world));
    PMPI_Group_free(&world);
    if (self.others) {
        strcpy(self.others->name, "(freed)");
        PMPI_Comm_rank(hs__world.comm, &self.others->rank);
    }
    return self.others;
}

static int is_in_world(const hs__traffic *t)
{
    for (int r = 0; r < t->size; r++)
        if (t->world[r] < 0)
            return 0;
    return 1;
}

static void add(hs__traffic_counter *sum, const hs__traffic_counter *more)
{
    sum->messages += more->messages;
    sum->bytes += more->bytes;
}

/* Messages and bytes of all communicators. */
static hs__traffic_counter total(void)
{
    hs__traffic_counter sum = {0, 0};
    for (size_t k = 0; k < self.count; k++) {
        add(&sum, &self.all[k]->collective);
        for (int r = 0; r < self.all[k]->size; r++)
            add(&sum, &self.all[k]->sent[r]);
    }
    return sum;
}

static int is_total(hs__traffic_counter expected)
{
    hs__traffic_counter sum = total();
    return sum.messages == expected.messages && sum.bytes == expected.bytes;
}

static void add_to_others(hs__traffic *t)
{
    hs__traffic *sum = others();
    hs__traffic_counter before = {0, 0};
    size_t at = 0;
    if (!sum)
        return;
    if (hs__checking() && !self.together) /* else other threads count meanwhile */
        before = total();
    for (int r = 0; r < t->size; r++)
        add(&sum->sent[t->world[r]], &t->sent[r]);
    add(&sum->collective, &t->collective);
    while (at < self.count && self.all[at] != t)
        at++;
    HS_ASSERT(at < self.count);
    memmove(self.all + at, self.all + at + 1, (--self.count - at) * sizeof *self.all);
    HS_ASSERT(self.together || is_total(before));
    free_traffic(t);
}

void hs__traffic_name_comm(MPI_Comm comm)
{
    int length;
    pthread_mutex_lock(&self.lock);
    const hs__handle *known = hs__handles_find(&self.comms, (uintptr_t)comm);
    if (known)
        PMPI_Comm_get_name(comm, ((hs__traffic *)known->kept)->name, &length);
    pthread_mutex_unlock(&self.lock);
}

void hs__traffic_forget_comm(MPI_Comm comm)
{
    pthread_mutex_lock(&self.lock);
    const hs__handle *known = hs__handles_find(&self.comms, (uintptr_t)comm);
    hs__traffic *t = known ? known->kept : NULL;
    hs__handles_remove(&self.comms, (uintptr_t)comm);
    if (t && ++self.freed > HS__TRAFFIC_FREED && !t->persistent && is_in_world(t))
        add_to_others(t);
    pthread_mutex_unlock(&self.lock);
}

void hs__traffic_forget_request(MPI_Request request)
{
    pthread_mutex_lock(&self.lock);
    hs__handles_remove(&self.requests, (uintptr_t)request);
    pthread_mutex_unlock(&self.lock);
}

/* ---- The process ---- */

void hs__traffic_start(void)
{
    int level;
    PMPI_Query_thread(&level);
    self.together = level == MPI_THREAD_MULTIPLE;
    self.counting = 1;
}

void hs__traffic_stop(void)
{
    self.counting = 0;
}

const hs__traffic *const *hs__traffic_all(int *n)
{
    *n = (int)self.count;
    return (const hs__traffic *const *)self.all;
}
