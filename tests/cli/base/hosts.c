/* SPDX-License-Identifier: BSD-3-Clause */
/* Hosts that a planner is asked about: from a platform file, a list, or a file of speeds; and other files that verbs read. */
#include "cli/base/hosts.h"
#include "cli/base/speeds.h"
#include "tests/cli/base/capture.h"
#include "tests/short_of_memory.h"

static const cli_verb verb = {"columns", "divides a square", "hs columns PLATFORM", NULL};

static char file[] = "/tmp/hs-hosts-XXXXXX";

static int begin(void **state)
{
    int descriptor = mkstemp(file);
    return descriptor < 0 || close(descriptor) != 0;
}

static int end(void **state)
{
    return unlink(file);
}

static void write_bytes(const char *bytes, size_t size)
{
    FILE *stream = fopen(file, "w");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, size, stream), size);
    fclose(stream);
}

static void write_text(const char *text)
{
    write_bytes(text, strlen(text));
}

static int read_hosts(const char *platform, const char *list, const char *path, cli_hosts *hosts, char *said,
                      size_t size)
{
    *hosts = (cli_hosts){0};
    capture c = capture_begin(stderr);
    int code = cli_read_hosts(&verb, platform, list, path, hosts);
    capture_end(&c, said, size);
    return code;
}

static void one_way_to_name_hosts(void **state)
{
    static const struct {
        const char *platform, *list, *path, *said;
    } rows[] = {
        {"p", NULL, NULL, NULL},
        {NULL, "1", NULL, NULL},
        {NULL, NULL, "f", NULL},
        {NULL, NULL, NULL, "no hosts given: expected a platform file, --speeds or --speeds-file"},
        {"p", "1", NULL, "a platform file and --speeds exclude each other"},
        {"p", NULL, "f", "a platform file and --speeds-file exclude each other"},
        {NULL, "1", "f", "--speeds and --speeds-file exclude each other"},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char said[300];
        capture c = capture_begin(stderr);
        int code = cli_check_hosts(&verb, rows[k].platform, rows[k].list, rows[k].path);
        capture_end(&c, said, sizeof said);
        assert_int_equal(code, rows[k].said ? CLI_USAGE : CLI_OK);
        assert_true(rows[k].said ? strstr(said, rows[k].said) != NULL : said[0] == '\0');
    }
}

/* A number of speeds in any layout; the message has the line. */
static void speeds_from_files(void **state)
{
    static const struct {
        const char *text, *said;
        int count;
        double speed[4];
    } rows[] = {
        {"1 2,3\n\n4Gf # the last one\n", NULL, 4, {1, 2, 3, 4e9}},
        {"# none\n0\r\n\t7", NULL, 2, {0, 7}},
        {"1\n2 x\n", ":2: 'x' is not a number", 0, {0}},
        {"1\n\n-2\n", ":3: '-2' is out of range", 0, {0}},
        {"\xEF\xBB\xBF"
         "1 2",
         NULL,
         2,
         {1, 2}},
        {"\xEF\xBB"
         "1",
         "1' is not a number",
         0,
         {0}},
        {"# 1\n", ": no speeds", 0, {0}},
        {"", ": no speeds", 0, {0}},
    };
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        char said[300];
        cli_hosts hosts;
        write_text(rows[k].text);
        assert_int_equal(read_hosts(NULL, NULL, file, &hosts, said, sizeof said),
                         rows[k].said ? CLI_BAD_INPUT : CLI_OK);
        if (rows[k].said && !strstr(said, rows[k].said))
            fail_msg("'%s' does not say '%s'", said, rows[k].said);
        assert_int_equal(hosts.count, rows[k].count);
        for (int i = 0; i < hosts.count; i++)
            assert_true(hosts.speed[i] == rows[k].speed[i]);
        assert_null(hosts.platform);
        cli_hosts_free(&hosts);
    }
    char said[300];
    cli_hosts hosts;
    write_bytes("1\n2\0 3\n", 7);
    assert_int_equal(read_hosts(NULL, NULL, file, &hosts, said, sizeof said), CLI_BAD_INPUT);
    assert_non_null(strstr(said, ":2: a byte 0 is in no number"));
    assert_int_equal(read_hosts(NULL, NULL, "/nowhere/speeds", &hosts, said, sizeof said), CLI_BAD_INPUT);
    assert_string_equal(said, "hs columns: /nowhere/speeds: cannot read it: No such file or directory\n");
    assert_int_equal(read_hosts(NULL, NULL, "/tmp", &hosts, said, sizeof said), CLI_BAD_INPUT);
    assert_non_null(strstr(said, "Is a directory"));
}

