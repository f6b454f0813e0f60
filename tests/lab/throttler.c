/* SPDX-License-Identifier: BSD-3-Clause */
/* The throttler of a lab without network, as a child: busy processes of a slow host are stopped, those of a host with all that it
 * wants are not, and all are continued when the throttler ends. What takes time is waited for, as long as it takes. */
#include "tests/lab/fake_groups.h"
#include "tests/lab/saved.h"

#include "lab/process.h"
#include "lab/throttle.h"
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <time.h>

static int begin(void **state)
{
    char path[LAB_PATH];
    int failed = saved_begin(state);
    saved_make(0);
    fake_begin();
    return failed || mkdir(lab_file(saved_name, "ranks", path), 0700) != 0;
}

static int finish(void **state)
{
    fake_end();
    return saved_end(state);
}

/* A process that joined a host and computes; it has joined when this returns. */
static pid_t compute_on(int host)
{
    int ends[2];
    char byte = 1;
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        hs_error error;
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (lab_throttle_join(saved_name, host, &error) != HS_OK || write(ends[1], &byte, 1) != 1)
            _exit(1);
        for (volatile unsigned k = 0;; k++)
            ;
    }
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
    return child;
}

static void end(pid_t child)
{
    kill(child, SIGKILL);
    assert_int_equal(lab_wait_child(child), 128 + SIGKILL);
}

static int is_stopped(pid_t process)
{
    char path[64], line[600] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)process);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    const char *name_end = strrchr(line, ')');
    assert_non_null(name_end);
    return name_end[2] == 'T';
}

static void wait_until(pid_t process, int stopped)
{
    const struct timespec shortly = {0, 1000000};
    while (is_stopped(process) != stopped)
        nanosleep(&shortly, NULL);
}

static pid_t start_throttler(void)
{
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        lab_throttler_run(saved_name);
        _exit(7);
    }
    assert_true(child > 0);
    return child;
}

static void set_speed(const char *host, double factor)
{
    hs_error error;
    assert_int_equal(lab_speed(saved_name, host, factor, &error), HS_OK);
}

static void slow_hosts_are_stopped(void **state)
{
    set_speed("a", 1000); /* more than a core */
    set_speed("b", 1e-6);
    pid_t fast = compute_on(0), slow = compute_on(1), throttler = start_throttler();
    wait_until(slow, 1);
    assert_false(is_stopped(fast));
    set_speed("b", 1000); /* is read while it runs */
    wait_until(slow, 0);
    set_speed("b", 1e-6);
    wait_until(slow, 1);
    pid_t late = compute_on(1); /* one that comes while the others are stopped is, too */
    wait_until(late, 1);
    assert_false(is_stopped(fast));
    kill(throttler, SIGTERM);
    assert_int_equal(lab_wait_child(throttler), 7);
    assert_false(is_stopped(slow) || is_stopped(late));
    end(fast);
    end(slow);
    end(late);
}

/* Whether every file has the same inode: a file system may give a new file the one of a file that was removed. */
static int one_inode;

int __real_stat(const char *path, struct stat *facts);
int __wrap_stat(const char *path, struct stat *facts);

int __wrap_stat(const char *path, struct stat *facts)
{
    int failed = __real_stat(path, facts);
    if (one_inode && !failed)
        facts->st_ino = 7;
    return failed;
}

static void changes_are_noticed_by_more_than_an_inode(void **state)
{
    const struct timespec shortly = {0, 1000000};
    set_speed("b", 1e-6);
    pid_t slow = compute_on(1);
    one_inode = 1;
    pid_t throttler = start_throttler();
    one_inode = 0;
    wait_until(slow, 1);
    set_speed("b", 1000);
    for (int tries = 0; tries < 30000 && is_stopped(slow); tries++)
        nanosleep(&shortly, NULL);
    int stopped = is_stopped(slow);
    kill(throttler, SIGTERM);
    assert_int_equal(lab_wait_child(throttler), 7);
    end(slow);
    assert_false(stopped);
}

