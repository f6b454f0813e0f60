/* SPDX-License-Identifier: BSD-3-Clause */
/* Our reductions and broadcasts against the MPI library's: datatypes, operations, roots, communicators of every size up
 * to all ranks, one and two ranks a host; what has to pass through does. */
#include "tests/runtime/collectives/library.h"
#include <limits.h>

enum { LONG = 70000 };

static int hosts_of(MPI_Comm comm, int per_host)
{
    int size;
    MPI_Comm_size(comm, &size);
    return (size + per_host - 1) / per_host;
}

/* ---- Values: exact in every type and order ---- */

typedef struct number_type {
    MPI_Datatype type;
    int bytes;
    char kind; /* i: integer, b: byte for bits alone, l: logical, f: real, c: complex */
} number_type;

static void fill(unsigned char *data, const number_type *t, int n, int seed, int small)
{
    memset(data, 0, (size_t)n * (size_t)t->bytes); /* long doubles have bytes that mean nothing */
    for (int i = 0; i < n; i++) {
        int value = 1 + (i * 7 + seed * 13) % (small ? 2 : 5);
        void *at = data + (size_t)i * (size_t)t->bytes;
        if (t->kind == 'c')
            *(double *)at = value; /* and no imaginary part */
        else if (t->kind == 'f' && t->bytes == 4)
            *(float *)at = (float)value;
        else if (t->kind == 'f' && t->bytes == 8)
            *(double *)at = value;
        else if (t->kind == 'f')
            *(long double *)at = value;
        else if (t->kind == 'l')
            *(_Bool *)at = value % 2;
        else if (t->bytes == 1)
            *(signed char *)at = (signed char)value;
        else if (t->bytes == 2)
            *(short *)at = (short)value;
        else if (t->bytes == 4)
            *(int *)at = value;
        else
            *(long long *)at = value;
    }
}

/* By value: of long doubles some bytes are nobody's. */
static int are_equal(const number_type *t, const void *a, const void *b, int n)
{
    if (t->kind != 'f' || t->bytes <= 8)
        return memcmp(a, b, (size_t)n * (size_t)t->bytes) == 0;
    for (int i = 0; i < n; i++)
        if (((const long double *)a)[i] != ((const long double *)b)[i])
            return 0;
    return 1;
}

/* MPICH 4.0 crashes in its own MPI_Reduce in place at other roots than 0. */
#if defined(MPICH_NUMVERSION) && MPICH_NUMVERSION < 40100000
enum { LIBRARY_CRASHES = 1 };
#else
enum { LIBRARY_CRASHES = 0 };
#endif
static int takes; /* calls on the present communicator are ours */

static void compare_reduce(MPI_Comm comm, const number_type *t, MPI_Op op, int n, int root, int in_place)
{
    int rank;
    MPI_Comm_rank(comm, &rank);
    size_t bytes = (size_t)n * (size_t)t->bytes + 1;
    unsigned char *mine = malloc(bytes), *ours = malloc(bytes), *theirs = malloc(bytes);
    REQUIRE(mine && ours && theirs);
    fill(mine, t, n, rank, op == MPI_PROD);
    memset(ours, 99, bytes);
    memset(theirs, 99, bytes);
    PMPI_Reduce(mine, theirs, n, t->type, op, root, comm);
    int there = in_place && rank == root && (takes || root == 0 || !LIBRARY_CRASHES);
    if (there)
        memcpy(ours, mine, bytes - 1);
    REQUIRE(hs__collective_reduce(there ? MPI_IN_PLACE : mine, ours, n, t->type, op, root, comm) == MPI_SUCCESS);
    REQUIRE(rank != root || are_equal(t, ours, theirs, n));
    REQUIRE(ours[bytes - 1] == 99);
    PMPI_Allreduce(mine, theirs, n, t->type, op, comm);
    if (in_place)
        memcpy(ours, mine, bytes - 1);
    REQUIRE(hs__collective_allreduce(in_place ? MPI_IN_PLACE : mine, ours, n, t->type, op, comm) == MPI_SUCCESS);
    REQUIRE(are_equal(t, ours, theirs, n));
    REQUIRE(ours[bytes - 1] == 99);
    free(theirs);
    free(ours);
    free(mine);
}

