/* SPDX-License-Identifier: BSD-3-Clause */
/* A move and the call behind it, of which each rank writes down what it does: the steps of transaction.pml. Run by traced.sh.
 *
 *   traced CASE FILE CASE: well, memory, short, flipped, lost, late, failing, or agree, data, confirm, next: where a
 *   rank stops
 *
 * Lines are added to FILE in the order in which things happen: "RANK EXCHANGE STEP". What a rank sends is written down before
 * it is sent, and what it has been told afterwards. */
#include "runtime/session/transaction.h"
#include "runtime/slices/transfer.h"
#include "tests/runtime/moves.h"
#include "util/array.h"
#include <fcntl.h>
#include <time.h>

/* The rank that is late, stops, or has no memory, and the exchanges of the model. */
enum { VICTIM = 2 };
typedef enum exchange { AGREE, DATA, CONFIRM, NEXT } exchange;
static const char *const exchange_names[] = {"agree", "data", "confirm", "next"};

static struct {
    const char *name;
    int rank, file;
    int on; /* steps are written down */
    exchange now;
    int messages;  /* that this rank has sent in the move */
    char *flipped; /* a byte of what was sent; NULL: none */
} test;

static int is(const char *name)
{
    return strcmp(test.name, name) == 0;
}

static int is_victim(const char *name)
{
    return test.rank == VICTIM && is(name);
}

/* Whether one rank stops. */
static int stops(void)
{
    for (exchange k = AGREE; k <= NEXT; k++)
        if (is(exchange_names[k]))
            return 1;
    return 0;
}

/* In one call, so that lines of several ranks stand in one order. */
static void write_down(const char *step)
{
    char line[64];
    int length = snprintf(line, sizeof line, "%d %s %s\n", test.rank, exchange_names[test.now], step);
    if (test.on)
        REQUIRE(write(test.file, line, (size_t)length) == length);
}

/* How many lines of the file end so. */
static int count_lines(const char *end)
{
    static char text[1 << 16];
    ssize_t length = pread(test.file, text, sizeof text - 1, 0);
    int found = 0;
    REQUIRE(length >= 0);
    text[length] = '\0';
    for (const char *at = strstr(text, end); at; at = strstr(at + 1, end))
        found++;
    return found;
}

static void wait_for(const char *end, int many)
{
    while (count_lines(end) < many)
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
}

/* This rank takes part no more. Its process stays until the others have ended, since a launcher would end them with it. */
static void stop(void)
{
    write_down("crash");
    wait_for(" end\n", world_size() - 1);
    _exit(1);
}

static void enter(exchange k)
{
    test.now = k;
    if (is_victim(exchange_names[k]) && test.on && k != DATA)
        stop();
}

/* What this rank knows of an exchange that has ended with this status. */
static hs_status told(const hs_context *context, hs_status status)
{
    if (status != HS_ERR_STATE)
        write_down(status == HS_OK ? "done" : context->peers.broken ? "give_up" : "failed");
    return status;
}

/* ---- Where the library comes by ---- */

