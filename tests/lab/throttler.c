/* SPDX-License-Identifier: BSD-3-Clause */
/* The throttler of a lab without network, as a child: busy processes of a slow host are stopped, those of a host with all that it
 * wants are not, and all are continued when the throttler ends. What takes time is waited for, as long as it takes. */
#include "tests/lab/fake_groups.h"
#include "tests/lab/saved.h"

#include "lab/process.h"
#include "lab/throttle.h"
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
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(slow_hosts_are_stopped), cmocka_unit_test(it_is_found_before_the_lab_is_let_go),
        cmocka_unit_test(slow_groups_are_frozen), cmocka_unit_test(it_needs_groups_to_freeze),
        cmocka_unit_test(it_ends_with_the_lab)};
    return cmocka_run_group_tests(tests, begin, finish);
}