static void test_type(MPI_Comm comm, const number_type *t, int seed, int every_root)
{
    static const struct {
        MPI_Op op;
        const char *kinds;
    } row[] = {{MPI_SUM, "ifc"}, {MPI_PROD, "ifc"}, {MPI_MAX, "if"},  {MPI_MIN, "if"}, {MPI_BAND, "ib"},
               {MPI_BOR, "ib"},  {MPI_BXOR, "ib"},  {MPI_LAND, "il"}, {MPI_LOR, "il"}, {MPI_LXOR, "il"}};
    int size;
    MPI_Comm_size(comm, &size);
    for (int o = 0; o < 10; o++)
        for (int k = 0; k < (every_root ? size : 1) && strchr(row[o].kinds, t->kind); k++)
            compare_reduce(comm, t, row[o].op, 3 + (seed * 7 + o * 5 + k) % 60, (seed + o + k) % size, (o + k) % 2);
}

static void test_types_and_operations(MPI_Comm comm, int every_root, int long_vectors)
{
    const number_type types[] = {
        {MPI_INT, 4, 'i'},
        {MPI_DOUBLE, 8, 'f'},
        {MPI_FLOAT, 4, 'f'},
        {MPI_LONG_DOUBLE, sizeof(long double), 'f'},
        {MPI_SHORT, 2, 'i'},
        {MPI_UNSIGNED_SHORT, 2, 'i'},
        {MPI_LONG, sizeof(long), 'i'},
        {MPI_LONG_LONG, 8, 'i'},
        {MPI_INT8_T, 1, 'i'},
        {MPI_UINT64_T, 8, 'i'},
        {MPI_UNSIGNED, 4, 'i'},
        {MPI_UNSIGNED_CHAR, 1, 'i'},
        {MPI_UNSIGNED_LONG, sizeof(long), 'i'},
        {MPI_BYTE, 1, 'b'},
        {MPI_C_BOOL, sizeof(_Bool), 'l'},
        {MPI_C_DOUBLE_COMPLEX, 16, 'c'},
    };
    int size;
    MPI_Comm_size(comm, &size);
    for (int t = 0; t < (int)(sizeof types / sizeof *types); t++)
        test_type(comm, &types[t], t, every_root);
    for (int root = 0; root < size; root++)
        compare_reduce(comm, &types[0], MPI_SUM, long_vectors ? LONG + root : 1 + root, root, root % 2);
}

/* ---- Pairs, own types and operations ---- */

static void test_pairs(MPI_Comm comm)
{
    struct pair {
        double value;
        int place;
    } mine[40], ours[40], theirs[40];
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    memset(mine, 0, sizeof mine);
    for (int i = 0; i < 40; i++) {
        mine[i].value = (i * 31 + rank * 17) % 7;
        mine[i].place = rank;
    }
    PMPI_Allreduce(mine, theirs, 40, MPI_DOUBLE_INT, MPI_MINLOC, comm);
    REQUIRE(hs__collective_allreduce(mine, ours, 40, MPI_DOUBLE_INT, MPI_MINLOC, comm) == MPI_SUCCESS);
    for (int i = 0; i < 40; i++)
        REQUIRE(ours[i].value == theirs[i].value && ours[i].place == theirs[i].place);
    REQUIRE(hs__collective_reduce(mine, ours, 40, MPI_DOUBLE_INT, MPI_MAXLOC, size - 1, comm) == MPI_SUCCESS);
    PMPI_Reduce(mine, theirs, 40, MPI_DOUBLE_INT, MPI_MAXLOC, size - 1, comm);
    for (int i = 0; i < 40 && rank == size - 1; i++)
        REQUIRE(ours[i].value == theirs[i].value && ours[i].place == theirs[i].place);
}

/* Elements are pairs of ints with a hole between them. */
static void add_first(void *in, void *inout, int *n, MPI_Datatype *type)
{
    MPI_Aint lower, extent;
    MPI_Type_get_extent(*type, &lower, &extent);
    for (int i = 0; i < *n; i++) {
        const int *a = (const int *)((char *)in + i * extent);
        int *b = (int *)((char *)inout + i * extent);
        b[0] += a[0];
        b[2] = a[2] > b[2] ? a[2] : b[2];
    }
}

/* Composition of x -> a x + b: the order matters. */
static void compose(void *in, void *inout, int *n, MPI_Datatype *type)
{
    for (int i = 0; i + 1 < *n * 2; i += 2) {
        const int *a = (int *)in + i;
        int *b = (int *)inout + i;
        b[1] = a[1] * b[0] + b[1];
        b[0] = a[0] * b[0];
    }
}

