/* SPDX-License-Identifier: BSD-3-Clause */
/* Names, quotas, and a state file that is written and read back. */
#include "tests/short_of_memory.h"

#include "lab/lab.h"
#include "lab/process.h"
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

static hs_platform *three_hosts(double speed)
{
    hs_platform *platform;
    hs_error error;
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &platform), HS_OK);
    assert_int_equal(hs_platform_add_host(platform, "plain", 2 * speed, 1, NULL, &error), HS_OK);
    assert_int_equal(hs_platform_add_host(platform, "with blank", speed, 4, NULL, &error), HS_OK);
    assert_int_equal(hs_platform_add_host(platform, "a.b", speed, 1, NULL, &error), HS_OK);
    return platform;
}

static void names(void **state)
{
    (void)state;
    assert_true(lab_name_valid("lab") && lab_name_valid("a-B_9"));
    assert_false(lab_name_valid("") || lab_name_valid("a.b") || lab_name_valid("a/b") || lab_name_valid("a b"));
    assert_false(lab_name_valid("123456789012345678901234567890123"));
}

static void quotas(void **state)
{
    hs_platform *platform = three_hosts(1e9);
    lab_cluster *lab;
    hs_error error;
    (void)state;
    assert_int_equal(lab_create(platform, "x", 1.4, &lab, &error), HS_OK);
    CHECK_CLOSE(lab->host[0].quota, 1.4 * 2 / 7, 1e-12);
    CHECK_CLOSE(lab->host[1].quota, 1.4 * 4 / 7, 1e-12);
    CHECK_CLOSE(lab->host[2].quota, 1.4 * 1 / 7, 1e-12);
    assert_string_equal(lab->host[0].name, "plain");
    assert_string_equal(lab->host[1].name, "with-blank-1");
    assert_string_equal(lab->host[2].name, "a.b");
    assert_int_equal(lab_find_host(lab, "with blank"), 1);
    assert_int_equal(lab_find_host(lab, "with-blank-1"), 1);
    assert_int_equal(lab_find_host(lab, "nobody"), -1);
    lab_free(lab);
    /* No core of a host gets a whole core of the machine. */
    assert_int_equal(lab_create(platform, "x", 64, &lab, &error), HS_OK);
    CHECK_CLOSE(lab->host[0].quota, 0.95, 1e-12);
    lab_free(lab);
    hs_platform_free(platform);
    platform = three_hosts(0);
    assert_int_equal(lab_create(platform, "x", 1, &lab, &error), HS_ERR_UNSUPPORTED);
    hs_platform_free(platform);
}

static void save_and_load(void **state)
{
    char name[32];
    hs_platform *platform = three_hosts(1e9);
    lab_cluster *lab, *loaded;
    hs_error error;
    int lock, link;
    (void)state;
    snprintf(name, sizeof name, "unit-%ld", (long)getpid());
    assert_int_equal(lab_lock(&lock, &error), HS_OK);
    assert_int_equal(lab_load(name, &loaded, &error), HS_ERR_STATE);
    assert_int_equal(hs_platform_add_link(platform, "l", 1e6, 0, HS_FATPIPE, &link, &error), HS_OK);
    assert_int_equal(lab_create(platform, name, 1, &lab, &error), HS_OK);
    lab->platform = strdup("some file.xml");
    lab->throttled = 1;
    lab->routers = 7;
    lab->rate_scale = 0.125;
    lab->link[0].factor = 0.75;
    assert_int_equal(lab_link_set_device(&lab->link[0], "hs.x.h0", "c0"), HS_OK);
    lab->host[1].factor = 0.25;
    lab->network = 1;
    assert_int_equal(lab_save(lab, &error), HS_OK);
    assert_int_equal(lab_load(name, &loaded, &error), HS_OK);
    assert_string_equal(loaded->platform, lab->platform);
    assert_int_equal(loaded->hosts, 3);
    assert_int_equal(loaded->network, 1);
    assert_int_equal(loaded->ready, 0);
    assert_int_equal(loaded->throttled, 1);
    assert_int_equal(loaded->routers, 7);
    assert_true(loaded->rate_scale == 0.125);
    assert_int_equal(loaded->links, 1);
    assert_string_equal(loaded->link[0].id, "l");
    assert_string_equal(loaded->link[0].netns, "hs.x.h0");
    assert_string_equal(loaded->link[0].device, "c0");
    assert_true(loaded->link[0].bandwidth == 1e6 && loaded->link[0].factor == 0.75);
    assert_int_equal(loaded->link[0].sharing, HS_FATPIPE);
    assert_true(loaded->host[1].speed == 1e9 && loaded->host[1].cores == 4);
    assert_string_equal(loaded->host[1].name, "with-blank-1");
    assert_string_equal(loaded->host[1].id, "with blank");
    assert_true(loaded->host[1].quota == lab->host[1].quota && loaded->host[1].factor == 0.25);
    lab_forget(name);
    assert_int_equal(access(lab_directory(name, (char[LAB_PATH]){0}), F_OK), -1);
    lab_unlock(lock);
    lab_free(lab);
    lab_free(loaded);
    hs_platform_free(platform);
}

