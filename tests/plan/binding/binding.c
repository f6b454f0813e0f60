/* SPDX-License-Identifier: BSD-3-Clause */
/* Cores to the ranks of a node: rows by hand, every binding of small nodes, invariants of large ones. */
#include "plan/binding/binding.h"
#include "tests/unit.h"
#include "util/random.h"

enum { MOST_RANKS = 24, MOST_CORES = 24 };

static char everywhere[MOST_RANKS * MOST_CORES];

static int all_cores(void **state)
{
    memset(everywhere, 1, sizeof everywhere);
    return 0;
}

/* The core of every rank, as text; a rank with several or none shows '*'. */
static const char *cores(const hs__binding_node *node, const char *set)
{
    static char text[MOST_RANKS + 1];
    for (int r = 0; r < node->ranks; r++) {
        text[r] = '*';
        for (int c = 0; c < node->cores; c++)
            if (set[r * node->cores + c] && hs__binding_has(node, set, r, 1))
                text[r] = (char)('0' + c);
    }
    text[node->ranks] = '\0';
    return text;
}

static void bind(const hs__binding_node *node, const char *where, char *set)
{
    memset(set, 0, (size_t)node->ranks * (size_t)node->cores);
    for (int r = 0; r < node->ranks; r++)
        set[r * node->cores + where[r] - '0'] = 1;
}

typedef struct row {
    int ranks, cores;
    double work[6], speed[6];
    const char *now;      /* the core of every rank; NULL: all wander over all cores */
    const char *expected; /* NULL: nothing is better */
    double time_now, time_set;
} row;

static const row rows[] = {
    /* Two light ranks share a core, the heavy one has its own. Wandering, all get 2/3 core until the light ones end at
     * 1.5 s, and the heavy one has half its work left. */
    {3, 2, {2, 1, 1}, {1, 1}, NULL, "011", 2.5, 2},
    {3, 2, {1, 1, 2}, {1, 1}, NULL, "110", 2.5, 2},
    {3, 2, {2, 1, 1}, {1, 1}, "011", NULL, 2, 2},
    {3, 2, {2, 1, 1}, {1, 1}, "010", "011", 3, 2},
    {3, 2, {2, 1, 1}, {1, 1}, "100", NULL, 2, 2},
    /* The heaviest gets the best core, the next the next best. */
    {3, 3, {1, 3, 2}, {1, 2, 3}, "012", "021", 1.5, 1},
    {2, 2, {1, 2}, {2, 1}, "01", "10", 2, 1},
    {2, 2, {1, 2}, {2, 1}, NULL, "10", 4. / 3, 1},
    {2, 4, {1, 1}, {1, 1, 2, 2}, "01", "23", 1, .5},
    /* As good already; ranks that can stay do. */
    {2, 2, {1, 1}, {1, 1}, NULL, NULL, 1, 1},
    {2, 2, {1, 2}, {1, 1}, "10", NULL, 2, 2},
    {3, 3, {1, 1, 4}, {1, 2, 4}, "210", "012", 4, 1},
    {4, 4, {1, 1, 1, 5}, {1, 1, 1, 5}, "0132", "0123", 5, 1},
    /* Own cores while there are enough, although both would be faster on the first. */
    {2, 2, {1, 1}, {10, 1}, "11", "10", 2, 1},
    /* The heaviest on the fast core alone is slower than with one more there. */
    {4, 2, {4, 2, 2, 2}, {4, 1}, "0001", NULL, 2, 2},
    {5, 2, {3, 3, 2, 2, 2}, {1, 1}, NULL, NULL, 6, 6},
    {1, 1, {0}, {1}, NULL, NULL, 0, 0},
    {3, 2, {0, 0, 1}, {1, 2}, "000", "001", 1, .5},
};

static void by_hand(void **state)
{
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const row *t = &rows[i];
        hs__binding_node node = {t->ranks, t->cores, t->work, NULL, t->speed, everywhere};
        char now[36], set[36] = "as before";
        double time_now = -1, time_set = -1;
        memcpy(now, everywhere, sizeof now);
        if (t->now)
            bind(&node, t->now, now);
        hs_status status = hs__binding_plan(&node, now, set, &time_now, &time_set);
        CHECK_CLOSE(time_now, t->time_now, 1e-12);
        assert_int_equal(status, t->expected ? HS_OK : HS_UNCHANGED);
        CHECK_CLOSE(time_set, t->time_set, 1e-12);
        if (t->expected)
            assert_string_equal(cores(&node, set), t->expected);
        else
            assert_string_equal(set, "as before");
    }
}

