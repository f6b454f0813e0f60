/* SPDX-License-Identifier: BSD-3-Clause */
/* How waits are chosen, by stand-ins for the machine and for the MPI library: what the library is told, and how it is left. */
#include "tests/unit.h"

#include "launch/rank.h"
#include "runtime/base/environment.h"
#include "runtime/base/quota.h"
#include "runtime/base/waiting.h"
#include <dlfcn.h>
#include <mpi.h>
#include <sched.h>
#include <stdbool.h>

typedef int poll_function(void);

enum { FIRST_CPU = 4000 }; /* beyond those of a cpu_set_t */

/* The machine: processors of a rank and of its launcher as bits, what groups allow, and ranks here. */
typedef struct machine {
    unsigned mine, launchers; /* 0: not known */
    double quota;
    int ranks;
} machine;

static machine here;

/* The library: whether it can be told to yield and calls back in polls, as Open MPI, and what it was told. */
static struct {
    bool open_mpi, yields;
    poll_function *counter;
    int counters; /* functions that it calls */
} library;

static int own_rank, warnings;

int __wrap_PMPI_Comm_rank(MPI_Comm comm, int *rank);
void __wrap_hs__environment_log(hs__log_level level, const char *format, ...);
int __wrap_sched_getaffinity(pid_t process, size_t size, cpu_set_t *set);
double __wrap_hs__quota_group(uint64_t *group);
hs__launch_rank __wrap_hs__launch_this_rank(void);
void *__wrap_dlsym(void *handle, const char *name);

int __wrap_PMPI_Comm_rank(MPI_Comm comm, int *rank)
{
    *rank = own_rank;
    return MPI_SUCCESS;
}

void __wrap_hs__environment_log(hs__log_level level, const char *format, ...)
{
    assert_int_equal(level, HS__LOG_WARN);
    assert_non_null(strstr(format, "HS_WAIT"));
    warnings++;
}

int __wrap_sched_getaffinity(pid_t process, size_t size, cpu_set_t *set)
{
    unsigned bits = process == 0 ? here.mine : here.launchers;
    if (bits == 0 || size < CPU_ALLOC_SIZE(FIRST_CPU + 32)) /* the kernel refuses what its processors do not fit in */
        return -1;
    CPU_ZERO_S(size, set);
    for (size_t cpu = 0; cpu < 32; cpu++)
        if (bits >> cpu & 1)
            CPU_SET_S(FIRST_CPU + cpu, size, set);
    return 0;
}

double __wrap_hs__quota_group(uint64_t *group)
{
    *group = 0;
    return here.quota;
}

hs__launch_rank __wrap_hs__launch_this_rank(void)
{
    return (hs__launch_rank){0, here.ranks, 0, here.ranks};
}

static int add_counter(poll_function *function)
{
    library.counter = function;
    library.counters++;
    return 0;
}

static int remove_counter(poll_function *function)
{
    assert_true(function == library.counter);
    library.counters--;
    return 0;
}

static bool set_yields(bool on)
{
    bool before = library.yields;
    library.yields = on;
    return before;
}

void *__wrap_dlsym(void *handle, const char *name)
{
    void *function = NULL;
    if (library.open_mpi && strcmp(name, "opal_progress_register") == 0)
        *(int (**)(poll_function *)) & function = add_counter;
    else if (library.open_mpi && strcmp(name, "opal_progress_unregister") == 0)
        *(int (**)(poll_function *)) & function = remove_counter;
    else if (library.open_mpi && strcmp(name, "opal_progress_set_yield_when_idle") == 0)
        *(bool (**)(bool)) & function = set_yields;
    return function;
}

/* The library is told what the mode needs: it yields in all but the first, and tells of polls where their number counts. */
static void check_mode(hs__waiting_mode mode, bool yields_bare)
{
    assert_int_equal(hs__waiting.mode, mode);
    if (library.open_mpi) {
        assert_true(library.yields == (mode != HS__WAITING_POLL || yields_bare));
        assert_true(library.counters == 1 || (library.counters == 0 && mode != HS__WAITING_SLEEP));
        assert_int_equal(hs__waiting.pauses, mode == HS__WAITING_SLEEP);
    } else
        assert_int_equal(hs__waiting.pauses, mode != HS__WAITING_POLL);
}

static void check_stopped(bool yields_bare)
{
    hs__waiting_stop();
    check_mode(HS__WAITING_POLL, yields_bare);
    assert_int_equal(library.counters, 0);
}

