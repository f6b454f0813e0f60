/* SPDX-License-Identifier: BSD-3-Clause */
/* What random messages over communicators that come and go are counted as, against plain sums. Nothing is really sent. */
#include "runtime/watch/traffic.h"
#include "tests/mpi.h"
#include "util/random.h"

enum { COMMS = 100, MESSAGES = 30, MOST_RANKS = 16, NAME = 16 };

/* A communicator and what went over it; of many that were freed, by the ranks of the world. */
typedef struct expected {
    MPI_Comm comm;
    char name[NAME];
    int size, rank, world[MOST_RANKS], used, persistent;
    hs__traffic_counter sent[MOST_RANKS], collective;
} expected;

static hs__random random_state = {7}; /* the same on all ranks */
static expected made[COMMS], freed_later;

/* Those that are listed, in the order of their first messages. */
static struct {
    expected *item[COMMS + 1];
    int count;
} listed;

static int below(int limit)
{
    return (int)hs__random_below(&random_state, limit);
}

static MPI_Comm make_comm(int k)
{
    MPI_Comm comm, half;
    int rank = world_rank();
    if (k % 4 == 0)
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    else if (k % 4 == 1)
        MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &comm);
    else if (k % 4 == 2 || world_size() == 1)
        MPI_Comm_dup(MPI_COMM_SELF, &comm);
    else {
        MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, k, &comm);
        MPI_Comm_free(&half);
    }
    return comm;
}

/* The ranks that messages go to. */
static void describe(expected *e)
{
    MPI_Group group, all;
    int inter, ranks[MOST_RANKS];
    MPI_Comm_test_inter(e->comm, &inter);
    if (inter)
        MPI_Comm_remote_group(e->comm, &group);
    else
        MPI_Comm_group(e->comm, &group);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_size(group, &e->size);
    MPI_Comm_rank(e->comm, &e->rank);
    for (int r = 0; r < e->size; r++)
        ranks[r] = r;
    MPI_Group_translate_ranks(group, e->size, ranks, all, e->world);
    MPI_Group_free(&group);
    MPI_Group_free(&all);
}

static void add(hs__traffic_counter *sum, int64_t messages, int64_t bytes)
{
    sum->messages += messages;
    sum->bytes += bytes;
}

static hs__traffic_counter *expect(expected *e, int to)
{
    if (to != HS__TO_ALL && (to < 0 || to >= e->size))
        return NULL;
    if (!e->used)
        listed.item[listed.count++] = e;
    e->used = 1;
    return to == HS__TO_ALL ? &e->collective : &e->sent[to];
}

/* A type of MPI's own, one that is made for this message, also a large one, or one that is not known. */
static MPI_Datatype make_type(int64_t *bytes)
{
    static const int sizes[] = {1, 3, 1 << 30};
    MPI_Datatype type = MPI_DATATYPE_NULL;
    int kind = below(6), size = kind >= 3 ? sizes[kind - 3] : 0;
    *bytes = kind == 0 ? 0 : kind == 1 ? 4 : 8;
    if (kind >= 3) {
        MPI_Type_contiguous(size, MPI_DOUBLE, &type);
        *bytes = 8 * (int64_t)size;
    }
    return kind == 1 ? MPI_INT : kind == 2 ? MPI_DOUBLE : type;
}

static void free_type(MPI_Datatype *type)
{
    if (*type != MPI_DATATYPE_NULL && *type != MPI_INT && *type != MPI_DOUBLE)
        MPI_Type_free(type);
}

static void send_one(expected *e)
{
    int64_t bytes;
    int kind = below(8), to = kind == 0 ? HS__TO_ALL : kind == 1 ? MPI_PROC_NULL : below(world_size()), n = below(50);
    MPI_Datatype type = make_type(&bytes);
    hs__traffic_counter *sent = to < e->size ? expect(e, to) : NULL;
    if (sent || to == MPI_PROC_NULL)
        hs__traffic_send(e->comm, to, n, type);
    if (sent)
        add(sent, 1, n * bytes);
    free_type(&type);
}

