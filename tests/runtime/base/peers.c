/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that wait for each other: what they gather, share and agree on; one that is missing is named, and all give up. */
#include "runtime/base/peers.h"
#include "runtime/base/parked_buffer.h"
#include "tests/mpi.h"
#include "util/array.h"

enum { SHARED = 3 * 4096 + 1, MOST_RANKS = 64 };

static hs__peers peers_on(MPI_Comm *comm, double timeout, int own)
{
    hs__peers peers;
    MPI_Comm_dup(MPI_COMM_WORLD, comm);
    REQUIRE(hs__peers_open(&peers, *comm, timeout, own) == HS_OK);
    return peers;
}

static void all_ranks_gather(hs__peers *peers)
{
    int all[MOST_RANKS + 1][2];
    all[world_size()][0] = world_rank();
    all[world_size()][1] = 100 + world_rank();
    REQUIRE(hs__peers_gather(peers, all, sizeof *all) == HS_OK);
    for (int r = 0; r < world_size(); r++)
        REQUIRE(all[r][0] == r && all[r][1] == 100 + r);
}

/* In pieces; the last rank is the root. */
static void one_rank_shares(hs__peers *peers)
{
    static char bytes[SHARED];
    int root = world_size() - 1;
    for (int i = 0; i < SHARED; i++)
        bytes[i] = (char)(world_rank() == root ? i % 251 : 0);
    REQUIRE(hs__peers_share(peers, root, bytes, SHARED) == HS_OK);
    for (int i = 0; i < SHARED; i++)
        REQUIRE(bytes[i] == (char)(i % 251));
    REQUIRE(hs__peers_share(peers, root, NULL, 0) == HS_OK);
}

/* The lowest status, by the lowest rank that has it, with its text, or with the status's own. */
static void ranks_agree(hs__peers *peers)
{
    int who, last = world_size() - 1, is_last = world_rank() == last;
    hs_error error = {0};
    REQUIRE(hs__peers_lowest(peers, is_last ? HS_ERR_ARG : HS_OK, &who) == HS_ERR_ARG && who == last);
    REQUIRE(hs__peers_agree(peers, HS_OK, &error) == HS_OK && !error.text[0]);
    REQUIRE(hs__peers_agree(peers, is_last ? HS_OK : HS_UNCHANGED, &error) == HS_OK);
    REQUIRE(hs__peers_agree(peers, HS_UNCHANGED, &error) == HS_UNCHANGED && !error.text[0]);
    if (is_last)
        hs_error_set(&error, HS_ERR_ARG, 3, "seven is no number");
    REQUIRE(hs__peers_agree(peers, is_last ? HS_ERR_ARG : HS_OK, &error) == HS_ERR_ARG);
    REQUIRE(strcmp(error.text, "seven is no number") == 0 && error.line == 3);
    REQUIRE(hs__peers_agree(peers, HS_ERR_NOMEM, NULL) == HS_ERR_NOMEM);
    REQUIRE(!peers->broken);
}

/* The others give up; the last rank, which would wait for ever, hears of it. Their messages meet memory that is parked:
 * sanitizers see any other. */
