/* SPDX-License-Identifier: BSD-3-Clause */
/* Zoltan takes the sizes of parts by a call of its own before it cuts. They are set for the call and reset after it, unless the
 * program has set sizes or a number of parts itself. */
#include "interpose/partition/lookup.h"
#include "interpose/partition/targets.h"
#include "interpose/partition/zoltan_objects.h"
#include "runtime/base/world_handle.h"
#include <heteroslice/hs_status.h>
#include <stdlib.h>
#include <strings.h>

enum { ZOLTAN_OK = 0, ZOLTAN_WARN = 1, ZOLTAN_FATAL = -1, RESET = -1 };
enum { BALANCE_ARGUMENTS = 12, PARTITION_ARGUMENTS = 14 };

/* A communicator for what the wrappers bring together: Zoltan makes one here, too, so that its calls and those of the program
 * need no common order. A duplicate would copy the program's attributes. */
static void add_comm(const void *zoltan, MPI_Comm comm)
{
    MPI_Comm added;
    if (hs__owners_agree(comm, zoltan && hs__zoltan_remember(zoltan)) &&
        PMPI_Comm_split(hs__world_of(comm), 0, 0, &added) == MPI_SUCCESS)
        hs__zoltan_set_comm(zoltan, added);
}

/* ---- Sizes ---- */

typedef int set_sizes(void *zoltan, int global, int n, int *part, int *weight, float *size);

/* The same shares of each weight of the objects. @return whether they are set */
static int set_shares(set_sizes *set, void *zoltan, hs__partitioning *this, int weights)
{
    size_t n = (size_t)this->parts * (size_t)weights;
    int *part = hs__pool_new(&this->pool, n, sizeof *part), *weight = hs__pool_new(&this->pool, n, sizeof *weight);
    float *size = hs__pool_new(&this->pool, n, sizeof *size);
    if (!part || !weight || !size)
        return 0;
    for (size_t k = 0; k < n; k++) {
        part[k] = (int)(k / (size_t)weights);
        weight[k] = (int)(k % (size_t)weights);
        size[k] = (float)this->given[part[k]];
    }
    return set(zoltan, 1, (int)n, part, weight, size) == ZOLTAN_OK;
}

/* @return whether sizes are set on all ranks, which release_sizes() takes back */
static int give_sizes(hs__call_site site, hs__foreign_function own, void *zoltan, hs__partitioning *this)
{
    set_sizes *set = (set_sizes *)hs__partitioner_beside("Zoltan_LB_Set_Part_Sizes", own);
    hs__zoltan_object known = hs__zoltan_get(zoltan);
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
    int given = changes && set_shares(set, zoltan, this, known.weights > 1 ? known.weights : 1);
    if (hs__owners_agree(known.comm, given))
        return 1;
    if (given)
        set(zoltan, 1, RESET, NULL, NULL, NULL);
    this->given = NULL;
    return 0;
}

static void release_sizes(hs__foreign_function own, void *zoltan)
{
    set_sizes *set = (set_sizes *)hs__partitioner_beside("Zoltan_LB_Set_Part_Sizes", own);
    set(zoltan, 1, RESET, NULL, NULL, NULL);
}

/* ---- What was reached ---- */

/* How many objects this rank has; -1: not known, or they have weights and so number tells no size. */
static int ask_number(const hs__zoltan_object *of)
{
    int error = 0, n = of->number && of->weights < 1 ? of->number(of->data, &error) : -1;
    return error == 0 ? n : -1;
}

/* What a call says of the objects that move: those that come, by the ranks that had them, and those that go, by the ranks that
 * get them. Below 0: RETURN_LISTS asks for the other list only. */
typedef struct moves {
    int in, out;
    const int *from, *to; /* [in], [out] */
} moves;

static moves read_moves(void **a, int n)
{
    int out = n == PARTITION_ARGUMENTS ? 9 : 8; /* Zoltan_LB_Partition tells the parts of imports before it */
    return (moves){*(int *)a[4], *(int *)a[out], *(int **)a[7], *(int **)a[out + 3]};
}

/* Where the objects go that `own` of this rank were; where only imports are known, where they come from. So the sums over all
 * ranks are the sizes. @return [parts]; NULL: not known */