static void test_own_operations(MPI_Comm comm, int ours_expected)
{
    enum { N = 3000 };
    static int mine[3 * N], ours[3 * N], theirs[3 * N];
    MPI_Datatype holes, two;
    MPI_Op add, composed;
    int rank;
    MPI_Comm_rank(comm, &rank);
    MPI_Type_vector(2, 1, 2, MPI_INT, &holes);
    MPI_Type_commit(&holes);
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_commit(&two);
    MPI_Op_create(add_first, 1, &add);
    MPI_Op_create(compose, 0, &composed);
    for (int i = 0; i < 3 * N; i++) {
        mine[i] = (i + rank) % 11;
        ours[i] = theirs[i] = -1;
    }
    int before = passed;
    REQUIRE(hs__collective_allreduce(mine, ours, N, holes, add, comm) == MPI_SUCCESS);
    REQUIRE((passed == before) == ours_expected);
    PMPI_Allreduce(mine, theirs, N, holes, add, comm);
    REQUIRE(memcmp(ours, theirs, sizeof ours) == 0); /* holes as they were, too */
    before = passed;
    REQUIRE(hs__collective_allreduce(mine, ours, N, two, composed, comm) == MPI_SUCCESS);
    REQUIRE(passed == before + 1);
    PMPI_Allreduce(mine, theirs, N, two, composed, comm);
    REQUIRE(memcmp(ours, theirs, sizeof(int) * 2 * N) == 0);
    MPI_Op_free(&composed);
    MPI_Op_free(&add);
    MPI_Type_free(&two);
    MPI_Type_free(&holes);
}

static void add_ints(void *in, void *inout, int *n, MPI_Datatype *type)
{
    MPI_Aint lower, extent;
    MPI_Type_get_extent(*type, &lower, &extent);
    for (int i = 0; i < *n; i++)
        *(int *)((char *)inout + i * extent + lower) += *(const int *)((char *)in + i * extent + lower);
}

/* Elements with a lower bound. Open MPI 4.1's ring writes beyond its buffer with them, so it is not asked. */
static void test_shifted(MPI_Comm comm)
{
    enum { N = 2000 };
    static int mine[N + 2], ours[N + 2];
    const int one = 1;
    const MPI_Aint there = 2 * sizeof(int);
    MPI_Datatype shifted, element, of = MPI_INT;
    MPI_Op add;
    int rank, size;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Type_create_struct(1, &one, &there, &of, &shifted);
    MPI_Type_create_resized(shifted, there, sizeof(int), &element);
    MPI_Type_commit(&element);
    MPI_Op_create(add_ints, 1, &add);
    for (int i = 0; i < N + 2; i++) {
        mine[i] = i * 3 + rank;
        ours[i] = -1;
    }
    REQUIRE(hs__collective_allreduce(mine, ours, N, element, add, comm) == MPI_SUCCESS);
    REQUIRE(ours[0] == -1 && ours[1] == -1);
    for (int i = 2; i < N + 2; i++)
        REQUIRE(ours[i] == i * 3 * size + size * (size - 1) / 2);
    MPI_Op_free(&add);
    MPI_Type_free(&element);
    MPI_Type_free(&shifted);
}

/* ---- Broadcasts ---- */

static void test_broadcasts(MPI_Comm comm, int long_vectors)
{
    int rank, size, n = long_vectors ? LONG : 500;
    MPI_Datatype column, backwards;
    const int lengths[] = {1, 1}, places[] = {1, 0};
    int *data = malloc(2 * (size_t)n * sizeof *data);
    REQUIRE(data != NULL);
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    MPI_Type_vector(n, 1, 2, MPI_INT, &column); /* n ints in one element, with holes */
    MPI_Type_commit(&column);
    MPI_Type_indexed(2, lengths, places, MPI_INT, &backwards); /* no holes, but the second int first */
    MPI_Type_commit(&backwards);
    for (int root = 0; root < size; root++) {
        for (int i = 0; i < 2 * n; i++)
            data[i] = rank == root ? i + root : -1;
        int strided = (rank + root) % 2; /* the same data, described in two ways */
        REQUIRE(hs__collective_bcast(data, strided ? 1 : n, strided ? column : MPI_INT, root, comm) == MPI_SUCCESS);
        int root_strided = root * 2 % 2;
        for (int i = 0; i < n && rank != root; i++)
            REQUIRE(data[strided ? 2 * i : i] == (root_strided ? 2 * i : i) + root);
        for (int i = 0; i < n - 1 && strided && rank != root; i++)
            REQUIRE(data[2 * i + 1] == -1);
        for (int i = 0; i < 2 * n; i++)
            data[i] = rank == root ? i : -1;
        REQUIRE(hs__collective_bcast(data, rank == root ? n / 2 : n / 2 * 2, rank == root ? backwards : MPI_INT, root,
                                     comm) == MPI_SUCCESS);
        for (int i = 0; i < n / 2 * 2 && rank != root; i++)
            REQUIRE(data[i] == (i ^ 1));
    }
    MPI_Type_free(&backwards);
    MPI_Type_free(&column);
    free(data);
}