/* The largest work / speed of a core. */
static double slowest_core(const hs__binding_node *node, const int *core)
{
    double slowest = 0;
    for (int c = 0; c < node->cores; c++) {
        double work = 0;
        for (int r = 0; r < node->ranks; r++)
            work += core[r] == c ? node->work[r] : 0;
        slowest = fmax(slowest, work / node->speed[c]);
    }
    return slowest;
}

/* The least over all ways to give each rank one core where it is allowed; with `own`, no two the same. INFINITY: there
 * is no way. */
static double least(const hs__binding_node *node, int own, int *core, int rank, unsigned taken)
{
    double best = INFINITY;
    if (rank == node->ranks)
        return slowest_core(node, core);
    for (core[rank] = 0; core[rank] < node->cores; core[rank]++) {
        int here = core[rank];
        if (node->allowed[rank * node->cores + here] && !(own && (taken & 1u << here)))
            best = fmin(best, least(node, own, core, rank + 1, taken | 1u << here));
        core[rank] = here;
    }
    return best;
}

/* A node of small numbers, so that there are many ties. */
static void draw(hs__random *random, hs__binding_node *node, double *work, double *speed, char *allowed)
{
    int holes = (int)hs__random_below(random, 2);
    for (int r = 0; r < node->ranks; r++)
        work[r] = (double)hs__random_below(random, 6);
    for (int c = 0; c < node->cores; c++)
        speed[c] = 1 + (double)hs__random_below(random, 3);
    for (int k = 0; k < node->ranks * node->cores; k++)
        allowed[k] = !holes || hs__random_below(random, 3) > 0;
    for (int r = 0; r < node->ranks; r++)
        allowed[r * node->cores + hs__random_below(random, node->cores)] = 1;
    node->work = work;
    node->speed = speed;
    node->allowed = allowed;
}

static void against_every_binding(void **state)
{
    hs__random random = {1};
    for (int k = 0; k < 4000; k++) {
        double work[6], speed[4], time_now, time_set;
        char allowed[24], now[24], set[24], again[24];
        int core[6];
        hs__binding_node node = {.ranks = 1 + (int)hs__random_below(&random, 6),
                                 .cores = 1 + (int)hs__random_below(&random, 4)};
        size_t size = (size_t)(node.ranks * node.cores);
        draw(&random, &node, work, speed, allowed);
        for (size_t i = 0; i < size; i++)
            now[i] = hs__random_below(&random, 2) > 0;
        for (int r = 0; r < node.ranks; r++)
            now[r * node.cores] |= hs__binding_has(&node, now, r, 0);
        memset(set, 9, sizeof set); /* whatever is there goes */
        memset(again, 0, sizeof again);
        double best = least(&node, node.ranks <= node.cores, core, 0, 0);
        if (isinf(best))
            best = least(&node, 0, core, 0, 0);
        hs_status status = hs__binding_plan(&node, now, set, &time_now, &time_set);
        CHECK_CLOSE(time_set, fmin(best, time_now), 1e-9);
        if (status == HS_UNCHANGED)
            continue;
        assert_int_equal(status, HS_OK);
        for (size_t i = 0; i < size; i++)
            assert_true(allowed[i] || !set[i]);
        assert_int_equal(hs__binding_plan(&node, now, again, &time_now, &time_set), HS_OK);
        assert_memory_equal(set, again, size);
        assert_int_equal(hs__binding_plan(&node, set, again, &time_now, &time_set), HS_UNCHANGED);
    }
}