/* Ticks of a throttler that waits after each of these until the test goes on: between two lists of groups, after the next, and
 * before it searches for all processes. */
static const int gate_ticks[] = {45, 90, 399};
static struct {
    pid_t tester; /* 0: there are no gates */
    int tick, told[2], answered[2];
} gates;

int __real_nanosleep(const struct timespec *time, struct timespec *left);
int __wrap_nanosleep(const struct timespec *time, struct timespec *left);

int __wrap_nanosleep(const struct timespec *time, struct timespec *left)
{
    char byte = 1;
    if (gates.tester == 0 || getpid() == gates.tester)
        return __real_nanosleep(time, left);
    for (size_t k = 0; k < sizeof gate_ticks / sizeof *gate_ticks; k++)
        if (gates.tick == gate_ticks[k] &&
            (write(gates.told[1], &byte, 1) != 1 || read(gates.answered[0], &byte, 1) != 1))
            _exit(1);
    gates.tick++;
    return __real_nanosleep(time, left);
}

static void wait_for_gate(void)
{
    char byte;
    assert_int_equal(read(gates.told[0], &byte, 1), 1);
}

static void open_gate(void)
{
    char byte = 1;
    assert_int_equal(write(gates.answered[1], &byte, 1), 1);
}

/* Nanoseconds that a process ran. */
static double ran(pid_t process)
{
    char path[64];
    double time = 0;
    snprintf(path, sizeof path, "/proc/%ld/schedstat", (long)process);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_int_equal(fscanf(file, "%lf", &time), 1);
    fclose(file);
    return time;
}

/* A group that comes just when another one has gone is as soon found as any. */
static void one_that_follows_another_is_found(void **state)
{
    set_speed("b", 1000);
    gates.tester = getpid();
    assert_int_equal(pipe(gates.told) | pipe(gates.answered), 0);
    pid_t first = compute_on(1), throttler = start_throttler();
    wait_for_gate();
    end(first);
    pid_t second = compute_on(1);
    set_speed("b", 1e-6);
    open_gate();
    wait_for_gate();
    for (double before = ran(second); !is_stopped(second) && ran(second) < before + 5e6;)
        sched_yield();
    open_gate();
    wait_for_gate();
    int stopped = is_stopped(second);
    open_gate();
    kill(throttler, SIGTERM);
    assert_int_equal(lab_wait_child(throttler), 7);
    end(second);
    for (int k = 0; k < 2; k++) {
        close(gates.told[k]);
        close(gates.answered[k]);
    }
    gates.tester = 0;
    assert_true(stopped);
}

/* A lab that is gone needs no throttler. */
static void it_ends_with_the_lab(void **state)
{
    char path[LAB_PATH];
    set_speed("b", 1e-6);
    pid_t slow = compute_on(1), throttler = start_throttler();
    wait_until(slow, 1);
    assert_int_equal(unlink(lab_file(saved_name, LAB_STATE, path)), 0);
    assert_int_equal(lab_wait_child(throttler), 7);
    assert_false(is_stopped(slow));
    end(slow);
    assert_int_equal(lab_wait_child(start_throttler()), 7); /* and does not begin without one */
    saved_make(0);
}

/* A process that computes, without joining anything. */
static pid_t compute(void)
{
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        for (volatile unsigned k = 0;; k++)
            ;
    }
    return child;
}

static const char *in_lab(const char *group)
{
    static char path[LAB_PATH / 4];
    snprintf(path, sizeof path, "/cpu/heteroslice/%s/%s", saved_name, group);
    return path;
}

static void wait_for_freezer(const char *group, const char *written)
{
    const struct timespec shortly = {0, 1000000};
    while (strcmp(fake_get(in_lab(group), "cgroup.freeze"), written) != 0)
        nanosleep(&shortly, NULL);
}