/* ---- What passes through ---- */

static void test_passing_through(MPI_Comm comm)
{
    int rank, size, mine = 1, sum = 0, before = passed;
    MPI_Comm_rank(comm, &rank);
    MPI_Comm_size(comm, &size);
    REQUIRE(hs__collective_allreduce(&mine, &sum, 0, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
    REQUIRE(hs__collective_reduce(&mine, &sum, 0, MPI_INT, MPI_SUM, 0, comm) == MPI_SUCCESS);
    REQUIRE(hs__collective_bcast(&mine, 0, MPI_INT, 0, comm) == MPI_SUCCESS);
    REQUIRE(passed == before + 3 && sum == 0);
    if (size < 2)
        return;
    MPI_Comm half, both;
    MPI_Comm_split(comm, rank < size / 2, rank, &half);
    MPI_Intercomm_create(half, 0, comm, rank < size / 2 ? size / 2 : 0, 5, &both);
    REQUIRE(hs__collective_allreduce(&mine, &sum, 1, MPI_INT, MPI_SUM, both) == MPI_SUCCESS);
    REQUIRE(passed == before + 4);
    REQUIRE(sum == (rank < size / 2 ? size - size / 2 : size / 2));
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

/* One rank's single element has more bytes than an int counts, which the others have in many. */
static void test_huge_element(MPI_Comm comm)
{
    enum { MIB = 1 << 20, MIBS = (INT_MAX >> 20) + 2 };
    MPI_Datatype mib, all;
    int rank, before = passed;
    MPI_Comm_rank(comm, &rank);
    MPI_Type_contiguous(MIB, MPI_BYTE, &mib);
    MPI_Type_contiguous(MIBS, mib, &all);
    MPI_Type_commit(&mib);
    MPI_Type_commit(&all);
    does_nothing = 1;
    REQUIRE(hs__collective_bcast(NULL, rank == 0 ? 1 : MIBS, rank == 0 ? all : mib, 0, comm) == MPI_SUCCESS);
    does_nothing = 0;
    REQUIRE(passed == before + 1);
    MPI_Type_free(&all);
    MPI_Type_free(&mib);
}

static int error_class(int code)
{
    int class = 0;
    MPI_Error_class(code, &class);
    return class;
}

/* A program that wants errors returned gets those of the MPI library, on all ranks, and goes on. */
static void test_wrong_calls(MPI_Comm comm, int per_host)
{
    double mine[64] = {1}, ours[64];
    MPI_Comm own;
    MPI_Datatype column;
    MPI_Comm_dup(comm, &own);
    MPI_Comm_set_errhandler(own, MPI_ERRORS_RETURN);
    MPI_Type_vector(16, 1, 2, MPI_DOUBLE, &column); /* not committed */
    REQUIRE(error_class(hs__collective_allreduce(mine, ours, 64, MPI_DOUBLE, MPI_BAND, own)) == MPI_ERR_OP);
    REQUIRE(error_class(hs__collective_allreduce(MPI_IN_PLACE, ours, 64, MPI_DOUBLE, MPI_BAND, own)) == MPI_ERR_OP);
    for (int root = 0; root < hosts_of(own, per_host); root++) {
        REQUIRE(error_class(hs__collective_reduce(mine, ours, 64, MPI_DOUBLE, MPI_BXOR, root, own)) == MPI_ERR_OP);
        REQUIRE(error_class(hs__collective_bcast(mine, 2, column, root, own)) == MPI_ERR_TYPE);
    }
    MPI_Type_free(&column);
    REQUIRE(hs__collective_allreduce(mine, ours, 64, MPI_DOUBLE, MPI_MAX, own) == MPI_SUCCESS && ours[0] == 1);
    MPI_Comm_free(&own);
}

/* The library judges buffers that cannot be right. */
static void test_wrong_buffers(MPI_Comm comm)
{
    double x[64] = {1};
    int before = passed;
    does_nothing = 1;
    hs__collective_allreduce(x, x, 64, MPI_DOUBLE, MPI_MAX, comm);
    hs__collective_allreduce(x, MPI_IN_PLACE, 64, MPI_DOUBLE, MPI_MAX, comm);
    hs__collective_allreduce(x, NULL, 64, MPI_DOUBLE, MPI_MAX, comm);
    hs__collective_reduce(NULL, x, 64, MPI_DOUBLE, MPI_MAX, 0, comm);
    hs__collective_bcast(NULL, 64, MPI_DOUBLE, 0, comm);
    hs__collective_bcast(MPI_IN_PLACE, 64, MPI_DOUBLE, 0, comm);
    does_nothing = 0;
    REQUIRE(passed == before + 6);
}

/* Unequal sums of reals: the same bits on all ranks, and again. */
static void test_same_bits(MPI_Comm comm)
{
    enum { N = 5000 };
    static double mine[N], first[N], again[N], root_has[N];
    int rank;
    MPI_Comm_rank(comm, &rank);
    for (int i = 0; i < N; i++)
        mine[i] = sin(i + 1.0 + 1000.0 * rank) * pow(10.0, (i + rank) % 12);
    hs__collective_allreduce(mine, first, N, MPI_DOUBLE, MPI_SUM, comm);
    hs__collective_allreduce(mine, again, N, MPI_DOUBLE, MPI_SUM, comm);
    REQUIRE(memcmp(first, again, sizeof first) == 0);
    memcpy(root_has, first, sizeof first);
    PMPI_Bcast(root_has, N, MPI_DOUBLE, 0, comm);
    REQUIRE(memcmp(first, root_has, sizeof first) == 0);
    PMPI_Allreduce(mine, again, N, MPI_DOUBLE, MPI_SUM, comm);
    for (int i = 0; i < N; i++)
        REQUIRE(fabs(first[i] - again[i]) <= 1e-3);
}

static void test_communicator(MPI_Comm comm, int per_host, int long_vectors)
{
    int one = 1, sum = 0, before = passed, size, ours = hosts_of(comm, per_host) >= 3;
    MPI_Comm_size(comm, &size);
    REQUIRE(hs__collective_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
    REQUIRE(sum == size && (passed == before) == ours);
    takes = ours;
    test_types_and_operations(comm, per_host == 1, long_vectors);
    test_pairs(comm);
    test_own_operations(comm, ours);
    if (ours)
        test_shifted(comm);
    test_broadcasts(comm, long_vectors);
    test_passing_through(comm);
    test_huge_element(comm);
    test_wrong_calls(comm, per_host);
    test_wrong_buffers(comm);
    test_same_bits(comm);
}

/* The first k ranks, for every k. */
static void test_all_sizes(int per_host)
{
    for (int k = 1; k <= world_size(); k++) {
        MPI_Comm part;
        int inside = world_rank() < k;
        MPI_Comm_split(MPI_COMM_WORLD, inside ? 0 : MPI_UNDEFINED, world_rank(), &part);
        if (inside) {
            test_communicator(part, per_host, k == world_size());
            MPI_Comm_free(&part);
        }
    }
}

/* Calls that may be timed give right results in every phase. */
static void test_calls(MPI_Comm comm, int calls)
{
    enum { N = 20000 };
    static int value[N], sum[N];
    for (int call = 0; call < calls; call++) {
        for (int i = 0; i < N; i++)
            value[i] = world_rank() + call + i;
        REQUIRE(hs__collective_allreduce(value, sum, N, MPI_INT, MPI_SUM, comm) == MPI_SUCCESS);
        for (int i = 0; i < N; i++)
            REQUIRE(sum[i] == world_size() * (world_size() - 1) / 2 + world_size() * (call + i));
    }
}

static int splits;

int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm *part)
{
    splits++;
    return MPI_Comm_split(comm, color, key, part);
}

/* Hosts are found, and calls timed, on the world and on communicators that live for long, not on those of a few calls. */
static void test_timed(int on)
{
    MPI_Comm comm;
    splits = 0;
    for (int k = 0; k < 10; k++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        test_calls(comm, k);
        MPI_Comm_free(&comm);
    }
    REQUIRE(splits == 0);
    test_calls(MPI_COMM_WORLD, 24);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    test_calls(comm, 44);
    MPI_Comm_free(&comm);
    REQUIRE(splits == (on ? 2 : 0));
}

/* What goes up and down again is planned to take longer than what only goes up. */
static void test_plans(void)
{
    static const hs_collective_kind kind[] = {HS_COLLECTIVE_REDUCE, HS_COLLECTIVE_ALLREDUCE};
    double expected[2];
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    hs__comm_state *state = hs__comm_state_of(comm, 1);
    REQUIRE((state != NULL) == (world_size() >= 3));
    for (int k = 0; state && k < 2; k++) {
        hs__collective_entry *entry = hs__comm_state_entry(state, kind[k], 20, k == 0 ? 0 : -1, 1);
        REQUIRE(entry && hs__comm_state_plan(state, entry));
        expected[k] = entry->part.expected;
    }
    REQUIRE(!state || expected[1] > expected[0]);
    MPI_Comm_free(&comm);
}

/* Most communicators that MPI has room for are left to the program; what is freed makes room. */
static void test_many_communicators(void)
{
    enum { MAX = 256, MORE = 2 };
    MPI_Comm three, many[MAX + MORE];
    int one = 1, sum, before = passed;
    MPI_Comm_split(MPI_COMM_WORLD, world_rank() < 3 ? 0 : MPI_UNDEFINED, 0, &three);
    if (three == MPI_COMM_NULL)
        return;
    for (int k = 0; k < MAX + MORE; k++) {
        MPI_Comm_dup(three, &many[k]);
        hs__collective_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, many[k]);
        REQUIRE(sum == 3);
    }
    REQUIRE(passed - before >= MORE && passed - before <= MORE + 2); /* the program had some before */
    for (int k = 0; k < MAX + MORE; k++)
        MPI_Comm_free(&many[k]);
    before = passed;
    hs__collective_allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, three);
    REQUIRE(sum == 3 && passed == before);
    MPI_Comm_free(&three);
}

/* More than 2^31 bytes, where HS_TEST_BIG asks for it: 2 GB a rank and more. */
static void test_big(void)
{
    int n = (1 << 28) + 11, rank = world_rank(), size = world_size();
    double *x = malloc((size_t)n * sizeof *x);
    REQUIRE(x != NULL);
    for (int i = 0; i < n; i++)
        x[i] = rank == 1 ? i : -1;
    int before = passed;
    REQUIRE(hs__collective_bcast(x, n, MPI_DOUBLE, 1, MPI_COMM_WORLD) == MPI_SUCCESS);
    for (int i = 0; i < n; i++)
        REQUIRE(x[i] == i);
    REQUIRE(hs__collective_allreduce(MPI_IN_PLACE, x, n, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD) == MPI_SUCCESS);
    for (int i = 0; i < n; i++)
        REQUIRE(x[i] == (double)i * size);
    REQUIRE(hs__collective_reduce(rank == 2 ? MPI_IN_PLACE : x, x, n, MPI_DOUBLE, MPI_MAX, 2, MPI_COMM_WORLD) ==
            MPI_SUCCESS);
    for (int i = 0; i < n && rank == 2; i++)
        REQUIRE(x[i] == (double)i * size);
    REQUIRE(passed == before);
    free(x);
}

int main(int argc, char **argv)
{
    char path[64];
    hs__presence_announce(0);
    MPI_Init(&argc, &argv);
    hs__presence_find(0);
    write_platform(path);
    if (getenv("HS_TEST_BIG") && world_size() >= 3) {
        start(path, 1, HS__COLLECTIVES_DETERMINISTIC);
        test_big();
        hs__collectives_stop();
    }
    for (int per_host = 1; per_host <= 2; per_host++) {
        start(path, per_host, HS__COLLECTIVES_DETERMINISTIC);
        if (per_host == 1) {
            test_plans();
            if (world_size() >= 3)
                test_many_communicators();
        }
        test_all_sizes(per_host);
        hs__collectives_stop();
        start(path, per_host, HS__COLLECTIVES_ON);
        test_timed(hosts_of(MPI_COMM_WORLD, per_host) >= 3);
        hs__collectives_stop();
    }
    start(path, 1, HS__COLLECTIVES_OFF);
    test_timed(0);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0)
        unlink(path);
    hs__presence_end();
    MPI_Finalize();
    return 0;
}
