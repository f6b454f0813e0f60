/* SPDX-License-Identifier: BSD-3-Clause */
/* Trials of the library's calls against ours by a clock of the test's: how many calls they take, who makes the calls
 * after them, and what is said of them. */
#include "tests/runtime/collectives/library.h"
#include "tests/said.h"

enum { CALLS = 30, REDUCE, ALLREDUCE, BCAST };

/* Seconds of the last rank, which is the slowest one; the others take half as long. The library's calls take `later`
 * more each time; ours in the fourth pair takes `once`. */
typedef struct timing {
    double library, later, ours, once;
} timing;

static timing times;
static int of_library, of_ours; /* calls of a trial so far */

/* Of each side's first call, which makes connections: it does not count. */
static const double FIRST_S = 100;

static double seconds_of(int by_library)
{
    if (by_library)
        return of_library++ == 0 ? FIRST_S : times.library + (of_library - 2) * times.later;
    return of_ours++ == 0 ? FIRST_S : of_ours == 5 ? times.once : times.ours;
}

/* A call of a trial asks when it begins and when it ends. */
double PMPI_Wtime(void)
{
    static int under_way, passed_before;
    static double now;
    if (under_way)
        now += seconds_of(passed > passed_before) * (world_rank() == world_size() - 1 ? 1 : 0.5);
    under_way = !under_way;
    passed_before = passed;
    return now;
}

static void call(int kind, int root, int ints)
{
    static int mine[1 << 15], result[1 << 15];
    int code = kind == REDUCE      ? hs__collective_reduce(mine, result, ints, MPI_INT, MPI_SUM, root, MPI_COMM_WORLD)
               : kind == ALLREDUCE ? hs__collective_allreduce(mine, result, ints, MPI_INT, MPI_SUM, MPI_COMM_WORLD)
                                   : hs__collective_bcast(mine, ints, MPI_INT, root, MPI_COMM_WORLD);
    REQUIRE(code == MPI_SUCCESS);
}

/* What a trial comes to where there are three hosts, and elsewhere that there is none. */
typedef struct trial {
    int kind, root, ints;
    timing times;
    int by_library; /* of all calls */
    const char *said, *end;
} trial;

static void hold(const char *path, hs__collectives_mode mode, const trial *t)
{
    char text[1000];
    const int tried = world_size() >= 3, before = passed, says = tried && world_rank() == 0 && t->said;
    times = t->times;
    of_library = of_ours = 0;
    start(path, 1, mode);
    said s = said_begin();
    for (int k = 0; k < CALLS; k++)
        call(t->kind, t->root, t->ints);
    said_end(&s, text, sizeof text);
    hs__collectives_stop();
    REQUIRE(passed - before == (tried ? t->by_library : CALLS));
    REQUIRE((text[0] != '\0') == says);
    if (says)
        REQUIRE(strstr(text, t->said) && strstr(text, t->end) && !strchr(strchr(text, '\n') + 1, '\n'));
}

static void trials_end(const char *path)
{
    static const trial trials[] = {
        /* Clear after three pairs. Told is the time of the class's least size. */
        {ALLREDUCE,
         -1,
         20480,
         {2.5, 0, 1.25, 1.25},
         4,
         "all-reduce of 65536 bytes: the library's 2.000000 s, ours 1.000000 s, predicted 0.",
         " s: taken\n"},
        /* No plan is so fast: ours is not tried. */
        {BCAST,
         0,
         16384,
         {1e-9, 0, 1, 1},
         CALLS,
         "broadcast of 65536 bytes, root 0: the library's 0.000000 s, predicted 0.",
         " s: passed\n"},
        /* Hopeless after one pair. */
        {REDUCE,
         1,
         16384,
         {1, 0, 2, 2},
         CALLS - 2,
         "reduce of 65536 bytes, root 1: the library's 1.000000 s, ours 2.000000 s, predicted 0.",
         " s: passed\n"},
        /* Nine pairs: less than 10 % is no gain; one pair may be lost. */
        {ALLREDUCE,
         -1,
         1024,
         {1, 0, 0.95, 0.95},
         CALLS - 10,
         "all-reduce of 4096 bytes: the library's 1.000000 s, ours 0.950000 s, predicted 0.",
         " s: passed\n"},
        {BCAST,
         2,
         1024,
         {1, 0.125, 0.8, 3},
         10,
         "broadcast of 4096 bytes, root 2: the library's 1.500000 s, ours 0.800000 s, predicted 0.",
         " s: taken\n"},
        /* Too short for a trial. */
        {ALLREDUCE, -1, 1023, {0, 0, 0, 0}, CALLS, NULL, NULL},
    };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        if (trials[i].root < world_size())
            hold(path, HS__COLLECTIVES_ON, &trials[i]);
}

static void deterministic_calls_hold_no_trial(const char *path)
{
    const trial none = {ALLREDUCE, -1, 1, {0, 0, 0, 0}, 0, "all-reduce of 4 bytes: predicted 0.", " s: taken\n"};
    hold(path, HS__COLLECTIVES_DETERMINISTIC, &none);
    REQUIRE(of_library == 0 && of_ours == 0);
}

int main(int argc, char **argv)
{
    char path[64];
    setenv("HS_LOG", "info", 1);
    hs__presence_announce(0);
    MPI_Init(&argc, &argv);
    hs__presence_find(0);
    write_platform(path);
    trials_end(path);
    deterministic_calls_hold_no_trial(path);
    MPI_Barrier(MPI_COMM_WORLD);
    if (world_rank() == 0)
        unlink(path);
    hs__presence_end();
    MPI_Finalize();
    return 0;
}