static double *find_reached(hs__partitioning *this, MPI_Comm comm, int own, moves m)
{
    int rank;
    double *reached =
        own < 0 || (m.in < 0 && m.out < 0) ? NULL : hs__pool_new(&this->pool, (size_t)this->parts, sizeof *reached);
    if (!reached)
        return NULL;
    PMPI_Comm_rank(comm, &rank);
    reached[rank] = own;
    for (int k = 0; k < m.out; k++) {
        reached[rank]--;
        reached[m.to[k]]++;
    }
    for (int k = 0; m.out < 0 && k < m.in; k++) {
        reached[rank]++;
        reached[m.from[k]]--;
    }
    return reached;
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

/* Zoltan makes the copy by Zoltan_Create. */
HS_API void *Zoltan_Copy(const void *from);
void *Zoltan_Copy(const void *from)
{
    void *(*own)(const void *) = (void *(*)(const void *))hs__partitioner(__func__, HS__CALLER);
    if (!own)
        hs__partitioner_missing(__func__);
    void *zoltan = own ? own(from) : NULL;
    hs__zoltan_copy(zoltan, from);
    return zoltan;
}

HS_API int Zoltan_Copy_To(void *to, const void *from);
int Zoltan_Copy_To(void *to, const void *from)
{
    int (*own)(void *, const void *) = (int (*)(void *, const void *))hs__partitioner(__func__, HS__CALLER);
    hs__zoltan_copy(to, from);
    if (own)
        return own(to, from);
    hs__partitioner_missing(__func__);
    return ZOLTAN_FATAL;
}

HS_API void Zoltan_Destroy(void **zoltan);
void Zoltan_Destroy(void **zoltan)
{
    void (*own)(void **) = (void (*)(void **))hs__partitioner(__func__, HS__CALLER);
    MPI_Comm comm = zoltan ? hs__zoltan_forget(*zoltan) : MPI_COMM_NULL;
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
        hs__zoltan_leave_to_program(zoltan);
    if (name && value && strcasecmp(name, "OBJ_WEIGHT_DIM") == 0)
        hs__zoltan_set_weights(zoltan, atoi(value));
    if (own)
        return own(zoltan, name, value);
    hs__partitioner_missing(__func__);
    return ZOLTAN_FATAL;
}

HS_API set_sizes Zoltan_LB_Set_Part_Sizes;
int Zoltan_LB_Set_Part_Sizes(void *zoltan, int global, int n, int *part, int *weight, float *size)
{
    set_sizes *own = (set_sizes *)hs__partitioner(__func__, HS__CALLER);
    hs__zoltan_leave_to_program(zoltan);
    if (own)
        return own(zoltan, global, n, part, weight, size);
    hs__partitioner_missing(__func__);
    return ZOLTAN_FATAL;
}

/* Zoltan_Set_Fn calls it, too. */
typedef int set_number(void *zoltan, hs__zoltan_number *number, void *data);
HS_API set_number Zoltan_Set_Num_Obj_Fn;
int Zoltan_Set_Num_Obj_Fn(void *zoltan, hs__zoltan_number *number, void *data)
{
    set_number *own = (set_number *)hs__partitioner(__func__, HS__CALLER);
    hs__zoltan_set_number(zoltan, number, data);
    if (own)
        return own(zoltan, number, data);
    hs__partitioner_missing(__func__);
    return ZOLTAN_FATAL;
}

typedef int lb_partition(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *,
                         void *, void *);
typedef int lb_balance(void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *, void *);
HS_API lb_partition Zoltan_LB_Partition;
HS_API lb_balance Zoltan_LB_Balance;

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
    hs__zoltan_object known = hs__zoltan_get(a[0]);
    int before = this.site.call ? ask_number(&known) : -1;
    int result = n == PARTITION_ARGUMENTS
                     ? ((lb_partition *)own)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11],
                                             a[12], a[13])
                     : ((lb_balance *)own)(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]);
    hs__partition_leave();
    if (given)
        release_sizes(own, a[0]);
    int cut = before >= 0 && (result == ZOLTAN_OK || result == ZOLTAN_WARN);
    hs__partitioning_end(&this, cut ? find_reached(&this, known.comm, before, read_moves(a, n)) : NULL);
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
