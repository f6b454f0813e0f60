/* SPDX-License-Identifier: BSD-3-Clause */
#include "runtime/watch/traffic.h"
#include "runtime/base/world_handle.h"
#include "util/array.h"
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* A persistent send. */
typedef struct sending {
    MPI_Request request;
    hs__traffic_counter *sent;
    int64_t bytes;
} sending;

static hs__traffic counters[HS__TRAFFIC_COMMS];
static MPI_Comm handles[HS__TRAFFIC_COMMS]; /* MPI_COMM_NULL once it is free */
static hs__traffic_counter collectives[HS__TRAFFIC_COMMS];
static int count;
static int counting;
static sending *sendings;
static size_t sending_count, sending_room;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int generation; /* a change of it makes all threads look again */

/* The communicator of the last use, a type of MPI's own with its size, and one that was none when it was last seen. */
static __thread struct {
    MPI_Comm comm;
    hs__traffic *volume;
    int generation;
    MPI_Datatype type, derived;
    int64_t size;
} recent __attribute__((tls_model("initial-exec")));

/* Names the ranks of the communicator. @return 0 when memory is out */
static int describe(hs__traffic *v, MPI_Comm comm)
{
    int inter = 0, length;
    MPI_Group group;
    PMPI_Comm_get_name(comm, v->name, &length);
    PMPI_Comm_rank(comm, &v->rank);
    PMPI_Comm_test_inter(comm, &inter);
    if (inter)
        PMPI_Comm_remote_group(comm, &group);
    else
        PMPI_Comm_group(comm, &group);
    PMPI_Group_size(group, &v->size);
    size_t size = (size_t)v->size;
    v->world = hs__array_new(size, sizeof *v->world);
    v->sent = hs__array_new(size, sizeof *v->sent);
    int done = v->world && v->sent && hs__world_ranks(group, v->world) == HS_OK;
    PMPI_Group_free(&group);
    return done;
}

static hs__traffic *find(MPI_Comm comm)
{
    hs__traffic *found = NULL;
    pthread_mutex_lock(&lock);
    for (int i = 0; i < count && !found; i++)
        if (handles[i] == comm)
            found = &counters[i];
    if (!found && count < HS__TRAFFIC_COMMS && comm != MPI_COMM_NULL) {
        hs__traffic *next = &counters[count];
        if (describe(next, comm)) {
            next->collective = &collectives[count];
            handles[count++] = comm;
            found = next;
        }
    }
    pthread_mutex_unlock(&lock);
    return found;
}

static hs__traffic *look_up(MPI_Comm comm)
{
    int now = __atomic_load_n(&generation, __ATOMIC_ACQUIRE);
    if (recent.generation != now) {
        recent.generation = now;
        recent.comm = MPI_COMM_NULL;
    }
    if (recent.comm != comm) {
        recent.volume = find(comm);
        recent.comm = comm;
    }
    return recent.volume;
}

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
    int size = 0;
    if (type == recent.type)
        return recent.size;
    if (type == MPI_DATATYPE_NULL)
        return 0;
    PMPI_Type_size(type, &size);
    size = size > 0 ? size : 0;
    if (keeps_its_size(type)) {
        recent.type = type;
        recent.size = size;
    }
    return size;
}

static hs__traffic_counter *account_of(MPI_Comm comm, int to)
{
    hs__traffic *v = counting && (to >= 0 || to == HS__TO_ALL) ? look_up(comm) : NULL;
    if (!v || to >= v->size)
        return NULL;
    return to == HS__TO_ALL ? v->collective : &v->sent[to];
}

static void add(hs__traffic_counter *sent, int64_t bytes)
{
    bytes += __atomic_load_n(&sent->bytes, __ATOMIC_RELAXED);
    __atomic_store_n(&sent->messages, __atomic_load_n(&sent->messages, __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED);
    __atomic_store_n(&sent->bytes, bytes, __ATOMIC_RELAXED);
}

void hs__traffic_send(MPI_Comm comm, int to, int64_t elements, MPI_Datatype type)
{
    hs__traffic_counter *sent = account_of(comm, to);
    if (sent)
        add(sent, elements * size_of(type));
}

void hs__traffic_start(void)
{
    counting = 1;
    generation++;
}

void hs__traffic_stop(void)
{
    counting = 0;
    generation++;
}

void hs__traffic_persistent(MPI_Request request, MPI_Comm comm, int to, int64_t elements, MPI_Datatype type)
{
    hs__traffic_counter *sent = account_of(comm, to);
    if (!sent)
        return;
    pthread_mutex_lock(&lock);
    if (hs__array_reserve(&sendings, &sending_room, sending_count + 1, sizeof *sendings) == 0)
        sendings[sending_count++] = (sending){request, sent, elements * size_of(type)};
    pthread_mutex_unlock(&lock);
}

void hs__traffic_start_request(MPI_Request request)
{
    if (!counting || sending_count == 0)
        return;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < sending_count; i++)
        if (sendings[i].request == request) {
            add(sendings[i].sent, sendings[i].bytes);
            break;
        }
    pthread_mutex_unlock(&lock);
}

void hs__traffic_forget_comm(MPI_Comm comm)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < count; i++)
        if (handles[i] == comm)
            handles[i] = MPI_COMM_NULL;
    pthread_mutex_unlock(&lock);
    __atomic_add_fetch(&generation, 1, __ATOMIC_RELEASE);
}

void hs__traffic_forget_request(MPI_Request request)
{
    if (sending_count == 0)
        return;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < sending_count; i++)
        if (sendings[i].request == request) {
            sendings[i] = sendings[--sending_count];
            break;
        }
    pthread_mutex_unlock(&lock);
}

const hs__traffic *hs__traffic_all(int *n)
{
    *n = count;
    return counters;
}
