/* SPDX-License-Identifier: BSD-3-Clause */
/* Process groups that join hosts of a lab without network: registered, found, forgotten once they have ended, and killed. */
#include "config.h"
#include "tests/lab/saved.h"
#include "tests/lab/waiting_child.h"

#include "lab/process.h"
#include "lab/throttle.h"
#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>

static int begin(void **state)
{
    char path[LAB_PATH];
    int failed = saved_begin(state);
    saved_make(0);
    return failed || mkdir(lab_file(saved_name, "ranks", path), 0700) != 0;
}

/* Registered groups, whether they live or not. */
static int files(void)
{
    char path[LAB_PATH];
    int count = 0;
    DIR *directory = opendir(lab_file(saved_name, "ranks", path));
    assert_non_null(directory);
    for (struct dirent *entry; (entry = readdir(directory));)
        count += entry->d_name[0] != '.';
    closedir(directory);
    return count;
}

static int join_host(int host)
{
    hs_error error;
    return lab_throttle_join(saved_name, host, &error) != HS_OK || getenv(LAB_MEMBER) == NULL;
}

/* A process that joined a host and waits, with this in its environment; it has joined when this returns. */
static pid_t join(int host, char *mark)
{
    return waiting_child(mark, join_host, host);
}

static void end(pid_t child)
{
    kill(child, SIGKILL);
    assert_int_equal(lab_wait_child(child), 128 + SIGKILL);
}

static void those_that_joined_are_found(void **state)
{
    char name[64], path[LAB_PATH];
    struct stat facts;
    lab_group *groups = NULL;
    pid_t first = join(2, "A=1"), second = join(5, "A=2");
    assert_int_equal(files(), 2);
    assert_int_equal(lab_groups(saved_name, &groups), 2);
    const lab_group *of_first = groups[0].group == first ? &groups[0] : &groups[1],
                    *of_second = &groups[0] + (of_first == groups);
    lab_identity identity;
    assert_int_equal(lab_process_identify(first, &identity), 0);
    assert_true(of_first->host == 2 && of_first->group == first && of_first->start == identity.start);
    assert_true(of_second->host == 5 && of_second->group == second);
    snprintf(name, sizeof name, "ranks/2.%ld.%llu", (long)first, identity.start);
    assert_int_equal(stat(lab_file(saved_name, name, path), &facts), 0);
    assert_int_equal(facts.st_mode & 0777, 0600); /* nobody else registers, or learns of it */
    free(groups);
    end(first);
    assert_int_equal(lab_groups(saved_name, &groups), 1);
    assert_true(groups[0].group == second && groups[0].host == 5);
    assert_int_equal(files(), 1); /* what has ended is forgotten */
    free(groups);
    end(second);
    groups = NULL;
    assert_int_equal(lab_groups(saved_name, &groups), 0);
    assert_int_equal(files(), 0);
    free(groups);
}

/* A later process with the same number is not mistaken for one that joined; nor is a file of another name. */
static void others_are_not_mistaken(void **state)
{
    char name[64], path[LAB_PATH];
    lab_group *groups = NULL;
    lab_identity self;
    assert_int_equal(lab_process_identify(getpid(), &self), 0);
    snprintf(name, sizeof name, "ranks/0.%ld.%llu", (long)getpid(), self.start + 1);
    fclose(fopen(lab_file(saved_name, name, path), "w"));
    fclose(fopen(lab_file(saved_name, "ranks/0.1.7", path), "w"));
    fclose(fopen(lab_file(saved_name, "ranks/-1.2.7", path), "w"));
    fclose(fopen(lab_file(saved_name, "ranks/nobody", path), "w"));
    assert_int_equal(lab_groups(saved_name, &groups), 0);
    assert_int_equal(files(), 3); /* none of these is a group's */
    free(groups);
    unlink(lab_file(saved_name, "ranks/0.1.7", path));
    unlink(lab_file(saved_name, "ranks/-1.2.7", path));
    unlink(lab_file(saved_name, "ranks/nobody", path));
    groups = NULL;
    assert_int_equal(lab_groups("nobody-has-this-lab", &groups), 0);
    assert_null(groups);
}

/* A process that joined a host has ended, and left another one in its group, with this in its environment.
 * @param[out] leader  who joined  @param[out] keep  the other one ends when this is closed
 * @return what is read from until then */
static int left_alone(int host, char *mark, pid_t *leader, int *keep)
{
    int told[2], endless[2];
    char byte;
    assert_int_equal(pipe(told) | pipe(endless), 0);
    *leader = fork();
    if (*leader == 0) {
        if (join_host(host) != 0 || fork() != 0)
            _exit(0);
        dup2(endless[0], STDIN_FILENO);
        dup2(told[1], STDOUT_FILENO);
        close(endless[1]);
        execle("/bin/sh", "sh", "-c", "echo; read line", (char *)NULL, (char *[]){mark, NULL});
        _exit(127);
    }
    close(told[1]);
    close(endless[0]);
    assert_int_equal(read(told[0], &byte, 1), 1); /* it is the shell by now */
    assert_int_equal(lab_wait_child(*leader), 0);
    *keep = endless[1];
    return told[0];
}

static void let_go(int told, int keep)
{
    char byte;
    close(keep);
    assert_int_equal(read(told, &byte, 1), 0);
    close(told);
}

