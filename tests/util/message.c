/* SPDX-License-Identifier: BSD-3-Clause */
/* A line on standard error is one write: each arrives as one datagram, whatever the program does with the stream. */
#include "util/message.h"
#include "tests/unit.h"
#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#include <wchar.h>

enum { ROOM = 2000 };

/* What the next write had, as a text; "" when there was none. */
static void receive(int from, char *text)
{
    ssize_t length = recv(from, text, ROOM - 1, MSG_DONTWAIT);
    text[length > 0 ? length : 0] = '\0';
}

static void test_one_write(void **state)
{
    int ends[2], kept = dup(STDERR_FILENO);
    char text[ROOM], longest[ROOM] = "", first[ROOM], second[ROOM], third[ROOM];
    memset(longest, 'x', ROOM - 1);
    memset(text, 'y', 500);
    text[500] = '\0';
    assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
    assert_int_equal(dup2(ends[0], STDERR_FILENO), STDERR_FILENO);
    hs__message("%s of %d", "rank", 7);
    receive(ends[1], first);
    hs__message("%s.", text);
    receive(ends[1], second);
    hs__message("%s", longest);
    receive(ends[1], third);
    assert_int_equal(dup2(kept, STDERR_FILENO), STDERR_FILENO);
    close(kept);
    close(ends[0]);
    close(ends[1]);
    assert_string_equal(first, "heteroslice: rank of 7\n");
    assert_int_equal(strlen(second), strlen("heteroslice: ") + 500 + strlen(".\n"));
    assert_int_equal(second[strlen(second) - 1], '\n');
    assert_true(strlen(third) > 600);
    assert_int_equal(third[strlen(third) - 1], '\n');
}

static int is_pending(int number)
{
    sigset_t pending;
    sigpending(&pending);
    return sigismember(&pending, number);
}

static int is_blocked(int number)
{
    sigset_t blocked;
    pthread_sigmask(SIG_BLOCK, NULL, &blocked);
    return sigismember(&blocked, number);
}

/* Standard error is a pipe that nobody reads, by which a program ends: not of our lines. */
static void test_nobody_reads(void **state)
{
    int ends[2], kept = dup(STDERR_FILENO), pending, blocked, failed;
    sigset_t pipe_alone;
    assert_int_equal(pipe(ends), 0);
    close(ends[0]);
    assert_int_equal(dup2(ends[1], STDERR_FILENO), STDERR_FILENO);
    hs__message("nobody hears %s", "this");
    hs__message_write("nor\nthis\n");
    failed = ferror(stderr);
    pending = is_pending(SIGPIPE);
    blocked = is_blocked(SIGPIPE);
    sigemptyset(&pipe_alone);
    sigaddset(&pipe_alone, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe_alone, NULL);
    raise(SIGPIPE); /* the program's own stays for it */
    hs__message("nor this");
    assert_int_equal(dup2(kept, STDERR_FILENO), STDERR_FILENO);
    close(kept);
    close(ends[1]);
    assert_false(failed || pending || blocked);
    assert_true(is_pending(SIGPIPE) && is_blocked(SIGPIPE));
    signal(SIGPIPE, SIG_IGN);
    pthread_sigmask(SIG_UNBLOCK, &pipe_alone, NULL);
}

/* A stream that the program writes wide characters to takes no others. */
static void test_wide_stream(void **state)
{
    int ends[2];
    char text[ROOM];
    assert_int_equal(socketpair(AF_UNIX, SOCK_DGRAM, 0, ends), 0);
    pid_t child = fork();
    if (child == 0) {
        dup2(ends[0], STDERR_FILENO);
        fwide(stderr, 1);
        hs__message("rank %d", 7);
        _exit(0);
    }
    assert_int_equal(waitpid(child, NULL, 0), child);
    receive(ends[1], text);
    close(ends[0]);
    close(ends[1]);
    assert_string_equal(text, "heteroslice: rank 7\n");
}

/* A program that was started without standard error: its first file has that descriptor. @return an exit status */
static int begun_without(void)
{
    char path[] = "/tmp/hs-message-XXXXXX";
    int file = mkstemp(path);
    unlink(path);
    hs__message("rank %d", 7);
    return file != STDERR_FILENO || lseek(file, 0, SEEK_END) != 0;
}

static void test_begun_without(void **state)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        close(STDERR_FILENO);
        execl("/proc/self/exe", "message", "without", NULL);
        _exit(127);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
}

int main(int argc, char **argv)
{
    if (argc > 1)
        return begun_without();

    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_write), cmocka_unit_test(test_nobody_reads),
                                       cmocka_unit_test(test_wide_stream), cmocka_unit_test(test_begun_without)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
