/* SPDX-License-Identifier: BSD-3-Clause */
/* Zoltan takes the sizes of parts by a call of its own before it cuts. They are set for the call and reset after it, unless the
 * program has set sizes or a number of parts itself. */
#include "interpose/partition/lookup.h"
#include "interpose/partition/targets.h"
#include "runtime/base/world_handle.h"
#include "util/assert.h"
#include <heteroslice/hs_status.h>
#include <pthread.h>
#include <strings.h>

enum { MOST_OBJECTS = 64, ZOLTAN_FATAL = -1, RESET = -1 };

/* Zoltan's objects of the process. */
typedef struct object {
    const void *zoltan; /* NULL: free */
    MPI_Comm comm;
    int own_parts; /* the program has set sizes, or a number of parts */
} object;

static struct {
    pthread_mutex_t lock;
    object object[MOST_OBJECTS];
} self = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* NULL: any free place. With the lock. */
static object *find(const void *zoltan)
{
    for (int k = 0; k < MOST_OBJECTS; k++)
        if (self.object[k].zoltan == zoltan)
            return &self.object[k];
    return NULL;
}

static void remember(const void *zoltan, MPI_Comm comm)
{
    pthread_mutex_lock(&self.lock);
    object *place = zoltan ? find(NULL) : NULL;
    if (place)
        *place = (object){zoltan, comm, 0};
    pthread_mutex_unlock(&self.lock);
}

static void change(const void *zoltan, int forget)
{
    pthread_mutex_lock(&self.lock);
    object *known = zoltan ? find(zoltan) : NULL;
    if (known && forget)
        *known = (object){0};
    else if (known)
        known->own_parts = 1;
    pthread_mutex_unlock(&self.lock);
}

/* @return whether the parts are one a rank, of equal sizes */
static int asks_for_equal(const void *zoltan, MPI_Comm *comm)
{
    pthread_mutex_lock(&self.lock);
    const object *known = find(zoltan);
    int equal = known && !known->own_parts;
    *comm = known ? known->comm : MPI_COMM_NULL;
    pthread_mutex_unlock(&self.lock);
    if (!known)
        hs__partition_pass("Zoltan_LB_Partition", "the communicator of its Zoltan_Struct is not known");
    return equal;
}

typedef int set_sizes(void *zoltan, int global, int n, int *part, int *weight, float *size);

/* @return whether sizes are set, which release_sizes() takes back */
static int give_sizes(hs__call_site site, hs__foreign_function own, void *zoltan, hs__partitioning *this)
{
    set_sizes *set = (set_sizes *)hs__partitioner_beside("Zoltan_LB_Set_Part_Sizes", own);
    MPI_Comm comm;
    int n, given = 0;
    *this = (hs__partitioning){0};
    if (!zoltan || !set || !hs__partition_acts() || !asks_for_equal(zoltan, &comm))
        return 0;
    PMPI_Comm_size(hs__world_of(comm), &n);
    if (!hs__partitioning_begin_comm(this, site, comm, n, NULL))
        return 0;
    HS_ASSERT(this->parts == n && this->given);
    int *part = hs__pool_new(&this->pool, (size_t)n, sizeof *part);
    float *size = hs__pool_new(&this->pool, (size_t)n, sizeof *size);
    for (int p = 0; part && size && p < n; p++) {
        part[p] = p;
        size[p] = (float)this->given[p];
    }
    given = part && size && set(zoltan, 1, n, part, NULL, size) == 0;
    if (!given)
        this->given = NULL;
    return given;
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
    remember(zoltan, comm);
    return zoltan;
}

HS_API void Zoltan_Destroy(void **zoltan);
void Zoltan_Destroy(void **zoltan)
{
    void (*own)(void **) = (void (*)(void **))hs__partitioner(__func__, HS__CALLER);
    if (zoltan)
        change(*zoltan, 1);
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
        change(zoltan, 0);
    if (own)
        return own(zoltan, name, value);
    hs__partitioner_missing(__func__);
    return ZOLTAN_FATAL;
}

HS_API set_sizes Zoltan_LB_Set_Part_Sizes;
int Zoltan_LB_Set_Part_Sizes(void *zoltan, int global, int n, int *part, int *weight, float *size)
{
    set_sizes *own = (set_sizes *)hs__partitioner(__func__, HS__CALLER);
    change(zoltan, 0);
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

int Zoltan_LB_Partition(void *zoltan, void *b, void *c, void *d, void *e, void *f, void *g, void *h, void *i, void *j,
                        void *k, void *l, void *m, void *n)
{
    hs__foreign_function own = hs__partitioner(__func__, HS__CALLER);
    hs__partitioning this;
    if (!own) {
        hs__partitioner_missing(__func__);
        return ZOLTAN_FATAL;
    }
    int given = give_sizes(HS__CALL_SITE, own, zoltan, &this);
    hs__partition_enter();
    int result = ((lb_partition *)own)(zoltan, b, c, d, e, f, g, h, i, j, k, l, m, n);
    hs__partition_leave();
    release_sizes(own, zoltan, given, &this);
    return result;
}

int Zoltan_LB_Balance(void *zoltan, void *b, void *c, void *d, void *e, void *f, void *g, void *h, void *i, void *j,
                      void *k, void *l)
{
    hs__foreign_function own = hs__partitioner(__func__, HS__CALLER);
    hs__partitioning this;
    if (!own) {
        hs__partitioner_missing(__func__);
        return ZOLTAN_FATAL;
    }
    int given = give_sizes(HS__CALL_SITE, own, zoltan, &this);
    hs__partition_enter();
    int result = ((lb_balance *)own)(zoltan, b, c, d, e, f, g, h, i, j, k, l);
    hs__partition_leave();
    release_sizes(own, zoltan, given, &this);
    return result;
}
