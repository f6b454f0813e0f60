/* SPDX-License-Identifier: BSD-3-Clause */
/* Random runs, compared bit for bit with what one process would have: any number of ranks, speeds that drift, sizes,
 * arrays and matrices with elements of many sizes, units of unequal bytes and weights, storages of the program, slices,
 * blocks and boxes at once, in several contexts on communicators of the
 * world's ranks in any order, made and freed at any time. A clock that is put forward stands for computing, so a seed's
 * run is as good as the same on every machine.
 *
 *   random FIRST COUNT         runs with seeds FIRST, FIRST + 1, ...
 *   random --minutes MINUTES   those of the first minute over and over: since no run is bigger than all before it, memory and
 *                              descriptors, which are printed, may not grow */
#include "tests/runtime/random/random.h"
#include "tests/clock.h"
#include <dirent.h>

enum { MOST_OBJECTS = 3, CONTEXTS = 2, HOSTS = 6, MOST_ITERATIONS = 60 };

static const char *const hosts[HOSTS] = {"a1", "a2", "a3", "b1", "b2", "b3"};

int64_t random_seed;

void random_compute(double seconds)
{
    clock_pass(seconds);
}

/* A context with its layouts. */
typedef struct session {
    MPI_Comm comm;
    hs_context *context;
    hs__random random; /* the same on all its ranks */
    sliced *slices[MOST_OBJECTS];
    blocked *blocks[MOST_OBJECTS];
    boxed *boxes[MOST_OBJECTS];
    double factor; /* what this rank takes in place of a second */
} session;

static void session_start(session *s, MPI_Comm comm, uint64_t seed)
{
    static char path[512];
    static const hs_balance_mode modes[] = {HS_BALANCE_ON, HS_BALANCE_ON, HS_BALANCE_ON, HS_BALANCE_STATIC,
                                            HS_BALANCE_OFF};
    static const double works[] = {0, 1e6, 1e9}, halos[] = {0, 1e3, 1e7}, memories[] = {1, 0.3, 0.05};
    const char *folder = getenv("HS_TEST_SRCDIR");
    snprintf(path, sizeof path, "%s/examples/two-switches.xml", folder ? folder : ".");
    *s = (session){.comm = comm, .random = {seed}, .factor = 1};
    hs_params params = {.mode = modes[hs__random_below(&s->random, 5)],
                        .platform = path,
                        .host = hosts[world_rank() % HOSTS],
                        .timeout = PATIENCE,
                        .work = works[hs__random_below(&s->random, 3)],
                        .halo = halos[hs__random_below(&s->random, 3)],
                        .model = hs__random_below(&s->random, 2) ? HS_STEP_SERIAL : HS_STEP_OVERLAP,
                        .move_memory = memories[hs__random_below(&s->random, 3)]};
    hs_error error = {0};
    if (hs_init(comm, &params, &s->context, &error) != HS_OK)
        fprintf(stderr, "%s\n", error.text);
    RIGHT(s->context != NULL);
}

/* Layouts come and go. */
static int64_t change_objects(session *s)
{
    int k = (int)hs__random_below(&s->random, MOST_OBJECTS);
    int64_t moves = 0, kind = hs__random_below(&s->random, 3);
    if (kind == 0) {
        moves = s->slices[k] ? sliced_free(s->slices[k]) : 0;
        s->slices[k] = s->slices[k] ? NULL : sliced_new(s->context, &s->random);
    } else if (kind == 1) {
        moves = s->blocks[k] ? blocked_free(s->blocks[k]) : 0;
        s->blocks[k] = s->blocks[k] ? NULL : blocked_new(s->context, &s->random);
    } else {
        moves = s->boxes[k] ? boxed_free(s->boxes[k]) : 0;
        s->boxes[k] = s->boxes[k] ? NULL : boxed_new(s->context, &s->random);
    }
    return moves;
}

/* Some rank's speed changes now and then, for a while or for good. */
static void drift(session *s)
{
    static const double factors[] = {0.25, 1, 1, 4, 20};
    int size, rank;
    MPI_Comm_size(s->comm, &size);
    MPI_Comm_rank(s->comm, &rank);
    int64_t who = hs__random_below(&s->random, size);
    double factor = factors[hs__random_below(&s->random, 5)];
    if (hs__random_below(&s->random, 12) == 0 && who == rank)
        s->factor = factor;
}

/* The ranks go on when the last of them has come, as a halo exchange keeps them. */
static void meet(const session *s)
{
    MPI_Allreduce(MPI_IN_PLACE, &clock_ahead, 1, MPI_DOUBLE, MPI_MAX, s->comm);
}

static int64_t session_step(session *s)
{
    int64_t moves = hs__random_below(&s->random, 25) == 0 ? change_objects(s) : 0;
    drift(s);
    for (int k = 0; k < MOST_OBJECTS; k++) {
        if (s->slices[k])
            sliced_step(s->slices[k], 1000 * s->factor, &s->random);
        if (s->blocks[k])
            blocked_step(s->blocks[k], 1000 * s->factor, &s->random);
        if (s->boxes[k])
            boxed_step(s->boxes[k], 1000 * s->factor, &s->random);
        meet(s);
    }
    return moves;
}

