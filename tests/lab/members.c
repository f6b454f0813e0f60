/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes under a quota: what they and their threads used, by the kernel's account; nothing depends on how long it takes. */
#include "tests/short_of_memory.h"

#include "lab/process.h"
#include "lab/throttler.h"
#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A child that computes for 20 ms of its own time whenever it is told to, and says so afterwards. */
typedef struct worker {
    pid_t process;
    int to, from;
} worker;

static double seconds_of(clockid_t clock)
{
    struct timespec time;
    assert_int_equal(clock_gettime(clock, &time), 0);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static _Noreturn void work(int orders, int answers)
{
    char byte;
    while (read(orders, &byte, 1) == 1) {
        double begin = seconds_of(CLOCK_PROCESS_CPUTIME_ID);
        while (seconds_of(CLOCK_PROCESS_CPUTIME_ID) < begin + 0.02)
            ;
        if (write(answers, &byte, 1) != 1)
            _exit(1);
    }
    _exit(0);
}

static worker start(int own_group)
{
    int orders[2], answers[2];
    assert_int_equal(pipe(orders) | pipe(answers), 0);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        close(orders[1]);
        work(orders[0], answers[1]);
    }
    if (own_group)
        setpgid(child, child);
    close(orders[0]);
    close(answers[1]);
    return (worker){child, orders[1], answers[0]};
}

static void let_work(const worker *w)
{
    char byte = 1;
    assert_int_equal(write(w->to, &byte, 1), 1);
    assert_int_equal(read(w->from, &byte, 1), 1);
}

static void end(worker *w)
{
    close(w->to);
    close(w->from);
    kill(w->process, SIGKILL);
    lab_wait_child(w->process);
}

static double used_by(const worker *w)
{
    clockid_t clock;
    assert_int_equal(clock_getcpuclockid(w->process, &clock), 0);
    return seconds_of(clock);
}

static void take(lab_unit *unit, pid_t *process, size_t count)
{
    const lab_list list = {.process = process, .count = count};
    lab_members_take(unit, &list);
    assert_int_equal(unit->count, count);
}

/* What a member used since it was taken in, once; the others nothing of it. */
static void what_members_used(void **state)
{
    lab_unit unit = {0};
    worker a = start(0), b = start(0);
    double used, waited, all;
    let_work(&a); /* before it is a member */
    double before = used_by(&a) + used_by(&b);
    take(&unit, (pid_t[]){a.process, b.process}, 2);
    let_work(&a);
    let_work(&b);
    let_work(&b);
    lab_members_sample(&unit, &all, &waited);
    assert_true(all >= 0.06 * (1 - 1e-9) && all <= used_by(&a) + used_by(&b) - before + 1e-9);
    assert_true(waited >= 0);
    let_work(&a);
    take(&unit, (pid_t[]){b.process, a.process}, 2); /* those that stay keep their samples */
    lab_members_sample(&unit, &used, &waited);
    all += used;
    assert_true(used >= 0.02 * (1 - 1e-9));
    assert_true(all <= used_by(&a) + used_by(&b) - before + 1e-9);
    let_work(&b);
    take(&unit, (pid_t[]){b.process}, 1);
    lab_members_sample(&unit, &used, &waited);
    assert_true(used >= 0.02 * (1 - 1e-9));
    let_work(&a); /* no member any more */
    lab_members_sample(&unit, &used, &waited);
    assert_true(used < 0.02);
    take(&unit, NULL, 0);
    lab_members_sample(&unit, &used, &waited);
    assert_true(used == 0 && waited == 0);
    lab_members_free(&unit);
    end(&a);
    end(&b);
}

/* A member that ends used no less than before. */
static void members_end(void **state)
{
    lab_unit unit = {0};
    worker a = start(0);
    double used, waited;
    let_work(&a);
    take(&unit, &a.process, 1);
    end(&a);
    lab_members_sample(&unit, &used, &waited);
    assert_true(used == 0 && waited >= 0);
    lab_members_sample(&unit, &used, &waited);
    assert_true(used == 0 && waited == 0);
    lab_members_free(&unit);
}

static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

static void *compute_in_turn(void *done)
{
    pthread_mutex_lock(&turn);
    double begin = seconds_of(CLOCK_THREAD_CPUTIME_ID);
    while (seconds_of(CLOCK_THREAD_CPUTIME_ID) < begin + 0.02)
        ;
    pthread_mutex_unlock(&turn);
    pthread_barrier_wait(done);
    pthread_barrier_wait(done);
    return NULL;
}