static void a_late_rank_hears_that_others_gave_up(void)
{
    int last = world_size() - 1, is_last = world_rank() == last;
    MPI_Comm comm;
    char text[80];
    hs_error error = {0};
    if (last == 0)
        return;
    hs__peers peers = peers_on(&comm, is_last ? INFINITY : 0.2, 1);
    int *all = calloc((size_t)world_size() + 1, sizeof *all);
    REQUIRE(all != NULL);
    if (is_last)
        MPI_Barrier(MPI_COMM_WORLD);
    hs_status status = hs__peers_gather(&peers, all, sizeof *all);
    if (status == HS_OK && is_last) /* the others had sent theirs */
        status = hs__peers_gather(&peers, all, sizeof *all);
    REQUIRE(status == HS_ERR_TIMEOUT && peers.broken);
    REQUIRE(is_last || hs__peers_report_missing(&peers, "testing", &error) == HS_ERR_TIMEOUT);
    snprintf(text, sizeof text, "testing: rank %d did not arrive within 0.2 s", last);
    REQUIRE(is_last || strcmp(error.text, text) == 0);
    if (!is_last)
        MPI_Barrier(MPI_COMM_WORLD);
    hs__park_buffer(all, peers.broken);
    hs__peers_close(&peers);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* On a communicator of the program's no message of the library's may travel that the program could receive. */
static void nobody_is_named_on_a_program_s_communicator(void)
{
    int last = world_size() - 1, flag = 0;
    MPI_Comm comm;
    hs_error error = {0};
    if (last == 0)
        return;
    hs__peers peers = peers_on(&comm, 0.2, 0);
    if (world_rank() != last) {
        REQUIRE(hs__peers_agree(&peers, HS_OK, &error) == HS_ERR_TIMEOUT && !error.text[0]);
        REQUIRE(hs__peers_report_missing(&peers, "testing", &error) == HS_ERR_TIMEOUT);
        REQUIRE(strcmp(error.text, "testing: not all ranks arrived within 0.2 s") == 0);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &flag, MPI_STATUS_IGNORE);
    REQUIRE(!flag);
    hs__peers_close(&peers);
}

static int all_fail(void)
{
    return 1;
}

static hs_status open_without_memory(hs__peers *peers, MPI_Comm comm, double timeout)
{
    hs__array_fails = all_fail;
    hs_status status = hs__peers_open(peers, comm, timeout, 1);
    hs__array_fails = NULL;
    return status;
}

/* Without memory ranks can agree, as often as they like. What was left to MPI after a time-out is used by no later call, and in
 * the end there is nothing left. */
static void memory_that_MPI_may_use_is_not_taken_again(void)
{
    enum { MANY = 64 };
    int last = world_size() - 1, tries = 0;
    const hs__peers_memory *left[MANY] = {NULL};
    MPI_Comm comm[MANY];
    hs__peers peers;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[0]);
    for (int k = 0; k < MANY; k++) {
        REQUIRE(open_without_memory(&peers, comm[0], PATIENCE) == HS_ERR_NOMEM && !peers.broken);
        REQUIRE(hs__peers_agree(&peers, HS_ERR_NOMEM, NULL) == HS_ERR_NOMEM && !peers.broken);
        hs__peers_close(&peers);
    }
    MPI_Comm_free(&comm[0]);
    for (int there = last > 0; there; tries++) {
        REQUIRE(tries < MANY);
        MPI_Comm_dup(MPI_COMM_WORLD, &comm[tries]);
        REQUIRE(open_without_memory(&peers, comm[tries], 0.01) == HS_ERR_NOMEM);
        there = peers.memory != NULL;
        REQUIRE(peers.broken == !there);
        for (int k = 0; k < tries && there; k++)
            REQUIRE(world_rank() == last || left[k] != peers.memory);
        left[tries] = peers.memory;
        if (world_rank() != last)
            REQUIRE(hs__peers_agree(&peers, HS_OK, NULL) == (there ? HS_ERR_TIMEOUT : HS_OK) && peers.broken);
        hs__peers_close(&peers);
        MPI_Bcast(&there, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    if (last > 0 && world_rank() != last) {
        int who, number = 1;
        MPI_Comm copy;
        REQUIRE(open_without_memory(&peers, MPI_COMM_WORLD, PATIENCE) == HS_ERR_NOMEM && peers.broken);
        REQUIRE(hs__peers_lowest(&peers, HS_OK, &who) == HS_ERR_NOMEM && who == -1);
        REQUIRE(hs__peers_share(&peers, 0, &number, sizeof number) == HS_ERR_NOMEM);
        REQUIRE(hs__peers_duplicate(&peers, &copy) == HS_ERR_NOMEM);
        hs__peers_close(&peers);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void ranks_are_listed(void)
{
    static const struct {
        const char *marked, *text;
    } rows[] = {{"", ""},
                {"0010", "2"},
                {"1101", "0, 1, 3"},
                {"0111111110", "1, 2, 3, 4, 5, 6, 7, 8"},
                {"1111111111", "0, 1, 2, 3, 4, 5, 6, 7, ..."}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char marked[16], text[80];
        int size = (int)strlen(rows[i].marked);
        for (int r = 0; r < size; r++)
            marked[r] = rows[i].marked[r] == '1';
        hs__list_ranks(marked, size, text, sizeof text);
        REQUIRE(strcmp(text, rows[i].text) == 0);
        memset(text, 'x', sizeof text);
        hs__list_ranks(marked, size, text, 6); /* what has no room is left out */
        REQUIRE(strncmp(text, rows[i].text, 5) == 0 && strlen(text) <= 5 && text[6] == 'x');
    }
}

int main(int argc, char **argv)
{
    MPI_Comm comm;
    MPI_Init(&argc, &argv);
    REQUIRE(world_size() <= MOST_RANKS);
    hs__peers peers = peers_on(&comm, PATIENCE, 1);
    all_ranks_gather(&peers);
    one_rank_shares(&peers);
    ranks_agree(&peers);
    hs__peers_close(&peers);
    MPI_Comm_free(&comm);
    ranks_are_listed();
    a_late_rank_hears_that_others_gave_up();
    nobody_is_named_on_a_program_s_communicator();
    memory_that_MPI_may_use_is_not_taken_again();
    MPI_Finalize();
    return 0;
}
