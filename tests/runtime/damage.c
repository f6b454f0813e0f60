/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of a move that arrive damaged, cut short, too long, or never: all ranks get the same status, keep what they
 * had, bit for bit, and the next move goes well. HS_CHECK=1 finds damage by sums over rows. */
#include "tests/runtime/moves.h"
#include "tests/said.h"

typedef enum damage { FLIPPED, SHORT, LONG, LOST } damage;

static struct {
    int countdown; /* messages of this rank until one is damaged; < 0: none is */
    damage kind;
    char *flipped; /* a byte of what was sent */
} plan = {.countdown = -1};

int __real_PMPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int __wrap_PMPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);

/* The sender's own memory: what travels is wrong however MPI carries it. */
static void flip(const void *data, MPI_Datatype type)
{
    MPI_Aint first, extent;
    MPI_Type_get_true_extent(type, &first, &extent);
    plan.flipped = (char *)data + first;
    *plan.flipped ^= 1;
}

static void flip_back(void)
{
    if (plan.flipped)
        *plan.flipped ^= 1;
    plan.flipped = NULL;
}

int __wrap_PMPI_Isend(const void *data, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                      MPI_Request *request)
{
    static const char more[1 << 20];
    int bytes;
    if (plan.countdown < 0 || plan.countdown-- > 0)
        return __real_PMPI_Isend(data, n, type, peer, tag, comm, request);
    MPI_Type_size(type, &bytes);
    switch (plan.kind) {
    case FLIPPED:
        flip(data, type);
        break;
    case SHORT:
        n--;
        break;
    case LONG:
        return __real_PMPI_Isend(more, n * bytes + 8, MPI_BYTE, peer, tag, comm, request);
    case LOST:
        peer = MPI_PROC_NULL;
        break;
    }
    return __real_PMPI_Isend(data, n, type, peer, tag, comm, request);
}

/* One move in which that message of that rank is damaged. @return whether it came to it */
static int damage_one(damage kind, int victim, int countdown, hs_status expected, hs_status (*move)(void *), void *what)
{
    plan.kind = kind;
    plan.countdown = world_rank() == victim ? countdown : -1;
    hs_status status = move(what);
    int fired = plan.countdown < 0;
    plan.countdown = -1;
    MPI_Bcast(&fired, 1, MPI_INT, victim, MPI_COMM_WORLD);
    if (status != (fired ? expected : HS_OK))
        fprintf(stderr, "rank %d: kind %d, message %d of rank %d: status %d\n", world_rank(), (int)kind, countdown,
                victim, status);
    REQUIRE(status == (fired ? expected : HS_OK));
    flip_back();
    return fired;
}

typedef void visitor(void *what);

static void check_rows(void *what)
{
    visit_rows(what, 0);
}

static void check_square(void *what)
{
    visit_square(what, 0);
}

static void check_plane(void *what)
{
    visit_plane(what, 0);
}

/* Every message of every rank in turn, on the way there and back. @return how many were damaged */
static int damage_all(damage kind, hs_status expected, hs_status (*move)(void *), visitor *check, void *what)
{
    int damaged = 0;
    for (int way = 0; way < 2 * world_size(); way++)
        for (int n = 0, fired = 1; fired; n++) {
            int victim = way / 2;
            fired = damage_one(kind, victim, n, expected, move, what);
            check(what);
            damaged += fired;
        }
    return damaged;
}

static void damage_moves(hs_context *context, hs_status (*move)(void *), visitor *check, void *what)
{
    int many = world_size() > 1;
    REQUIRE((damage_all(FLIPPED, HS_ERR_INTERNAL, move, check, what) > 0) == many);
    REQUIRE(!many || damage_one(FLIPPED, 0, 0, HS_ERR_INTERNAL, move, what) == 0 ||
            text_has(context, "the contents of "));
    REQUIRE((damage_all(SHORT, HS_ERR_MPI, move, check, what) > 0) == many);
#ifndef __SANITIZE_ADDRESS__ /* Open MPI 4.1 writes what is too long past the end of the buffer */
    REQUIRE((damage_all(LONG, HS_ERR_MPI, move, check, what) > 0) == many);
#endif
    check(what);
}

