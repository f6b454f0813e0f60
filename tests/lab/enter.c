/* SPDX-License-Identifier: BSD-3-Clause */
/* Processes that become those of a host, as children: without network, in the network of the host, and where its
 * namespace is not there. */
#include "config.h"

#include "tests/lab/saved.h"

#include "lab/process.h"
#include "lab/throttle.h"
#include "tests/lab/own_network.h"

static int begin(void **state)
{
    char path[LAB_PATH];
    int failed = saved_begin(state);
    saved_make(0);
    return failed || mkdir(lab_file(saved_name, "ranks", path), 0700) != 0;
}

/* Becomes one of host b, whose network is there unless this is refused with these words. @return 0; what was wrong */
static int enter(int network, const char *refusal)
{
    char host[256] = "", before[256] = "", netns[64];
    hs_error error = {0};
    lab_cluster *lab = saved_read();
    gethostname(before, sizeof before - 1);
    lab->network = network;
    const char *const names[] = {lab_netns_of_host(saved_name, 1, netns, sizeof netns)};
    if (network && !refusal && own_network_begin(names, 1) != 0)
        return OWN_NETWORK_REFUSED;
    hs_status status = lab_enter(lab, 1, &error);
    lab_free(lab);
    if (!getenv("HS_LAB_HOST") || strcmp(getenv("HS_LAB_HOST"), "b") != 0)
        return 1;
    if (refusal)
        return status == HS_ERR_SYSTEM && strstr(error.text, refusal) ? 0 : 2;
    gethostname(host, sizeof host - 1);
    return status == HS_OK && (strcmp(host, "b") == 0 || (!network && strcmp(host, before) == 0)) ? 0 : 3;
}

/* The name, where the system lets a process have one of its own. */
static void a_process_knows_its_host(void **state)
{
    char expected[100];
    pid_t child = fork();
    if (child == 0)
        _exit(enter(0, NULL));
    assert_int_equal(lab_wait_child(child), 0);
    snprintf(expected, sizeof expected, "cannot enter namespace hs.%s.h1: ", saved_name);
    child = fork();
    if (child == 0)
        _exit(enter(1, expected));
    assert_int_equal(lab_wait_child(child), 0);
}

static int enter_network(void)
{
    return enter(1, NULL);
}

static void a_process_is_in_the_network_of_its_host(void **state)
{
    own_network_case(enter_network);
}

/* The launcher's own processes are on no host. */
static void processes_join_hosts(void **state)
{
    for (int host = LAB_CONTROL; host <= 1; host++) {
        pid_t child = fork();
        if (child == 0) {
            hs_error error;
            lab_group *groups = NULL;
            lab_cluster *lab = saved_read();
            hs_status status = lab_join(lab, (lab_place){host, -1}, &error);
            int count = lab_groups(saved_name, &groups);
            int joined = count == 1 && groups[0].host == host && groups[0].group == getpid();
            lab_free(lab);
            free(groups);
            _exit(status == HS_OK && (host == LAB_CONTROL ? count == 0 : joined) ? 0 : 1);
        }
        assert_int_equal(lab_wait_child(child), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_process_knows_its_host),
                                       cmocka_unit_test(a_process_is_in_the_network_of_its_host),
                                       cmocka_unit_test(processes_join_hosts)};
    return cmocka_run_group_tests(tests, begin, saved_end);
}