/* As if the last thread had run for 20 us since it was looked at: that is what stopping it costs, once it really waits. */
static void check_wake_up(lab_unit *unit)
{
    const struct timespec pause = {0, 10000000};
    double cost = 0;
    for (int tries = 0; tries < 500 && cost < 19e-6; tries++) {
        unit->members[0].threads[unit->members[0].thread_count - 1].used -= 20e-6;
        cost = lab_members_stopping_cost(unit);
        nanosleep(&pause, NULL);
    }
    assert_true(cost >= 19e-6);
}

static size_t threads_beside_the_first(void)
{
    struct stat tasks;
    assert_int_equal(stat("/proc/self/task", &tasks), 0);
    return tasks.st_nlink - 3; /* of the folder, "." in it, and the first thread */
}

/* A thread beside the first one: while it waits it costs nothing, and its own work is no cost of being stopped. */
static void what_threads_used_by_themselves_is_no_cost(void **state)
{
    lab_unit unit = {0};
    pid_t self = getpid();
    pthread_t thread;
    pthread_barrier_t done;
    if (access("/proc/self/schedstat", R_OK) != 0)
        skip(); /* a kernel without it */
    pthread_barrier_init(&done, NULL, 2);
    take(&unit, &self, 1);
    lab_members_find_threads(&unit);
    pthread_mutex_lock(&turn);
    assert_int_equal(pthread_create(&thread, NULL, compute_in_turn, &done), 0);
    lab_members_find_threads(&unit);
    size_t threads = threads_beside_the_first(); /* also a sanitizer's, which may begin with ours */
    assert_int_equal(unit.members[0].thread_count, threads);
    pthread_mutex_unlock(&turn);
    pthread_barrier_wait(&done);
    double cost = lab_members_stopping_cost(&unit);
    assert_true(cost >= 0 && cost < (double)threads * 60e-6);
    check_wake_up(&unit);
    lab_members_find_threads(&unit);
    assert_int_equal(unit.members[0].thread_count, threads); /* listed again, not added */
    pthread_barrier_wait(&done);
    pthread_join(thread, NULL);
    cost = lab_members_stopping_cost(&unit); /* one that has ended costs nothing more */
    assert_true(cost >= 0 && cost < (double)threads * 60e-6);
    lab_members_free(&unit);
    assert_true(!unit.members && unit.count == 0);
    pthread_barrier_destroy(&done);
}

/* By the group that joined the host, of all processes of the machine. */
static void members_of_groups(void **state)
{
    worker a = start(1), b = start(1);
    const lab_group groups[] = {{3, a.process, 0}, {5, b.process, 0}};
    lab_list list = {0};
    lab_members_of_groups(groups, 2, 3, &list);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.process[0], a.process);
    lab_members_of_groups(groups, 2, 5, &list);
    assert_int_equal(list.count, 1);
    assert_int_equal(list.process[0], b.process);
    lab_members_of_groups(groups, 2, 4, &list);
    assert_int_equal(list.count, 0);
    lab_members_of_groups(groups, 1, 5, &list);
    assert_int_equal(list.count, 0);
    lab_members_of_groups(NULL, 0, 3, &list);
    assert_int_equal(list.count, 0);
    free(list.process);
    end(&a);
    end(&b);
}

/* Who cannot be noted is found the next time; those that are known stay. */
static void members_stay_without_memory(void **state)
{
    lab_unit unit = {0};
    worker a = start(1), b = start(1);
    const lab_list others = {.process = &b.process, .count = 1};
    const lab_group groups[] = {{3, a.process, 0}};
    lab_list list = {0};
    take(&unit, &a.process, 1);
    memory_lasts(0);
    lab_members_take(&unit, &others);
    assert_true(memory_is_back());
    assert_true(unit.count == 1 && unit.members[0].process == a.process);
    memory_lasts(0);
    lab_members_of_groups(groups, 1, 3, &list);
    assert_true(memory_is_back());
    assert_int_equal(list.count, 0);
    lab_members_of_groups(groups, 1, 3, &list);
    assert_true(list.count == 1 && list.process[0] == a.process);
    lab_members_take(&unit, &others);
    assert_true(unit.count == 1 && unit.members[0].process == b.process);
    free(list.process);
    lab_members_free(&unit);
    end(&a);
    end(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_members_used),
        cmocka_unit_test(members_end),
        cmocka_unit_test(what_threads_used_by_themselves_is_no_cost),
        cmocka_unit_test(members_of_groups),
        cmocka_unit_test(members_stay_without_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