static void refill_rows(void *what)
{
    visit_rows(what, 1);
}

/* Whether a move says that units are lost; the first message of rank 0 is cut short, or with -1 none is. */
static int tells_loss(int countdown, rows *r)
{
    char text[2048];
    said s = said_begin();
    if (countdown < 0)
        REQUIRE(move_rows(r) == HS_OK);
    else
        damage_one(SHORT, 0, countdown, HS_ERR_MPI, move_rows, r);
    said_end(&s, text, sizeof text);
    refill_rows(r);
    return strstr(text, "units that had left this rank are lost") != NULL;
}

/* In rounds units that had left are lost, but all ranks know, are on their old slices, and can go on with new contents. */
static void damage_rounds(hs_context *context, rows *r)
{
    int many = world_size() > 1;
    context->params.move_memory = 0.5;
    REQUIRE((damage_all(SHORT, HS_ERR_MPI, move_rows, refill_rows, r) > 0) == many);
    REQUIRE((damage_all(FLIPPED, HS_ERR_INTERNAL, move_rows, refill_rows, r) > 0) == many);
    for (int way = 0; way < 2; way++) {
        REQUIRE(move_rows(r) == HS_OK);
        visit_rows(r, 0);
    }
    /* Where rank 0 sends nothing, the first of two moves goes well, and it sends in the second. */
    REQUIRE((tells_loss(0, r) + tells_loss(0, r) > 0) == many);
    REQUIRE(tells_loss(-1, r) == 0);
    context->params.move_memory = 1;
    REQUIRE(tells_loss(0, r) + tells_loss(0, r) == 0);
}

/* Equal slices, but that rank 0 has so many units more, and the last rank less. */
static hs_status favour_rank_0(hs_layout *layout, int64_t more)
{
    int size = world_size();
    int64_t count[64];
    for (int r = 0; r < size; r++)
        count[r] = UNITS / size;
    count[0] += UNITS % size + more;
    count[size - 1] -= more;
    return hs__move(layout, count);
}