static void speeds_from_a_list(void **state)
{
    char said[300];
    cli_hosts hosts;
    assert_int_equal(read_hosts(NULL, "3,1Gf", NULL, &hosts, said, sizeof said), CLI_OK);
    assert_true(hosts.count == 2 && hosts.speed[0] == 3 && hosts.speed[1] == 1e9 && !hosts.platform);
    cli_hosts_free(&hosts);
    assert_int_equal(read_hosts(NULL, "3,,1", NULL, &hosts, said, sizeof said), CLI_BAD_INPUT);
    assert_non_null(strstr(said, "--speeds: value 2: "));
    assert_true(hosts.count == 0 && !hosts.speed);
}

static const char platform_text[] =
    "<platform version=\"4.1\">\n<zone id=\"z\" routing=\"Floyd\">\n<host id=\"a\" speed=\"2Gf\" core=\"3\"/>"
    "<host id=\"bcdef\" speed=\"1Gf\"/><router id=\"no-host\"/></zone></platform>\n";

/* A host is as fast as all its cores. */
static void hosts_of_a_platform(void **state)
{
    char said[300], number[16];
    cli_hosts hosts;
    write_text(platform_text);
    assert_int_equal(read_hosts(file, NULL, NULL, &hosts, said, sizeof said), CLI_OK);
    assert_int_equal(hosts.count, 2);
    assert_true(hosts.speed[0] == 6e9 && hosts.speed[1] == 1e9);
    assert_string_equal(cli_host_name(hosts.names, 1, number), "bcdef");
    assert_string_equal(cli_host_name(hosts.names, 2, number), "2");
    assert_string_equal(cli_host_name(NULL, 12, number), "12");
    assert_int_equal(cli_host_width(hosts.names, 4), 5);
    assert_int_equal(cli_host_width(hosts.names, 6), 6);
    assert_int_equal(cli_host_width(NULL, 4), 4);
    json_t *object = json_object();
    cli_name_hosts(object, NULL);
    assert_int_equal(json_object_size(object), 0);
    cli_name_hosts(object, hosts.names);
    char *names = json_dumps(object, JSON_COMPACT);
    assert_string_equal(names, "{\"hosts\":[\"a\",\"bcdef\"]}");
    free(names);
    json_decref(object);
    cli_hosts_free(&hosts);
    assert_true(!hosts.speed && !hosts.platform && !hosts.names && hosts.count == 0);
    write_text("<platform>\n<zone>");
    assert_int_equal(read_hosts(file, NULL, NULL, &hosts, said, sizeof said), CLI_BAD_INPUT);
    assert_int_equal(strncmp(said, "hs columns: /tmp/hs-hosts-", 26), 0);
    assert_true(!hosts.speed && !hosts.platform);
}

static hs_status read_platform_hosts(const void *path)
{
    char said[300];
    cli_hosts hosts;
    int code = read_hosts(path, NULL, NULL, &hosts, said, sizeof said);
    assert_true(code == CLI_OK || (!hosts.speed && !hosts.platform && strstr(said, "memory")));
    cli_hosts_free(&hosts);
    return code == CLI_OK ? HS_OK : HS_ERR_NOMEM;
}

static hs_status read_speeds(const void *path)
{
    char said[300];
    cli_hosts hosts;
    int code = read_hosts(NULL, NULL, path, &hosts, said, sizeof said);
    assert_true(code == CLI_OK || (!hosts.speed && strstr(said, "out of memory")));
    cli_hosts_free(&hosts);
    return code == CLI_OK ? HS_OK : HS_ERR_NOMEM;
}

static void hosts_need_memory(void **state)
{
    write_text(platform_text);
    assert_true(fail_each_allocation(read_platform_hosts, file) > 3);
    write_text("1 2 3 4 5 6 7 8 9 10\n");
    assert_int_equal(fail_each_allocation(read_speeds, file), 2); /* it grows once */
}