/* The name of a host that has this id, as number 3 of a lab. */
static void check_name(const char *id, const char *name)
{
    hs_platform *platform;
    lab_cluster *lab;
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &platform), HS_OK);
    for (int i = 0; i < 3; i++) {
        char other[16];
        snprintf(other, sizeof other, "other%d", i);
        assert_int_equal(hs_platform_add_host(platform, other, 1e9, 1, NULL, NULL), HS_OK);
    }
    assert_int_equal(hs_platform_add_host(platform, id, 1e9, 1, NULL, NULL), HS_OK);
    assert_int_equal(lab_create(platform, "x", 1, &lab, NULL), HS_OK);
    assert_string_equal(lab->host[3].name, name);
    assert_string_equal(lab->host[3].id, id);
    lab_free(lab);
    hs_platform_free(platform);
}

/* Letters, digits, '-' and '.', no more than 40, and neither of the last two first; what had to be changed has its number. */
static void host_names(void **state)
{
    check_name("n1.cluster-a", "n1.cluster-a");
    check_name("1234567890123456789012345678901234567890", "1234567890123456789012345678901234567890");
    check_name("12345678901234567890123456789012345678901", "1234567890123456789012345678901234567890-3");
    check_name("a_b", "a-b-3");
    check_name("localhost", "localhost-3");
    check_name("LocalHost", "LocalHost-3");
    check_name("localhost1", "localhost1");
    check_name("-a", "ha-3");
    check_name(".a", "ha-3");
    check_name("a-.", "a-.");
    check_name("\xc3\xa4", "h--3");
}

/* Two ids that give one name, or names that only capitals tell apart. */
static void one_name_for_two(void **state)
{
    static const char *const pairs[][2] = {{"a_b", "a-b-0"}, {"node", "NODE"}};
    (void)state;
    for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
        hs_platform *platform;
        lab_cluster *lab;
        hs_error error;
        assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &platform), HS_OK);
        assert_int_equal(hs_platform_add_host(platform, pairs[k][0], 1e9, 1, NULL, NULL), HS_OK);
        assert_int_equal(hs_platform_add_host(platform, pairs[k][1], 1e9, 1, NULL, NULL), HS_OK);
        assert_int_equal(lab_create(platform, "x", 1, &lab, &error), HS_ERR_UNSUPPORTED);
        assert_non_null(strstr(error.text, pairs[k][0]));
        assert_non_null(strstr(error.text, pairs[k][1]));
        hs_platform_free(platform);
    }
}

/* As many hosts as have an address, and no more. */
static void a_limit_of_hosts(void **state)
{
    hs_platform *platform;
    lab_cluster *lab;
    hs_error error;
    char id[16];
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &platform), HS_OK);
    assert_int_equal(lab_create(platform, "x", 1, &lab, &error), HS_ERR_UNSUPPORTED);
    for (int i = 0; i < LAB_MAX_HOSTS; i++) {
        snprintf(id, sizeof id, "h%d", i);
        assert_int_equal(hs_platform_add_host(platform, id, 1e9, 1, NULL, NULL), HS_OK);
    }
    assert_int_equal(lab_create(platform, "x", 1, &lab, &error), HS_OK);
    assert_int_equal(lab->hosts, LAB_MAX_HOSTS);
    lab_free(lab);
    assert_int_equal(hs_platform_add_host(platform, "more", 1e9, 1, NULL, NULL), HS_OK);
    assert_int_equal(lab_create(platform, "x", 1, &lab, &error), HS_ERR_UNSUPPORTED);
    CHECK_ERROR_SAYS(&error, 0, "1 to 254 hosts, the platform has 255");
    hs_platform_free(platform);
}