/* Some layouts are left to hs_finalize(). */
static int64_t session_end(session *s)
{
    int64_t moves = 0;
    for (int k = 0; k < MOST_OBJECTS; k++) {
        moves += s->slices[k] ? sliced_free(s->slices[k]) : 0;
        moves += s->blocks[k] ? blocked_free(s->blocks[k]) : 0;
        moves += s->boxes[k] ? boxed_free(s->boxes[k]) : 0;
    }
    RIGHT(hs_finalize(&s->context) == HS_OK);
    RIGHT(s->context == NULL);
    return moves;
}

/* The ranks of one colour: a context of all of them, and one of each part of them, stepping in turn. */
static int64_t group_run(MPI_Comm group, uint64_t seed)
{
    session s[CONTEXTS];
    MPI_Comm part;
    hs__random random = {seed};
    int rank, sessions = 1 + (int)hs__random_below(&random, CONTEXTS);
    int64_t moves = 0, iterations = 1 + hs__random_below(&random, MOST_ITERATIONS);
    MPI_Comm_rank(group, &rank);
    int colour = (int)(hs__random_next(&random) >> (rank + 3) & 1);
    MPI_Comm_split(group, colour, -rank, &part);
    for (int k = 0; k < sessions; k++) {
        session_start(&s[k], k == 0 ? group : part, hs__random_next(&random) + (uint64_t)(k == 0 ? 0 : colour));
        for (int n = 0; n < 2; n++)
            change_objects(&s[k]);
    }
    for (int64_t i = 0; i < iterations; i++)
        for (int k = 0; k < sessions; k++)
            moves += session_step(&s[k]);
    for (int k = 0; k < sessions; k++)
        moves += session_end(&s[k]);
    MPI_Comm_free(&part);
    return moves;
}

/* One run: 2 ranks and more of the world, in another order, in one group, the others in another group. @return moves */
static int64_t run(int64_t seed)
{
    hs__random random = {(uint64_t)seed};
    int size = world_size(), rank = world_rank(), key = 0;
    int64_t members = size > 2 ? 2 + hs__random_below(&random, size - 1) : size;
    MPI_Comm group;
    random_seed = seed;
    for (int r = 0; r < size; r++) {
        int place = (int)hs__random_below(&random, 1000);
        key = r == rank ? place : key;
    }
    int colour = rank >= members;
    MPI_Comm_split(MPI_COMM_WORLD, colour, key, &group);
    int64_t moves = group_run(group, hs__random_next(&random) + (uint64_t)colour);
    MPI_Comm_free(&group);
    return moves;
}

static int64_t sum_of_ranks(int64_t value)
{
    MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return value;
}

static void run_seeds(int64_t first, int64_t count)
{
    int64_t moves = 0;
    for (int64_t seed = first; seed < first + count; seed++)
        moves += run(seed);
    moves = sum_of_ranks(moves);
    REQUIRE(count < 10 || world_size() == 1 || moves > count); /* or nothing was tried */
    if (world_rank() == 0)
        printf("%lld runs, all right; the ranks saw %lld moves\n", (long long)count, (long long)moves);
}

/* ---- For minutes ---- */

static int64_t resident_bytes(void)
{
    long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    REQUIRE(file && fscanf(file, "%*d %ld", &pages) == 1);
    fclose(file);
    return pages * sysconf(_SC_PAGESIZE);
}

static int64_t descriptors(void)
{
    int64_t n = 0;
    DIR *folder = opendir("/proc/self/fd");
    REQUIRE(folder != NULL);
    while (readdir(folder))
        n++;
    closedir(folder);
    return n;
}

/* Prints the sums over all ranks each minute. */
static void run_minutes(double minutes)
{
    double begun = MPI_Wtime(), minute = 0, now = 0;
    int64_t runs = 0, round = 0, moves = 0, memory = 0, memory_then = 0, open_then = 0, open_now = 0;
    if (world_rank() == 0)
        puts("minute,runs,moves,resident_bytes,descriptors");
    while (minute < minutes) {
        moves += run(1 + (round > 0 ? runs % round : runs));
        runs++;
        now = (MPI_Wtime() - begun) / 60;
        MPI_Bcast(&now, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
        if (now < minute + 1)
            continue;
        minute = floor(now);
        memory = sum_of_ranks(resident_bytes());
        open_now = sum_of_ranks(descriptors());
        int64_t all_moves = sum_of_ranks(moves);
        if (memory_then == 0) {
            memory_then = memory;
            open_then = open_now;
            round = runs;
        }
        if (world_rank() == 0) {
            printf("%g,%lld,%lld,%lld,%lld\n", minute, (long long)runs, (long long)all_moves, (long long)memory,
                   (long long)open_now);
            fflush(stdout);
        }
    }
    if (world_rank() == 0)
        printf("memory grew by %.2f %% since the first minute, descriptors by %lld\n",
               100 * ((double)memory / (double)memory_then - 1), (long long)(open_now - open_then));
    REQUIRE(open_now == open_then && (double)memory < 1.01 * (double)memory_then);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    if (argc == 3 && strcmp(argv[1], "--minutes") == 0) {
        run_minutes(atof(argv[2]));
    } else if (argc == 3 && atoll(argv[2]) > 0) {
        run_seeds(atoll(argv[1]), atoll(argv[2]));
    } else {
        fprintf(stderr, "usage: random FIRST COUNT | random --minutes MINUTES\n");
        return 2;
    }
    MPI_Finalize();
    return 0;
}