static void say_speeds_by_size(const hs_platform *platform, double data, const char *expected)
{
    char said[200];
    capture c = capture_begin(stdout);
    cli_print_speeds_by_size(platform, data);
    capture_end(&c, said, sizeof said);
    assert_string_equal(said, expected);
}

static void speeds_by_size_are_counted(void **state)
{
    static const hs_speed_point point[] = {{100, 1e9}, {200, 5e8}};
    const hs_speed_function by_size = {point, 2, INFINITY}, limited = {NULL, 0, 500}, both = {point, 2, 500};
    int functions, limits;
    hs_platform *platform;
    assert_int_equal(hs_platform_create(HS_ROUTING_GRAPH, &platform), HS_OK);
    for (int h = 0; h < 4; h++)
        assert_int_equal(hs_platform_add_host(platform, (char[]){(char)('a' + h), '\0'}, 1e9, 1, NULL, NULL), HS_OK);
    say_speeds_by_size(platform, 0, "");
    say_speeds_by_size(platform, 2048, "slices of 2 KiB in all: 0 hosts with speeds by size, 0 with a largest slice\n");
    assert_int_equal(hs_platform_set_host_speed_function(platform, 0, &by_size, NULL), HS_OK);
    assert_int_equal(hs_platform_set_host_speed_function(platform, 1, &limited, NULL), HS_OK);
    assert_int_equal(hs_platform_set_host_speed_function(platform, 2, &both, NULL), HS_OK);
    assert_int_equal(hs_platform_set_host_speed_function(platform, 3, &both, NULL), HS_OK);
    cli_count_speeds_by_size(platform, &functions, &limits);
    assert_true(functions == 3 && limits == 3);
    say_speeds_by_size(platform, 0, "without --data: 3 hosts with speeds by size, 3 with a largest slice, not used\n");
    say_speeds_by_size(platform, 2048, "slices of 2 KiB in all: 3 hosts with speeds by size, 3 with a largest slice\n");
    hs_platform_free(platform);
}

/* The first rank of a ring writes the log, into FILE.R where it is not rank 0. */
static void logs_of_other_ranks_are_found(void **state)
{
    char other[320], name[64];
    write_text("");
    assert_ptr_equal(cli_find_log(file, other, sizeof other), file);
    assert_string_equal(cli_find_log("-", other, sizeof other), "-");
    snprintf(name, sizeof name, "%s.log", file);
    assert_ptr_equal(cli_find_log(name, other, sizeof other), name); /* there is none: it is what cannot be read */
    for (int rank = 12; rank > 0; rank -= 11) {
        char of_rank[80];
        snprintf(of_rank, sizeof of_rank, "%s.%d", name, rank);
        fclose(fopen(of_rank, "w"));
        assert_string_equal(cli_find_log(name, other, sizeof other), of_rank);
    }
    fclose(fopen(name, "w")); /* rank 0 wrote one, too */
    assert_ptr_equal(cli_find_log(name, other, sizeof other), name);
    unlink(name);
    for (int rank = 1; rank <= 12; rank += 11) {
        snprintf(other, sizeof other, "%s.%d", name, rank);
        unlink(other);
    }
}

static void json_is_read_or_not(void **state)
{
    hs_error error;
    write_text("{\"a\":1,\n\"a\":2}");
    assert_null(cli_read_json(file, &error));
    CHECK_ERROR_SAYS(&error, 2, "duplicate");
    write_text("\xEF\xBB\xBF{\"a\":1}");
    json_t *object = cli_read_json(file, &error);
    assert_int_equal(json_integer_value(json_object_get(object, "a")), 1);
    json_decref(object);
    assert_null(cli_read_json("/nowhere/a.json", &error));
    CHECK_ERROR(&error, 0, "cannot read it: No such file or directory");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_way_to_name_hosts),
        cmocka_unit_test(speeds_from_files),
        cmocka_unit_test(speeds_from_a_list),
        cmocka_unit_test(hosts_of_a_platform),
        cmocka_unit_test(hosts_need_memory),
        cmocka_unit_test(speeds_by_size_are_counted),
        cmocka_unit_test(logs_of_other_ranks_are_found),
        cmocka_unit_test(json_is_read_or_not),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
