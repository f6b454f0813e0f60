/* SPDX-License-Identifier: BSD-3-Clause */
/* A line on standard error is one write: each arrives as one datagram. */
#include "util/message.h"
#include "tests/unit.h"
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_one_write)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
