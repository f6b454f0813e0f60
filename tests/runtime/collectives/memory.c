/* SPDX-License-Identifier: BSD-3-Clause */
/* A message that is too long leaves no receive open. Memory that runs out on one rank in a reduction, an all-reduce or
 * a broadcast of ours: nobody waits for that rank, all calls give the right result. Once there is a plan, elements
 * without holes need no further memory at all. */
#include "tests/runtime/collectives/library.h"
#include "util/array.h"

enum { N = 9000, KINDS = 3, THOROUGH = 12 };

/* Allocations of this rank until one fails; < 0: none does. */
static int countdown = -1;
static int asked; /* allocations */

static int fails(void)
{
    asked++;
    return countdown >= 0 && countdown-- == 0;
}

/* Elements of `ints` ints, `step` ints apart: without holes, with holes, as large as several pieces. */
typedef struct element {
    int ints, step, count;
    MPI_Datatype type;
    MPI_Op op;
} element;

static void add_elements(void *in, void *inout, int *n, MPI_Datatype *type)
{
    MPI_Aint lower, extent;
    int size;
    MPI_Type_get_extent(*type, &lower, &extent);
    MPI_Type_size(*type, &size);
    for (int i = 0; i < *n; i++)
        for (int k = 0; k < size / (int)sizeof(int); k++)
            ((int *)((char *)inout + i * extent))[k] += ((const int *)((const char *)in + i * extent))[k];
}

static element element_make(int ints, int step)
{
    MPI_Datatype part;
    element e = {.ints = ints, .step = step, .count = N / step, .type = MPI_INT, .op = MPI_SUM};
    if (ints == 1 && step == 1)
        return e;
    MPI_Type_contiguous(ints, MPI_INT, &part);
    MPI_Type_create_resized(part, 0, step * (int)sizeof(int), &e.type);
    MPI_Type_commit(&e.type);
    MPI_Type_free(&part);
    MPI_Op_create(add_elements, 1, &e.op);
    return e;
}

static void element_free(element *e)
{
    if (e->type == MPI_INT)
        return;
    MPI_Op_free(&e->op);
    MPI_Type_free(&e->type);
}

static int is_hole(const element *e, int i)
{
    return i % e->step >= e->ints || i / e->step >= e->count;
}

/* One call; afterwards the ranks that must have the result have it, and holes are as before. */
static void call(MPI_Comm comm, int kind, const element *e)
{
    static int mine[N], result[N];
    const int size = world_size(), rank = world_rank(), root = size - 1;
    for (int i = 0; i < N; i++) {
        mine[i] = i + rank;
        result[i] = kind == 2 && rank == root ? 3 * i : -1;
    }
    int code = kind == 0   ? hs__collective_reduce(mine, result, e->count, e->type, e->op, root, comm)
               : kind == 1 ? hs__collective_allreduce(mine, result, e->count, e->type, e->op, comm)
                           : hs__collective_bcast(result, e->count, e->type, root, comm);
    REQUIRE(code == MPI_SUCCESS);
    for (int i = 0; i < N && (kind > 0 || rank == root); i++) {
        int right = kind == 2 ? 3 * i : size * i + size * (size - 1) / 2;
        if (!is_hole(e, i))
            REQUIRE(result[i] == right);
        else if (kind < 2 || rank != root)
            REQUIRE(result[i] == -1);
    }
}

/* On communicators of their own, so that the plan is made anew; the second call has one. @return the allocations of the
 * second call */
static int call_twice(int kind, const element *e)
{
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    hs__array_fails = fails;
    call(comm, kind, e);
    asked = 0;
    call(comm, kind, e);
    hs__array_fails = NULL;
    MPI_Comm_free(&comm);
    return asked;
}

/* An allocation fails on one rank: each of the first THOROUGH, samples of those after them, which planners make.
 * @return how many calls the library made instead */
static int fail_in_turn(int kind, const element *e)
{
    const int before = passed, size = world_size();
    for (int victim = 0; victim < size; victim++)
        for (int n = 0, fired = 1; fired; n += 1 + n / THOROUGH) {
            countdown = world_rank() == victim ? n : -1;
            call_twice(kind, e);
            fired = countdown < 0;
            MPI_Bcast(&fired, 1, MPI_INT, victim, MPI_COMM_WORLD);
        }
    countdown = -1;
    return passed - before;
}

static void test_elements(int ints, int step)
{
    element e = element_make(ints, step);
    const int is_usual = step == ints && step * (int)sizeof(int) <= HS__ELEMENT_USUAL, ours = world_size() >= 3;
    for (int kind = 0; kind < KINDS; kind++) {
        int needed = call_twice(kind, &e);
        REQUIRE(needed == (ours && kind < 2 && !is_usual));
        int instead = fail_in_turn(kind, &e), least, most;
        MPI_Allreduce(&instead, &least, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
        MPI_Allreduce(&instead, &most, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
        REQUIRE(least == most && least > 0);
    }
    element_free(&e);
}

/* Rank 1 sends two elements where the first piece has one. What it sends later goes to whoever receives it then, and not into the
 * place of the second piece. */
static void errors_leave_no_receive(void)
{
    enum { PIECES = 4, BYTES = 4096 };
    int child[] = {1}, windows[] = {2}, number[PIECES] = {0}, sum[PIECES], late = 0;
    hs__comm_state state = {.rank = world_rank(), .size = world_size()};
    hs__part part = {.parent = -1, .children = 1, .child = child, .windows = windows, .piece = sizeof(int)};
    hs__vector v = {number, 1, (char *)sum, PIECES, MPI_INT, sizeof(int), 0, sizeof(int), sizeof(int), MPI_SUM};
    char *memory = hs__array_aligned(BYTES, HS__ELEMENT_USUAL), before[BYTES];
    MPI_Comm_dup(MPI_COMM_WORLD, &state.internal);
    MPI_Comm_set_errhandler(state.internal, MPI_ERRORS_RETURN);
    REQUIRE(memory && hs__tree_memory(&part, sizeof(int)) <= BYTES);
    if (world_rank() == 0)
        REQUIRE(hs__run_tree(&state, &part, &v, memory, 1, 0) != MPI_SUCCESS);
    else if (world_rank() == 1)
        MPI_Send(number, 2, MPI_INT, 0, HS__TAG_UP, state.internal);
    memcpy(before, memory, BYTES);
    MPI_Barrier(MPI_COMM_WORLD);
    number[0] = 42;
    if (world_rank() == 1)
        MPI_Send(number, 1, MPI_INT, 0, HS__TAG_UP, state.internal);
    MPI_Barrier(MPI_COMM_WORLD);
    REQUIRE(memcmp(before, memory, BYTES) == 0);
    if (world_rank() == 0)
        MPI_Recv(&late, 1, MPI_INT, 1, HS__TAG_UP, state.internal, MPI_STATUS_IGNORE);
    REQUIRE(world_rank() != 0 || late == 42);
    MPI_Comm_free(&state.internal);
    free(memory);
}

int main(int argc, char **argv)
{
    char path[64];
    hs__presence_announce(0);
    MPI_Init(&argc, &argv);
    hs__presence_find(0);
    write_platform(path);
    start(path, 1, HS__COLLECTIVES_DETERMINISTIC);
    test_elements(1, 1);
    test_elements(2, 3);
    test_elements(3000, 3000);
    if (world_size() > 1)
        errors_leave_no_receive();
    hs__collectives_stop();
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0)
        unlink(path);
    hs__presence_end();
    MPI_Finalize();
    return 0;
}
