/* SPDX-License-Identifier: BSD-3-Clause */
/* Zoltan takes the sizes of parts by a call of its own before it cuts. They are set for the call and reset after it, unless the
 * program has set sizes or a number of parts itself. */
#include "interpose/partition/lookup.h"
#include "interpose/partition/targets.h"
#include "runtime/base/world_handle.h"
#include "util/array.h"
#include <heteroslice/hs_status.h>
#include <pthread.h>
#include <strings.h>

enum { ZOLTAN_FATAL = -1, RESET = -1 };

/* Zoltan's objects of the process. */
typedef struct object {
    const void *zoltan; /* NULL: free */
    MPI_Comm comm;      /* of the same ranks as Zoltan's own; owned. MPI_COMM_NULL: these ranks pass through */
    int own_parts;      /* the program has set sizes, or a number of parts */
} object;

static struct {
    pthread_mutex_t lock;
    object *object; /* [count]; those that are free are used again */
    size_t count, capacity;
} self = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* NULL: any free place. With the lock. */
static object *find(const void *zoltan)
{
    for (size_t k = 0; k < self.count; k++)
        if (self.object[k].zoltan == zoltan)
            return &self.object[k];
    return NULL;
}

/* @return whether there was memory for it */
static int remember(const void *zoltan)
{
    pthread_mutex_lock(&self.lock);
    object *place = find(zoltan); /* of an object at the same address, which ended unseen */
    if (!place)
        place = find(NULL);
    if (!place && hs__array_reserve(&self.object, &self.capacity, self.count + 1, sizeof *self.object) == 0)
        place = &self.object[self.count++];
    if (place)
        *place = (object){zoltan, MPI_COMM_NULL, 0};
    pthread_mutex_unlock(&self.lock);
    return place != NULL;
}

static void set_comm(const void *zoltan, MPI_Comm comm)
{
    pthread_mutex_lock(&self.lock);
    find(zoltan)->comm = comm;
    pthread_mutex_unlock(&self.lock);
}

/* @return its communicator, or MPI_COMM_NULL */
static MPI_Comm forget(const void *zoltan)
{
    pthread_mutex_lock(&self.lock);
    object *known = zoltan ? find(zoltan) : NULL;
    MPI_Comm comm = known ? known->comm : MPI_COMM_NULL;
    if (known)
        *known = (object){0};
    pthread_mutex_unlock(&self.lock);
    return comm;
}

static void leave_to_program(const void *zoltan)
{
    pthread_mutex_lock(&self.lock);
    object *known = zoltan ? find(zoltan) : NULL;
    if (known)
        known->own_parts = 1;
    pthread_mutex_unlock(&self.lock);
}

/* @return a copy; its zoltan is NULL where the object is not known */
static object get(const void *zoltan)
{
    pthread_mutex_lock(&self.lock);
    const object *known = zoltan ? find(zoltan) : NULL;
    object copy = known ? *known : (object){NULL, MPI_COMM_NULL, 0};
    pthread_mutex_unlock(&self.lock);
    return copy;
}

/* A communicator for what the wrappers bring together: Zoltan makes one here, too, so that its calls and those of the program
 * need no common order. A duplicate would copy the program's attributes. */
static void add_comm(const void *zoltan, MPI_Comm comm)
{
    MPI_Comm added;
    if (hs__owners_agree(comm, zoltan && remember(zoltan)) &&
        PMPI_Comm_split(hs__world_of(comm), 0, 0, &added) == MPI_SUCCESS)
        set_comm(zoltan, added);
}

/* ---- Sizes ---- */

typedef int set_sizes(void *zoltan, int global, int n, int *part, int *weight, float *size);

/* @return whether sizes are set on all ranks, which release_sizes() takes back */
static int give_sizes(hs__call_site site, hs__foreign_function own, void *zoltan, hs__partitioning *this)
{
    set_sizes *set = (set_sizes *)hs__partitioner_beside("Zoltan_LB_Set_Part_Sizes", own);
    object known = get(zoltan);
    int n;
    *this = (hs__partitioning){0};
    if (!zoltan || !set || !hs__partition_acts())
        return 0;
    if (!known.zoltan)
        hs__partition_pass("Zoltan_LB_Partition", "the communicator of its Zoltan_Struct is not known");
    if (!hs__owners_agree(known.comm, !known.own_parts)) /* one rank may have set the sizes of all */
        return 0;
    PMPI_Comm_size(known.comm, &n);
    int changes = hs__repartitioning_begin(this, site, known.comm, n, NULL);
    int *part = hs__pool_new(&this->pool, (size_t)n, sizeof *part);
    float *size = hs__pool_new(&this->pool, (size_t)n, sizeof *size);
    for (int p = 0; changes && part && size && p < n; p++) {
        part[p] = p;
        size[p] = (float)this->given[p];
    }
    int given = changes && part && size && set(zoltan, 1, n, part, NULL, size) == 0;
    if (hs__owners_agree(known.comm, given))
        return 1;
    if (given)
        set(zoltan, 1, RESET, NULL, NULL, NULL);
    this->given = NULL;
    return 0;
}