/* Ranks with threads: each gets cores of its own, no more than it can use, none where it may not run. */
static void threads(void **state)
{
    hs__random random = {2};
    for (int k = 0; k < 2000; k++) {
        double work[MOST_RANKS], speed[MOST_CORES], time_now, time_set;
        char allowed[MOST_RANKS * MOST_CORES], set[MOST_RANKS * MOST_CORES];
        int width[MOST_RANKS];
        hs__binding_node node = {.ranks = 1 + (int)hs__random_below(&random, MOST_RANKS),
                                 .cores = 1 + (int)hs__random_below(&random, MOST_CORES),
                                 .width = width};
        draw(&random, &node, work, speed, allowed);
        for (int r = 0; r < node.ranks; r++)
            width[r] = 1 + (int)hs__random_below(&random, 5);
        hs_status status = hs__binding_plan(&node, everywhere, set, &time_now, &time_set);
        assert_true(status == HS_OK || status == HS_UNCHANGED);
        assert_true(time_set <= time_now);
        for (int r = 0; status == HS_OK && r < node.ranks; r++) {
            int n = 0;
            for (int c = 0; c < node.cores; c++) {
                n += set[r * node.cores + c];
                assert_true(allowed[r * node.cores + c] || !set[r * node.cores + c]);
            }
            assert_in_range(n, 1, width[r]);
        }
    }
    /* 8 of 12 on two cores of four, as the heavy one can use them; the light ones have no use for more. */
    static const double heavy[] = {2, 8, 2}, equal[] = {1, 1, 1, 1};
    static const int use[] = {1, 4, 1};
    char set[12], now[12];
    double time_now, time_set;
    hs__binding_node node = {3, 4, heavy, use, equal, everywhere};
    bind(&node, "203", now);
    assert_int_equal(hs__binding_plan(&node, now, set, &time_now, &time_set), HS_OK);
    assert_memory_equal(set, "\0\0\1\0\1\1\0\0\0\0\0\1", 12);
    CHECK_CLOSE(time_now, 8, 1e-12);
    CHECK_CLOSE(time_set, 4, 1e-12);
    /* A scheduler gives the heavy rank more once the light ones have ended. */
    assert_int_equal(hs__binding_plan(&node, everywhere, set, &time_now, &time_set), HS_UNCHANGED);
    CHECK_CLOSE(time_now, 3, 1e-12);
}

static void bad_input(void **state)
{
    static const double one[] = {1, 1}, none[] = {0, 1}, minus[] = {-1, 1}, endless[] = {INFINITY, 1},
                        what[] = {NAN, 1};
    static const int no_width[] = {0, 1};
    static const char nowhere[4] = {1, 1, 0, 0};
    const hs__binding_node bad[] = {{0, 2, one, NULL, one, everywhere},     {2, 0, one, NULL, one, everywhere},
                                    {2, 2, minus, NULL, one, everywhere},   {2, 2, what, NULL, one, everywhere},
                                    {2, 2, endless, NULL, one, everywhere}, {2, 2, one, NULL, none, everywhere},
                                    {2, 2, one, NULL, endless, everywhere}, {2, 2, one, NULL, what, everywhere},
                                    {2, 2, one, no_width, one, everywhere}, {2, 2, one, NULL, one, nowhere}};
    const hs__binding_node good = {2, 2, one, NULL, one, everywhere};
    char set[4] = "abc";
    double time_now = 7, time_set = 8;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(hs__binding_plan(&bad[i], everywhere, set, &time_now, &time_set), HS_ERR_ARG);
    assert_int_equal(hs__binding_plan(&good, nowhere, set, &time_now, &time_set), HS_ERR_ARG);
    assert_int_equal(hs__binding_time(&good, nowhere, &time_now), HS_ERR_ARG);
    assert_string_equal(set, "abc");
    assert_true(time_now == 7 && time_set == 8);
}

/* As many as a large node has, no matter how hard: within the search's bound. */
static void large(void **state)
{
    enum { RANKS = 300, CORES = 128 };
    static double work[RANKS], speed[CORES];
    static char all[RANKS * CORES], now[RANKS * CORES], set[RANKS * CORES];
    hs__random random = {3};
    double time_now, time_set, sum = 0, most = 0;
    memset(all, 1, sizeof all);
    for (int r = 0; r < RANKS; r++)
        now[r * CORES + r % CORES] = (char)((work[r] = 1 + hs__random_unit(&random)) > 0);
    for (int c = 0; c < CORES; c++)
        sum += speed[c] = c < 64 ? 1 : 2;
    for (int r = 0; r < RANKS; r++)
        most += work[r] / sum;
    hs__binding_node node = {RANKS, CORES, work, NULL, speed, all};
    assert_int_equal(hs__binding_plan(&node, now, set, &time_now, &time_set), HS_OK);
    assert_true(time_set >= most && time_set < 1.6 * most);
    node.ranks = CORES;
    assert_int_equal(hs__binding_plan(&node, now, set, &time_now, &time_set), HS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(by_hand), cmocka_unit_test(against_every_binding),
                                       cmocka_unit_test(threads), cmocka_unit_test(bad_input), cmocka_unit_test(large)};
    return cmocka_run_group_tests(tests, all_cores, NULL);
}