/* Each has a group, and a platform can have any number of them. */
static void a_limit_of_cores(void **state)
{
    hs_platform *platform;
    lab_cluster *lab = NULL;
    hs_error error;
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &platform), HS_OK);
    assert_int_equal(hs_platform_add_host(platform, "wide", 1e9, LAB_MAX_CORES, NULL, NULL), HS_OK);
    assert_int_equal(lab_create(platform, "x", 1, &lab, &error), HS_OK);
    lab_free(lab);
    assert_int_equal(hs_platform_add_host(platform, "wider", 1e9, INT_MAX, NULL, NULL), HS_OK);
    assert_int_equal(lab_create(platform, "x", 1, &lab, &error), HS_ERR_UNSUPPORTED);
    CHECK_ERROR(&error, 0, "a lab has at most 65536 cores, the platform has 2147549183");
    hs_platform_free(platform);
}

static hs_status create(const void *platform)
{
    lab_cluster *lab = NULL;
    hs_status status = lab_create(platform, "x", 1, &lab, NULL);
    lab_free(lab);
    return status;
}

static void labs_need_memory(void **state)
{
    int link;
    hs_platform *platform = three_hosts(1e9);
    assert_int_equal(hs_platform_add_link(platform, "l", 1e6, 0, HS_SHARED, &link, NULL), HS_OK);
    assert_int_equal(fail_each_allocation(create, platform), 3 + 3 * 2 + 3);
    lab_link device = {0};
    assert_int_equal(lab_link_set_device(&device, "n", "c0"), HS_OK);
    for (int n = 0; n < 2; n++) {
        memory_lasts(n);
        assert_int_equal(lab_link_set_device(&device, "m", "c1"), HS_ERR_NOMEM);
        memory_is_back();
        assert_string_equal(device.netns, "n");
        assert_string_equal(device.device, "c0");
    }
    free(device.netns);
    free(device.device);
    hs_platform_free(platform);
}

/* What somebody else may have written there is not believed. */
static void a_lab_of_others_is_refused(void **state)
{
    char name[32], path[LAB_PATH], file[LAB_PATH];
    hs_platform *platform = three_hosts(1e9);
    lab_cluster *lab, *loaded = NULL;
    hs_error error;
    int lock;
    snprintf(name, sizeof name, "unit-%ld", (long)getpid());
    assert_int_equal(lab_lock(&lock, &error), HS_OK);
    assert_int_equal(lab_create(platform, name, 1, &lab, &error), HS_OK);
    lab->platform = strdup("p.xml");
    assert_int_equal(lab_save(lab, &error), HS_OK);
    lab_directory(name, path);
    for (mode_t writable = 02; writable <= 020; writable *= 8) {
        assert_int_equal(chmod(path, 0755 | writable), 0);
        assert_int_equal(lab_load(name, &loaded, &error), HS_ERR_SYSTEM);
        CHECK_ERROR_SAYS(&error, 0, "is not a directory of this user alone");
        assert_int_equal(lab_save(lab, &error), HS_ERR_SYSTEM);
    }
    assert_int_equal(chmod(path, 0755), 0);
    assert_int_equal(lab_load(name, &loaded, &error), HS_OK);
    lab_free(loaded);
    FILE *stream = fopen(lab_file(name, LAB_STATE, file), "w");
    fputs("{}", stream);
    fclose(stream);
    assert_int_equal(lab_load(name, &loaded, &error), HS_ERR_STATE);
    CHECK_ERROR_SAYS(&error, 0, "is damaged");
    unlink(file);
    assert_int_equal(lab_load(name, &loaded, &error), HS_ERR_STATE);
    CHECK_ERROR_SAYS(&error, 0, "no lab");
    assert_int_equal(rmdir(path), 0);
    assert_int_equal(symlink("/tmp", path), 0); /* a link leads anywhere */
    assert_int_equal(lab_load(name, &loaded, &error), HS_ERR_SYSTEM);
    unlink(path);
    lab_unlock(lock);
    lab_free(lab);
    hs_platform_free(platform);
}

static hs_status load(const void *name)
{
    lab_cluster *lab = NULL;
    hs_status status = lab_load(name, &lab, NULL);
    lab_free(lab);
    return status == HS_ERR_STATE ? HS_ERR_NOMEM : status; /* it says that the file is damaged */
}

/* Whichever text cannot be copied: there is no lab then, rather than a part of one. */
static void states_need_memory(void **state)
{
    char name[32];
    int link, lock;
    hs_error error;
    hs_platform *platform = three_hosts(1e9);
    lab_cluster *lab;
    snprintf(name, sizeof name, "unit-%ld", (long)getpid());
    assert_int_equal(hs_platform_add_link(platform, "l", 1e6, 0, HS_SHARED, &link, NULL), HS_OK);
    assert_int_equal(lab_lock(&lock, &error), HS_OK);
    assert_int_equal(lab_create(platform, name, 1, &lab, &error), HS_OK);
    lab->platform = strdup("p.xml");
    assert_int_equal(lab_save(lab, &error), HS_OK);
    assert_int_equal(fail_each_allocation(load, name), 3 + 1 + 3 * 2 + 3);
    lab_forget(name);
    lab_unlock(lock);
    lab_free(lab);
    hs_platform_free(platform);
}