/* The descriptor of the lab's lock, while a throttler is started by a process of this number. */
static struct {
    int descriptor;
    pid_t starter;
} lab_is_held = {-1, 0};

int __real_close(int descriptor);
int __wrap_close(int descriptor);

/* A throttler that lets go of the lab before anyone can find it does not live. */
int __wrap_close(int descriptor)
{
    if (descriptor == lab_is_held.descriptor && getpid() != lab_is_held.starter && !lab_throttle_alive(saved_name))
        _exit(1);
    return __real_close(descriptor);
}

/* Then a lab whose start was killed is removed with its throttler. */
static void it_is_found_before_the_lab_is_let_go(void **state)
{
    hs_error error;
    lab_cluster *lab = saved_read();
    assert_int_equal(lab_lock(&lab_is_held.descriptor, &error), HS_OK);
    lab_is_held.starter = getpid();
    hs_status started = lab_throttle_up(lab, &error);
    lab_unlock(lab_is_held.descriptor);
    lab_is_held.descriptor = -1;
    assert_int_equal(started, HS_OK);
    assert_true(lab_throttle_alive(saved_name));
    lab_throttle_down(saved_name);
    assert_false(lab_throttle_alive(saved_name));
    lab_free(lab);
}

/* With a network the group of the host, or of one of its cores, is frozen. */
static void slow_groups_are_frozen(void **state)
{
    char process[32];
    hs_error error;
    saved_make(1);
    fake_mount(FAKE_VERSION_2);
    lab_cluster *lab = saved_read();
    assert_int_equal(lab_cpu_up(lab, &error), HS_OK);
    lab_free(lab);
    set_speed("a", 1e-6);
    set_speed("b", 1e-6);
    pid_t busy = compute();
    snprintf(process, sizeof process, "%ld\n", (long)busy);
    fake_put(in_lab("h1.1"), "cgroup.procs", process);
    pid_t throttler = start_throttler();
    wait_for_freezer("h1.1", "1");
    fake_put(in_lab("h0"), "cgroup.procs", process); /* who joins later is found */
    wait_for_freezer("h0", "1");
    assert_string_equal(fake_get(in_lab("h1.0"), "cgroup.freeze"), "");
    assert_string_equal(fake_get(in_lab("h1"), "cgroup.freeze"), "");
    fake_put(in_lab("h0"), "cgroup.procs", "");
    set_speed("a", 1000);
    wait_for_freezer("h0", "0");
    assert_false(is_stopped(busy)); /* by no signal */
    kill(throttler, SIGTERM);
    assert_int_equal(lab_wait_child(throttler), 7);
    assert_string_equal(fake_get(in_lab("h1.1"), "cgroup.freeze"), "0");
    end(busy);
    int found = 0;
    fake_put(in_lab("h1.1"), "cgroup.procs", "");
    assert_int_equal(lab_cpu_down(saved_name, &found, &error), HS_OK);
    saved_make(0);
}

/* With a network, one that could stop nobody does not begin: no freezer, or no group of a host. */
static void it_needs_groups_to_freeze(void **state)
{
    saved_make(1);
    fake_mount("");
    assert_int_equal(lab_wait_child(start_throttler()), 7);
    fake_mount(FAKE_VERSION_2);
    assert_int_equal(lab_wait_child(start_throttler()), 7);
    saved_make(0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(slow_hosts_are_stopped),
                                       cmocka_unit_test(changes_are_noticed_by_more_than_an_inode),
                                       cmocka_unit_test(one_that_follows_another_is_found),
                                       cmocka_unit_test(it_is_found_before_the_lab_is_let_go),
                                       cmocka_unit_test(slow_groups_are_frozen),
                                       cmocka_unit_test(it_needs_groups_to_freeze),
                                       cmocka_unit_test(it_ends_with_the_lab)};
    return cmocka_run_group_tests(tests, begin, finish);
}