/* Started some times, and once more when it is gone, which is then another's. */
static void send_persistently(expected *e)
{
    static double buffer[4];
    MPI_Request request;
    const int tos[] = {e->size - 1, HS__TO_ALL, MPI_PROC_NULL};
    int to = tos[below(3)], times = below(4);
    hs__traffic_counter *sent = expect(e, to);
    MPI_Send_init(buffer, 4, MPI_DOUBLE, 0, 0, e->comm, &request);
    hs__traffic_persistent(request, e->comm, to, 4, MPI_DOUBLE);
    for (int k = 0; k < times; k++)
        hs__traffic_start_request(request);
    if (sent) {
        add(sent, times, times * 4 * (int64_t)sizeof(double));
        e->persistent = 1;
    }
    hs__traffic_forget_request(request);
    hs__traffic_start_request(request);
    MPI_Request_free(&request);
}

static void join(expected *e)
{
    int k = 0;
    while (listed.item[k] != e)
        k++;
    for (listed.count--; k < listed.count; k++)
        listed.item[k] = listed.item[k + 1];
    for (int r = 0; r < e->size; r++)
        add(&freed_later.sent[e->world[r]], e->sent[r].messages, e->sent[r].bytes);
    add(&freed_later.collective, e->collective.messages, e->collective.bytes);
}

static void free_comm(expected *e)
{
    static int freed;
    hs__traffic_forget_comm(e->comm);
    MPI_Comm_free(&e->comm);
    if (!e->used || ++freed <= HS__TRAFFIC_FREED || e->persistent)
        return;
    if (!freed_later.used)
        listed.item[listed.count++] = &freed_later;
    freed_later.used = 1;
    join(e);
}

static int same(const hs__traffic_counter *one, const hs__traffic_counter *other)
{
    return one->messages == other->messages && one->bytes == other->bytes;
}

static void check(void)
{
    int n;
    const hs__traffic *const *all = hs__traffic_all(&n);
    REQUIRE(n == listed.count);
    for (int k = 0; k < n; k++) {
        const expected *e = listed.item[k];
        REQUIRE(strcmp(all[k]->name, e->name) == 0);
        REQUIRE(all[k]->size == e->size && all[k]->rank == e->rank);
        REQUIRE(same(&all[k]->collective, &e->collective));
        for (int r = 0; r < e->size; r++)
            REQUIRE(all[k]->world[r] == e->world[r] && same(&all[k]->sent[r], &e->sent[r]));
    }
}

static void name(expected *e, const char *text, int k)
{
    snprintf(e->name, sizeof e->name, "%s %d", text, k);
    MPI_Comm_set_name(e->comm, e->name);
    hs__traffic_name_comm(e->comm);
}

static void use(expected *e, int k)
{
    e->comm = make_comm(k);
    name(e, "comm", k);
    describe(e);
    for (int m = 0; m < MESSAGES && k % 9 != 8; m++)
        send_one(e);
    if (k % 5 == 4)
        send_persistently(e);
    if (k % 3 == 0)
        name(e, "renamed", k);
    if (k % 7 != 0)
        free_comm(e);
}

/* Of every one, to all ranks and to one. */
static void send_uncounted(void)
{
    hs__traffic_send(MPI_COMM_WORLD, 0, 1, MPI_INT);
    hs__traffic_send(MPI_COMM_WORLD, HS__TO_ALL, 1, MPI_INT);
    check();
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    REQUIRE(world_size() <= MOST_RANKS);
    freed_later = (expected){.comm = MPI_COMM_WORLD, .name = "(freed)"};
    describe(&freed_later);
    send_uncounted();
    hs__traffic_start();
    for (int k = 0; k < COMMS; k++) {
        use(&made[k], k);
        check();
    }
    REQUIRE(freed_later.used);
    hs__traffic_send(MPI_COMM_NULL, 0, 1, MPI_INT);
    check();
    hs__traffic_stop();
    send_uncounted();
    for (int k = 0; k < COMMS; k += 7)
        free_comm(&made[k]);
    check();
    MPI_Finalize();
    return 0;
}