/* A group is the host's as long as a process of this lab is in it. A number that went to others is not. */
static void a_group_outlives_its_leader(void **state)
{
    char mark[LAB_NAME_MAX + 32];
    int keep;
    pid_t leader;
    lab_group *groups = NULL;
    snprintf(mark, sizeof mark, LAB_MEMBER "=%s", saved_name);
    int told = left_alone(2, mark, &leader, &keep);
    assert_int_equal(lab_groups(saved_name, &groups), 1);
    assert_true(groups[0].host == 2 && groups[0].group == leader);
    free(groups);
    groups = NULL;
    let_go(told, keep);
    assert_int_equal(lab_groups(saved_name, &groups), 0);
    assert_int_equal(files(), 0);
    free(groups);
    groups = NULL;
    snprintf(mark, sizeof mark, LAB_MEMBER "=%s2", saved_name);
    told = left_alone(2, mark, &leader, &keep);
    assert_int_equal(lab_groups(saved_name, &groups), 0);
    assert_int_equal(files(), 0);
    free(groups);
    let_go(told, keep);
}

/* Of those that joined, those of one run. */
static void a_run_is_killed_by_its_mark(void **state)
{
    pid_t first = join(0, LAB_RUN "=12"), second = join(0, LAB_RUN "=123");
    lab_throttle_kill_marked(saved_name, LAB_RUN "=12");
    assert_int_equal(lab_wait_child(first), 128 + SIGKILL);
    assert_int_equal(kill(second, 0), 0);
    lab_throttle_kill_marked(saved_name, LAB_RUN "=1");
    assert_int_equal(kill(second, 0), 0);
    lab_group *groups = NULL;
    assert_int_equal(lab_groups(saved_name, &groups), 1);
    free(groups);
    end(second);
}

static void a_lab_that_goes_takes_its_groups_along(void **state)
{
    pid_t first = join(0, "A=1"), second = join(1, "A=1");
    pid_t reaper = fork(); /* children that ended are in /proc until somebody waits for them */
    if (reaper == 0) {
        lab_throttle_down(saved_name);
        _exit(0);
    }
    assert_int_equal(lab_wait_child(first), 128 + SIGKILL);
    assert_int_equal(lab_wait_child(second), 128 + SIGKILL);
    assert_int_equal(lab_wait_child(reaper), 0);
    assert_int_equal(files(), 0);
}

/* The number of the throttler, which is alive. */
static pid_t throttler(void)
{
    char path[LAB_PATH];
    int process = 0;
    FILE *file = fopen(lab_file(saved_name, "throttler", path), "r");
    assert_non_null(file);
    while (fscanf(file, "%d", &process) != 1) /* it locks the file before it writes */
        rewind(file);
    fclose(file);
    return process;
}

/* Nothing stays open that its starter had, or whoever reads from the starter waits for the end of the lab. */
static void a_throttler_closes_what_it_inherits(void **state)
{
    enum { HIGH = 300 };
    int ends[2];
    hs_error error;
    struct rlimit limit;
    lab_cluster *lab = saved_read();
    assert_int_equal(pipe(ends), 0);
    assert_int_equal(dup2(ends[1], HIGH), HIGH);
    close(ends[1]);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    const struct rlimit low = {HIGH / 2, limit.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &low), 0);
    assert_int_equal(lab_throttle_up(lab, &error), HS_OK);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &limit), 0);
    struct rlimit of_throttler;
    assert_int_equal(prlimit(throttler(), RLIMIT_NOFILE, NULL, &of_throttler), 0);
    close(HIGH);
    struct pollfd end = {.fd = ends[0], .events = POLLIN};
    int ended = poll(&end, 1, 60 * 1000);
    close(ends[0]);
    lab_throttle_down(saved_name);
    lab_free(lab);
    assert_int_equal(ended, 1);
    assert_true(of_throttler.rlim_cur == limit.rlim_max); /* it opens more than its starter */
}

/* The throttler lives as long as somebody holds its lock. */
static void a_lock_is_a_sign_of_life(void **state)
{
    char path[LAB_PATH];
    assert_false(lab_throttle_alive(saved_name));
    assert_int_equal(access(lab_file(saved_name, "throttler", path), F_OK), -1); /* who asks makes no file */
    int file = open(path, O_RDWR | O_CREAT, 0600);
    assert_true(file >= 0);
    assert_false(lab_throttle_alive(saved_name));
    assert_int_equal(flock(file, LOCK_EX), 0);
    assert_true(lab_throttle_alive(saved_name));
    assert_int_equal(flock(file, LOCK_UN), 0);
    assert_false(lab_throttle_alive(saved_name));
    close(file);
    lab_throttle_down(saved_name);
    assert_int_equal(access(path, F_OK), -1);
}

static void a_throttler_needs_its_lab(void **state)
{
    const lab_cluster lab = {.name = "nobody-has-this-lab"};
    hs_error error = {.line = 7};
    assert_int_equal(lab_throttle_up(&lab, &error), HS_ERR_SYSTEM);
    CHECK_ERROR_SAYS(&error, 0, "nobody-has-this-lab/ranks: No such file or directory");
}

static void a_lab_that_is_gone_is_not_joined(void **state)
{
    int status = 7;
    pid_t child = fork();
    if (child == 0) {
        hs_error error = {0};
        status = lab_throttle_join("nobody-has-this-lab", 0, &error);
        _exit(status == HS_ERR_SYSTEM && strstr(error.text, "nobody-has-this-lab") ? 0 : 1);
    }
    assert_int_equal(lab_wait_child(child), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(those_that_joined_are_found),         cmocka_unit_test(others_are_not_mistaken),
        cmocka_unit_test(a_group_outlives_its_leader),         cmocka_unit_test(a_throttler_needs_its_lab),
        cmocka_unit_test(a_run_is_killed_by_its_mark),         cmocka_unit_test(a_lab_that_goes_takes_its_groups_along),
        cmocka_unit_test(a_throttler_closes_what_it_inherits), cmocka_unit_test(a_lock_is_a_sign_of_life),
        cmocka_unit_test(a_lab_that_is_gone_is_not_joined),
    };
    return cmocka_run_group_tests(tests, begin, saved_end);
}