int __real_PMPI_Iallgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm, MPI_Request *);
int __wrap_PMPI_Iallgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm, MPI_Request *);
int __real_PMPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int __wrap_PMPI_Isend(const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int __real_PMPI_Testany(int, MPI_Request *, int *, int *, MPI_Status *);
int __wrap_PMPI_Testany(int, MPI_Request *, int *, int *, MPI_Status *);
hs_status __real_hs__transaction_begin(hs__transaction *, hs__messages *, hs_status);
hs_status __wrap_hs__transaction_begin(hs__transaction *, hs__messages *, hs_status);
hs_status __real_hs__transaction_end(hs__transaction *, hs_context *, hs_status);
hs_status __wrap_hs__transaction_end(hs__transaction *, hs_context *, hs_status);
hs_status __real_hs__transfer_run(hs__transfer *);
hs_status __wrap_hs__transfer_run(hs__transfer *);

int __wrap_PMPI_Iallgather(const void *sent, int n, MPI_Datatype type, void *all, int each, MPI_Datatype each_type,
                           MPI_Comm comm, MPI_Request *request)
{
    write_down(((const hs__record *)sent)->status < 0 ? "send_failure" : "send");
    return __real_PMPI_Iallgather(sent, n, type, all, each, each_type, comm, request);
}

/* MPI fails on the victim, which does not know what has become of the agreement. */
int __wrap_PMPI_Testany(int n, MPI_Request *requests, int *one, int *done, MPI_Status *status)
{
    if (is_victim("failing") && test.on && test.now == AGREE)
        return MPI_ERR_OTHER;
    return __real_PMPI_Testany(n, requests, one, done, status);
}

/* The first message of the victim's is damaged or lost; it may stop before the second. */
int __wrap_PMPI_Isend(const void *data, int n, MPI_Datatype type, int peer, int tag, MPI_Comm comm,
                      MPI_Request *request)
{
    int is_of_move = test.on && test.now == DATA && tag < 2 + ARRAYS;
    test.messages += is_of_move;
    if (is_of_move && test.messages == 2 && is_victim("data"))
        stop();
    if (is_of_move && test.messages == 1) {
        peer = is_victim("lost") ? MPI_PROC_NULL : peer;
        n -= is_victim("short");
        test.flipped = is_victim("flipped") ? (char *)data : NULL;
    }
    if (is_of_move && test.messages == 1 && test.flipped)
        *test.flipped ^= 1;
    return __real_PMPI_Isend(data, n, type, peer, tag, comm, request);
}

hs_status __wrap_hs__transaction_begin(hs__transaction *transaction, hs__messages *messages, hs_status mine)
{
    enter(AGREE);
    if (is_victim("late"))
        wait_for("give_up\n", world_size() - 1);
    return told(messages->context, __real_hs__transaction_begin(transaction, messages, mine));
}

/* A message that was wrong has arrived all the same. */
hs_status __wrap_hs__transfer_run(hs__transfer *transfer)
{
    enter(DATA);
    if (!is_victim("data"))
        write_down("send");
    hs_status status = __real_hs__transfer_run(transfer);
    write_down(transfer->messages.count > 0 ? "give_up" : "done");
    return status;
}

hs_status __wrap_hs__transaction_end(hs__transaction *transaction, hs_context *context, hs_status mine)
{
    enter(CONFIRM);
    return told(context, __real_hs__transaction_end(transaction, context, mine));
}

/* ---- The program ---- */

static int fails(void)
{
    return is_victim("memory");
}

static void move(rows *r)
{
    hs__array_fails = fails;
    hs_status status = move_rows(r); /* and looks for the counts of units */
    hs__array_fails = NULL;
    if (test.flipped)
        *test.flipped ^= 1;
    visit_rows(r, 0);
    test.now = CONFIRM;
    write_down(status == HS_OK ? "moved" : "refused");
}

static void call_again(hs_context *context)
{
    hs_layout *layout = NULL;
    enter(NEXT);
    hs_status status = told(context, hs_layout_create(context, UNITS, 1, HS_FIXED, &layout));
    REQUIRE(status == HS_OK || status == HS_ERR_TIMEOUT || status == HS_ERR_STATE);
}

int main(int argc, char **argv)
{
    static rows r;
    MPI_Init(&argc, &argv);
    REQUIRE(argc == 3 && world_size() > VICTIM);
    test.name = argv[1];
    test.file = open(argv[2], O_RDWR | O_APPEND);
    REQUIRE(test.file >= 0);
    hs_context *context = start_balanced();
    if (!is("well") && !is("memory") && !is("short") && !is("flipped"))
        context->peers.timeout = 2;
    create_rows(context, &r);
    test.rank = context->rank;
    test.on = 1;
    move(&r);
    call_again(context);
    write_down("end");
    wait_for(" end\n", world_size() - stops());
    if (stops())
        _exit(1); /* MPI_Finalize waits for all ranks */
    MPI_Finalize();
    return 0;
}