static void release_sizes(hs__foreign_function own, void *zoltan, int given, hs__partitioning *this)
{
    set_sizes *set = (set_sizes *)hs__partitioner_beside("Zoltan_LB_Set_Part_Sizes", own);
    if (given)
        set(zoltan, 1, RESET, NULL, NULL, NULL);
    hs__partitioning_end(this, NULL);
}

/* ---- The wrappers ---- */

HS_API void *Zoltan_Create(MPI_Comm comm);
void *Zoltan_Create(MPI_Comm comm)
{
    void *(*own)(MPI_Comm) = (void *(*)(MPI_Comm))hs__partitioner(__func__, HS__CALLER);
    if (!own)
        hs__partitioner_missing(__func__);
    void *zoltan = own ? own(comm) : NULL;
    if (own && hs__partition_acts())
        add_comm(zoltan, comm);
    return zoltan;
}

HS_API void Zoltan_Destroy(void **zoltan);
void Zoltan_Destroy(void **zoltan)
{
    void (*own)(void **) = (void (*)(void **))hs__partitioner(__func__, HS__CALLER);
    MPI_Comm comm = zoltan ? forget(*zoltan) : MPI_COMM_NULL;
    if (comm != MPI_COMM_NULL)
        PMPI_Comm_free(&comm);
    if (own)
        own(zoltan);
    else
        hs__partitioner_missing(__func__);
}

HS_API int Zoltan_Set_Param(void *zoltan, const char *name, const char *value);
int Zoltan_Set_Param(void *zoltan, const char *name, const char *value)
{
    int (*own)(void *, const char *, const char *) =
        (int (*)(void *, const char *, const char *))hs__partitioner(__func__, HS__CALLER);
    if (name && (strcasecmp(name, "NUM_GLOBAL_PARTS") == 0 || strcasecmp(name, "NUM_LOCAL_PARTS") == 0))
        leave_to_program(zoltan);
    if (own)
        return own(zoltan, name, value);
    hs__partitioner_missing(__func__);
    return ZOLTAN_FATAL;
}

HS_API set_sizes Zoltan_LB_Set_Part_Sizes;
int Zoltan_LB_Set_Part_Sizes(void *zoltan, int global, int n, int *part, int *weight, float *size)
{
    set_sizes *own = (set_sizes *)hs__partitioner(__func__, HS__CALLER);
    leave_to_program(zoltan);
    if (own)
        return own(zoltan, global, n, part, weight, size);
    hs__partitioner_missing(__func__);
    return ZOLTAN_FATAL;
}

typedef int lb_partition(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                         void *, void *);
typedef int lb_balance(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *);
HS_API lb_partition Zoltan_LB_Partition;
HS_API lb_balance Zoltan_LB_Balance;

enum { BALANCE_ARGUMENTS = 12, PARTITION_ARGUMENTS = 14 };

static int cut(hs__call_site site, int n, void **a)
{
    hs__foreign_function own = hs__partitioner(site.call, site.caller);
    hs__partitioning this;
    if (!own) {
        hs__partitioner_missing(site.call);
        return ZOLTAN_FATAL;
    }
    int given = give_sizes(site, own, a[0], &this);
    hs__partition_enter();
    int result = n == PARTITION_ARGUMENTS
                     ? ((lb_partition *)own)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11],
                                             a[12], a[13])
                     : ((lb_balance *)own)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
    hs__partition_leave();
    release_sizes(own, a[0], given, &this);
    return result;
}

int Zoltan_LB_Partition(void *zoltan, void *b, void *c, void *d, void *e, void *f, void *g, void *h, void *i, void *j,
                        void *k, void *l, void *m, void *n)
{
    void *arguments[PARTITION_ARGUMENTS] = {zoltan, b, c, d, e, f, g, h, i, j, k, l, m, n};
    return cut(HS__CALL_SITE, PARTITION_ARGUMENTS, arguments);
}

int Zoltan_LB_Balance(void *zoltan, void *b, void *c, void *d, void *e, void *f, void *g, void *h, void *i, void *j,
                      void *k, void *l)
{
    void *arguments[BALANCE_ARGUMENTS] = {zoltan, b, c, d, e, f, g, h, i, j, k, l};
    return cut(HS__CALL_SITE, BALANCE_ARGUMENTS, arguments);
}