/* A state file that this program did not write. */
static void read_text(const char *text, hs_status expected)
{
    char path[] = "/tmp/hs-state-XXXXXX";
    lab_cluster *lab = NULL;
    hs_error error;
    int file = mkstemp(path);
    assert_true(file >= 0 && write(file, text, strlen(text)) == (ssize_t)strlen(text));
    close(file);
    assert_int_equal(lab_read(path, &lab, &error), expected);
    lab_free(lab);
    unlink(path);
}

static void states_that_cannot_be(void **state)
{
#define STATE(name, host, cores, sharing)                                                                            \
    "{\"name\":\"" name "\",\"platform\":\"p\",\"network\":true,\"ready\":true,\"rate_scale\":1.0,"                  \
    "\"throttled\":true,\"routers\":0,\"hosts\":[{\"id\":\"a\",\"name\":\"" host "\",\"speed\":1.0,\"cores\":" cores \
    ",\"quota\":0.5,\"factor\":1.0}],\"links\":[{\"id\":\"l\",\"netns\":\"\",\"device\":\"\",\"bandwidth\":1.0,"     \
    "\"factor\":1.0,\"sharing\":" sharing "}]}"
    (void)state;
    read_text(STATE("t", "a", "1", "0"), HS_OK);
    read_text(STATE("../t", "a", "1", "0"), HS_ERR_STATE);
    read_text(STATE("t", "a/b", "1", "0"), HS_ERR_STATE);
    read_text(STATE("t", "a", "0", "0"), HS_ERR_STATE);
    read_text(STATE("t", "a", "1", "9"), HS_ERR_STATE);
    static const char good[] = STATE("t", "a", "1", "1");
    static const char *const wrong[][2] = {
        {"\"rate_scale\":1.0", "\"rate_scale\":0.0"},
        {"\"routers\":0", "\"routers\":-1"},
        {"\"speed\":1.0", "\"speed\":0.0"},
        {"\"quota\":0.5", "\"quota\":0.0"},
        {"\"factor\":1.0", "\"factor\":0.0"}, /* the host's */
        {"\"bandwidth\":1.0", "\"bandwidth\":0.0"},
        {"\"id\":\"a\"", "\"id\":\"\""},
        {"\"network\":true,", ""},
        {"\"platform\":\"p\"", "\"platform\":7"},
        {"\"device\":\"\"", "\"device\":7"},
        {"\"cores\":1", "\"cores\":1.5"},
    };
    read_text(good, HS_OK);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[1000];
        const char *at = strstr(good, wrong[i][0]);
        assert_non_null(at);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, wrong[i][1], at + strlen(wrong[i][0]));
        read_text(text, HS_ERR_STATE);
    }
    read_text(STATE("t", "a\\nb", "1", "0"), HS_ERR_STATE);
    read_text(STATE("t", "", "1", "0"), HS_ERR_STATE);
    read_text("{}", HS_ERR_STATE);
    read_text("", HS_ERR_STATE);
}

/* The folder of all labs goes with the last one, just when somebody else found it there. */
static void whoever_comes_gets_the_lock(void **state)
{
    enum { OTHERS = 3, ROUNDS = 4000 };
    pid_t other[OTHERS];
    for (int k = 0; k < OTHERS; k++) {
        other[k] = fork();
        for (int round = 0; round < ROUNDS && other[k] == 0; round++) {
            int lock;
            hs_error error;
            if (lab_lock(&lock, &error) != HS_OK) {
                fprintf(stderr, "%s\n", error.text);
                _exit(1);
            }
            lab_unlock(lock);
        }
        if (other[k] == 0)
            _exit(0);
    }
    for (int k = 0; k < OTHERS; k++)
        assert_int_equal(lab_wait_child(other[k]), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names),
                                       cmocka_unit_test(host_names),
                                       cmocka_unit_test(one_name_for_two),
                                       cmocka_unit_test(a_limit_of_hosts),
                                       cmocka_unit_test(a_limit_of_cores),
                                       cmocka_unit_test(labs_need_memory),
                                       cmocka_unit_test(a_lab_of_others_is_refused),
                                       cmocka_unit_test(states_need_memory),
                                       cmocka_unit_test(quotas),
                                       cmocka_unit_test(whoever_comes_gets_the_lock),
                                       cmocka_unit_test(save_and_load),
                                       cmocka_unit_test(states_that_cannot_be)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