/* What ranks do while all of them have work: those that share processors let others run. */
static void more_ranks_than_processors_do_not_poll(void **state)
{
    static const struct {
        machine machine;
        bool shared;
    } rows[] = {
        {{0xf, 0xf, INFINITY, 4}, false},  {{0xf, 0xf, INFINITY, 5}, true}, {{0x1, 0xf, INFINITY, 4}, false},
        {{0x1, 0xf, INFINITY, 5}, true}, /* bound, each to its own */
        {{0x3, 0xc, INFINITY, 4}, false},  {{0x3, 0xc, INFINITY, 5}, true}, {{0x3, 0, INFINITY, 2}, false},
        {{0x3, 0, INFINITY, 3}, true},     {{0, 0, 1, 1000}, false}, /* more than a set holds */
        {{0xf, 0xf, 2.5, 2}, false},       {{0xf, 0xf, 2.5, 3}, true},      {{0xf, 0xf, 8, 5}, true},
        {{0xf, 0xf, INFINITY, -1}, false},
    };
    for (size_t i = 0; i < 4 * (sizeof rows / sizeof *rows); i++) {
        bool preloaded = i % 2 != 0, shared = rows[i / 4].shared && preloaded;
        library.open_mpi = i / 2 % 2 != 0;
        here = rows[i / 4].machine;
        hs__waiting_start(preloaded);
        check_mode(!shared ? HS__WAITING_POLL : library.open_mpi ? HS__WAITING_SLEEP : HS__WAITING_YIELD, false);
        check_stopped(false);
    }
}

/* Layouts with and without units come and go; mpirun may have had the library yield before. */
static void ranks_without_units_sleep(void **state)
{
    static const struct {
        int layouts, with_units;
        hs__waiting_mode mode;
    } steps[] = {
        {1, 1, HS__WAITING_POLL}, {0, -1, HS__WAITING_SLEEP}, {1, 1, HS__WAITING_POLL},   {-1, -1, HS__WAITING_SLEEP},
        {0, 1, HS__WAITING_POLL}, {0, -1, HS__WAITING_SLEEP}, {-1, 0, HS__WAITING_POLL},  {2, 0, HS__WAITING_SLEEP},
        {0, 2, HS__WAITING_POLL}, {0, -1, HS__WAITING_POLL},  {0, -1, HS__WAITING_SLEEP}, {-2, 0, HS__WAITING_POLL},
    };
    here = (machine){0xf, 0xf, INFINITY, 4};
    for (int way = 0; way < 4; way++) {
        bool yields_bare = way % 2 != 0;
        library.open_mpi = way / 2 != 0;
        library.yields = yields_bare;
        hs__waiting_start(1);
        for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
            hs__waiting_count_layouts(steps[i].layouts, steps[i].with_units);
            check_mode(steps[i].mode, yields_bare);
        }
        hs__waiting_count_layouts(1, 0); /* and stops while it sleeps */
        check_stopped(yields_bare);
        hs__waiting_count_layouts(-1, 0);
        check_mode(HS__WAITING_POLL, yields_bare);
    }
}

/* Where all sleep anyway, a layout changes nothing. */
static void shared_processors_are_left_to_others_with_units_too(void **state)
{
    here = (machine){0x1, 0x1, INFINITY, 4};
    for (int open_mpi = 0; open_mpi < 2; open_mpi++) {
        library.open_mpi = open_mpi != 0;
        library.yields = false;
        hs__waiting_start(1);
        hs__waiting_count_layouts(1, 0);
        check_mode(HS__WAITING_SLEEP, false);
        hs__waiting_count_layouts(0, 1);
        check_mode(open_mpi ? HS__WAITING_SLEEP : HS__WAITING_YIELD, false);
        hs__waiting_count_layouts(-1, -1);
        check_stopped(false);
    }
}

static void ask(hs__wait wait, int disable)
{
    hs__options options = *hs__environment();
    options.wait = wait;
    hs__environment_adopt(&options);
    ((hs__options *)hs__environment())->disable = disable; /* which each rank has of its own */
}

/* What HS_WAIT asks for is done, whatever the processors and the layouts; rank 0 says where the library cannot be told. */
static void it_is_as_asked(void **state)
{
    static const hs__waiting_mode modes[] = {
        [HS__WAIT_POLL] = HS__WAITING_POLL, [HS__WAIT_YIELD] = HS__WAITING_YIELD, [HS__WAIT_SLEEP] = HS__WAITING_SLEEP};
    for (int way = 0; way < 3 * 2 * 2 * 3; way++) {
        hs__wait asked = (hs__wait)(HS__WAIT_POLL + way % 3);
        here = way / 3 % 2 ? (machine){0x1, 0x1, INFINITY, 4} : (machine){0xf, 0xf, INFINITY, 4};
        library.open_mpi = way / 6 % 2 != 0;
        own_rank = way / 12;
        warnings = 0;
        ask(asked, 0);
        hs__waiting_start(way % 2);
        assert_int_equal(warnings, asked != HS__WAIT_POLL && !library.open_mpi && own_rank == 0);
        check_mode(modes[asked], false);
        hs__waiting_count_layouts(1, 0);
        check_mode(modes[asked], false);
        hs__waiting_count_layouts(-1, 0);
        check_mode(modes[asked], false);
        check_stopped(false);
    }
    ask(HS__WAIT_AUTO, 1);
    hs__waiting_count_layouts(1, 0);
    check_mode(HS__WAITING_POLL, false);
    hs__waiting_count_layouts(-1, 0);
    ask(HS__WAIT_AUTO, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(more_ranks_than_processors_do_not_poll),
        cmocka_unit_test(ranks_without_units_sleep),
        cmocka_unit_test(shared_processors_are_left_to_others_with_units_too),
        cmocka_unit_test(it_is_as_asked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
