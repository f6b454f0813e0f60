/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef HS_TESTS_LAB_OWN_NETWORK_H
#define HS_TESTS_LAB_OWN_NETWORK_H

#include <sched.h>
#include <stdio.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OWN_NETWORK_REFUSED = 77 }; /* the system does not let this process have one */

/** In a child: take a network of its own, to which the names of these namespaces lead. Nobody else sees it or them, and what is in
 * /run is hidden. @return 0; -1 where the system does not let this process do so */
static inline int own_network_begin(const char *const *netns, int count)
{
    char path[128];
    if (unshare(CLONE_NEWNS | CLONE_NEWNET) != 0 || mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ||
        mount("none", "/run", "tmpfs", 0, NULL) != 0 || mkdir("/run/netns", 0755) != 0)
        return -1;
    for (int i = 0; i < count; i++) {
        snprintf(path, sizeof path, "/run/netns/%s", netns[i]);
        if (symlink("/proc/self/ns/net", path) != 0)
            return -1;
    }
    return 0;
}

/** A test case in a child, which takes a network of its own: `work` returns 0, or what was wrong, or OWN_NETWORK_REFUSED. */
static inline void own_network_case(int (*work)(void))
{
    pid_t child = fork();
    if (child == 0)
        _exit(work());
    int result = lab_wait_child(child);
    if (result == OWN_NETWORK_REFUSED)
        skip();
    assert_int_equal(result, 0);
}

#endif