/* Which of the arrays rank 0 has sent wrong; -1: all messages were right. */
static int damage_one_of_many(hs_layout *layout, int64_t *const *data, int many, int countdown)
{
    int array = -1;
    plan.kind = FLIPPED;
    plan.countdown = layout->context->rank == 0 ? countdown : -1; /* of the ring */
    hs_status status = favour_rank_0(layout, -3);
    plan.countdown = -1;
    for (int a = 0; a < many && plan.flipped; a++)
        if (plan.flipped >= (char *)data[a] && plan.flipped < (char *)(data[a] + hs_layout_slice(layout).count))
            array = a;
    MPI_Allreduce(MPI_IN_PLACE, &array, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
    REQUIRE(status == (array < 0 ? HS_OK : HS_ERR_INTERNAL));
    flip_back();
    return array;
}

/* All ranks learn which array it was; a record has room for some, and its last place is for those that follow, too. */
static void damaged_arrays_are_named(hs_context *context)
{
    enum { MANY = 7, LAST = HS__RECORD_VALUES - 1 };
    hs_layout *layout;
    int64_t *data[MANY];
    char named[80];
    int seen = 0;
    if (world_size() == 1)
        return;
    REQUIRE(hs_layout_create(context, UNITS, 0, HS_FIXED, &layout) == HS_OK);
    for (int a = 0; a < MANY; a++)
        REQUIRE(hs_layout_add_array(layout, sizeof **data, 0, (void **)&data[a]) == HS_OK);
    REQUIRE(favour_rank_0(layout, 3) == HS_OK);
    for (int n = 0, array = 0; array >= 0; n++) {
        array = damage_one_of_many(layout, data, MANY, n);
        snprintf(named, sizeof named, "the contents of array %d%s have changed; nothing has moved",
                 array < LAST ? array : LAST, array < LAST ? "" : " or a later one");
        REQUIRE(array < 0 || text_has(context, named));
        seen |= array < 0 ? 0 : 1 << array;
    }
    REQUIRE(seen == (1 << MANY) - 1);
    hs_layout_free(layout);
}

static void swap_columns(int64_t *data, int64_t high, int64_t j, int64_t k)
{
    for (int64_t i = 0; i < high; i++) {
        int64_t number = data[j * high + i];
        data[j * high + i] = data[k * high + i];
        data[k * high + i] = number;
    }
}

/* Of blocks with several columns, too, sums tell in which one a number is. */
static void swapped_columns_are_noticed(hs_context *context)
{
    enum { WIDTH = 3 };
    hs_blocks *layout;
    int64_t *data;
    REQUIRE(hs_blocks_create(context, BLOCKS, NULL, &layout) == HS_OK);
    REQUIRE(hs_blocks_add_matrix(layout, 1, WIDTH, sizeof *data, (void **)&data) == HS_OK);
    hs_blocks_rectangle mine = hs_blocks_mine(layout);
    for (int64_t i = 0; i < mine.rows * mine.columns * WIDTH; i++)
        data[i] = i;
    uint64_t sum = hs__matrix_checksum(layout->matrices, context->rank, layout->cut, data, layout->cut);
    for (int64_t j = 0; j < mine.columns * WIDTH; j++)
        for (int64_t k = 0; k < j && mine.rows > 0; k++) {
            swap_columns(data, mine.rows, j, k);
            REQUIRE(hs__matrix_checksum(layout->matrices, context->rank, layout->cut, data, layout->cut) != sum);
            swap_columns(data, mine.rows, j, k);
        }
    hs_blocks_free(layout);
}

/* Ranks wait for it, and for those that wait for it. */
static void lose_a_message(hs_context *context, hs_status (*move)(void *), visitor *check, void *what)
{
    int many = world_size() > 1;
    context->peers.timeout = 2;
    int lost = damage_one(LOST, 0, 0, HS_ERR_TIMEOUT, move, what);
    if (!lost) /* rank 0 sends on the way back */
        lost = damage_one(LOST, 0, 0, HS_ERR_TIMEOUT, move, what);
    REQUIRE(lost == many);
    check(what);
    REQUIRE(move(what) == (many ? HS_ERR_STATE : HS_OK));
    check(what);
}

/* The same, where nothing works any more but freeing it. */
static void lose_a_message_of_boxes(void)
{
    hs_context *context = start_balanced();
    plane p = {NULL};
    create_plane(context, &p);
    lose_a_message(context, move_plane, check_plane, &p);
    hs_box_free(p.layout);
    REQUIRE(!p.data[0] && !p.data[1]);
    REQUIRE(hs_finalize(&context) == (world_size() == 1 ? HS_OK : HS_ERR_STATE));
}

int main(int argc, char **argv)
{
    static rows r;
    static square s;
    static plane p;
    MPI_Init(&argc, &argv);
#ifdef MPICH_VERSION /* its MPI_Testany asks this handler, whatever communicator the message is on */
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
#endif
    hs_context *context = start_balanced();
    create_rows(context, &r);
    create_square(context, &s);
    create_plane(context, &p);
    damage_moves(context, move_rows, check_rows, &r);
    damage_moves(context, move_square, check_square, &s);
    damage_moves(context, move_plane, check_plane, &p);
    damage_rounds(context, &r);
    damaged_arrays_are_named(context);
    swapped_columns_are_noticed(context);
    lose_a_message(context, move_rows, check_rows, &r);
    REQUIRE(hs_finalize(&context) == (world_size() == 1 ? HS_OK : HS_ERR_STATE));
    lose_a_message_of_boxes();
    MPI_Finalize();
    return 0;
}
