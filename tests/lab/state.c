/* SPDX-License-Identifier: BSD-3-Clause */
/* Names, quotas, and a state file that is written and read back. */
#include "tests/unit.h"

#include "lab/lab.h"
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
    int lock;
    (void)state;
    snprintf(name, sizeof name, "unit-%ld", (long)getpid());
    assert_int_equal(lab_lock(&lock, &error), HS_OK);
    assert_int_equal(lab_load(name, &loaded, &error), HS_ERR_STATE);
    assert_int_equal(lab_create(platform, name, 1, &lab, &error), HS_OK);
    lab->platform = strdup("some file.xml");
    lab->host[1].factor = 0.25;
    lab->network = 1;
    assert_int_equal(lab_save(lab, &error), HS_OK);
    assert_int_equal(lab_load(name, &loaded, &error), HS_OK);
    assert_string_equal(loaded->platform, lab->platform);
    assert_int_equal(loaded->hosts, 3);
    assert_int_equal(loaded->network, 1);
    assert_int_equal(loaded->ready, 0);
    assert_string_equal(loaded->host[1].id, "with blank");
    assert_true(loaded->host[1].quota == lab->host[1].quota && loaded->host[1].factor == 0.25);
    lab_forget(name);
    assert_int_equal(access(lab_directory(name, (char[LAB_PATH]){0}), F_OK), -1);
    lab_unlock(lock);
    lab_free(lab);
    lab_free(loaded);
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
    read_text("{}", HS_ERR_STATE);
    read_text("", HS_ERR_STATE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(quotas),
                                       cmocka_unit_test(save_and_load), cmocka_unit_test(states_that_cannot_be)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
