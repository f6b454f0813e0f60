/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_LAB_WAITING_CHILD_H
#define HS_TESTS_LAB_WAITING_CHILD_H

#include "tests/unit.h"
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

/** Start a child that waits, with this in its environment; it is there when this returns.
 * @param prepare  what it does first, with `host`; 0: it goes on. NULL: nothing */
static inline pid_t waiting_child(char *mark, int (*prepare)(int host), int host)
{
    int ends[2], endless[2];
    char byte;
    assert_int_equal(pipe(ends) | pipe(endless), 0);
    pid_t child = fork();
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (prepare && prepare(host) != 0)
            _exit(1);
        dup2(endless[0], STDIN_FILENO);
        dup2(ends[1], STDOUT_FILENO);
        execle("/bin/sh", "sh", "-c", "echo; read line", (char *)NULL, (char *[]){mark, NULL});
        _exit(127);
    }
    assert_int_equal(read(ends[0], &byte, 1), 1);
    close(ends[0]);
    close(ends[1]);
    close(endless[0]);
    close(endless[1]);
    return child;
}

#endif
